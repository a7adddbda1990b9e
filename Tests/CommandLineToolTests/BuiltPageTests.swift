import CommandLineSupport
import Foundation
import Testing

@testable import CommandLineTool

@Suite("Built page")
struct BuiltPageTests {
  @Test func `the page beside the build folder is found, through links too, and nothing else`() throws {
    let files = FileManager.default
    let root = files.temporaryDirectory.appendingPathComponent("built-page-\(UUID())")
      .resolvingSymlinksInPath()
    defer { try? files.removeItem(at: root) }
    let build = root.appendingPathComponent(".build/some-triple/release")
    try files.createDirectory(at: build, withIntermediateDirectories: true)
    try files.createSymbolicLink(
      at: root.appendingPathComponent(".build/release"), withDestinationURL: build)
    let program = root.appendingPathComponent(".build/release/proximity")
    try Data().write(to: program)
    #expect(BuiltPage.folder(of: program) == nil)
    let page = root.appendingPathComponent(".build-page")
    try files.createDirectory(at: page, withIntermediateDirectories: true)
    #expect(BuiltPage.folder(of: program) == nil)
    try Data().write(to: page.appendingPathComponent("index.html"))
    #expect(BuiltPage.folder(of: program)?.path == page.path)
  }

  @Test func `an installed program finds the page in share beside its bin folder`() throws {
    let files = FileManager.default
    let root = files.temporaryDirectory.appendingPathComponent("installed-page-\(UUID())")
      .resolvingSymlinksInPath()
    defer { try? files.removeItem(at: root) }
    let page = root.appendingPathComponent("usr/share/proximity/page")
    for folder in [root.appendingPathComponent("usr/bin"), root.appendingPathComponent("usr/other"), page] {
      try files.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    let program = root.appendingPathComponent("usr/bin/proximity")
    #expect(BuiltPage.folder(of: program) == nil)
    try Data().write(to: page.appendingPathComponent("index.html"))
    #expect(BuiltPage.folder(of: program)?.path == page.path)
    #expect(BuiltPage.folder(of: root.appendingPathComponent("usr/other/proximity")) == nil)
  }
}
