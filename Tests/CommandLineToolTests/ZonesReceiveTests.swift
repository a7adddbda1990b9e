import CommandLineSupport
import CommandLineTestSupport
import Foundation
import Testing

@testable import CommandLineTool

@Suite("proximity zones receive")
struct ZonesReceiveTests {
  private static func mail(_ names: String...) -> String {
    "From: anna@example.org\nSubject: zones\n\n"
      + names.map { "AlertZoneStart\nAlertZoneName,\($0)\nLocation,1,46.05,14.5\nAlertZoneEnd\n" }.joined()
  }

  @Test func `the zones of a mail are printed as PAD`() throws {
    let folder = try TestFolder()
    let captured = CapturedConsole()
    #expect(captured.run("zones", "receive", try folder.file("m.eml", Self.mail("Cliff", "Quarry"))) == 0)
    #expect(
      captured.output.contains("AlertZoneName,Cliff") && captured.output.contains("AlertZoneName,Quarry"))
    #expect(captured.messages == "")
  }

  @Test func `zones are added once, and what stands in the file stays as it is`() throws {
    let folder = try TestFolder()
    let mine = "AlertZoneStart,,\nAlertZoneName,Mine,,\nMyOwnRow,7\nLocation,1,1,2\nAlertZoneEnd"
    let target = try folder.file("zones.pad", mine)
    let message = try folder.file("m.eml", Self.mail("Cliff"))
    for added in ["1 zone", "0 zones"] {
      let captured = CapturedConsole()
      #expect(captured.run("zones", "receive", message, "--into", target) == 0)
      #expect(captured.messages.hasPrefix("\(added) added to "), "\(captured.messages)")
    }
    let text = try String(contentsOf: URL(fileURLWithPath: target), encoding: .utf8)
    #expect(text.hasPrefix(mine + "\n") && text.components(separatedBy: "Cliff").count == 2)
    let check = CapturedConsole()
    #expect(check.run("zones", "check", target) == 0)
    let other = CapturedConsole()
    #expect(other.run("zones", "receive", message, "--into", folder.path("new.pad")) == 0)
    #expect(FileManager.default.fileExists(atPath: folder.path("new.pad")))
  }

  @Test func `schedules get the offsets of their time zones, and an unknown one is an error`() throws {
    let folder = try TestFolder()
    func mail(_ name: String) -> String {
      Self.mail("Cliff").replacing(
        "Location,", with: "AlertZoneTimeZone,\(name)\nAlertZoneWindow,1234567,135,165\nLocation,")
    }
    let known = CapturedConsole()
    #expect(known.run("zones", "receive", try folder.file("m.eml", mail("Europe/Stockholm"))) == 0)
    #expect(known.output.components(separatedBy: "AlertZoneOffset,").count == 102, "\(known.output)")
    let unknown = CapturedConsole()
    #expect(unknown.run("zones", "receive", try folder.file("n.eml", mail("Mars/Olympus"))) == 65)
    #expect(unknown.messages.contains("Mars/Olympus"))
  }

  @Test func `a mail without zones goes back, what is ours to mend is tried again`() throws {
    let folder = try TestFolder()
    for (name, text) in [
      ("none", "From: a@b.c\n\nhello"), ("noise", "\u{1}\u{2}"), ("empty", ""),
      ("broken", "A: b\n\nAlertZoneStart\nLocation,1,91,2\nAlertZoneEnd\n"),
    ] {
      let captured = CapturedConsole()
      #expect(captured.run("zones", "receive", try folder.file(name, text)) == 65, "\(name)")
      #expect(captured.messages.contains("refused: ") && captured.output == "")
    }
    let missing = CapturedConsole()
    #expect(missing.run("zones", "receive", folder.path("none.eml")) == 75)
    let message = try folder.file("m.eml", Self.mail("Cliff"))
    let nowhere = CapturedConsole()
    #expect(nowhere.run("zones", "receive", message, "--into", folder.path("no/such/folder/z.pad")) == 75)
    let usage = CapturedConsole()
    #expect(usage.run("zones", "receive", message, "--onto", "x") == 2)
  }
}
