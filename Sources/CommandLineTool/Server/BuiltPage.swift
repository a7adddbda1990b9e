import CommandLineSupport
import Foundation

/// The folder of the built page: `share/proximity/page` beside an installed `bin/proximity`, else
/// `.build-page`, the output of `make page`, beside the build folder of this executable.
enum BuiltPage {
  static let name = ".build-page"
  /// The path beside the executable's folder, in the layout of packages.
  private static let installed = "share/proximity/page"
  /// The deepest nesting of a build folder.
  private static let levels = 6

  /// - Returns: nil where no page has been built.
  static func folder(of executable: URL) -> URL? {
    var place = executable.resolvingSymlinksInPath().deletingLastPathComponent()
    if place.lastPathComponent == "bin" {
      let folder = place.deletingLastPathComponent().appendingPathComponent(installed, isDirectory: true)
      if hasPage(folder) { return folder }
    }
    for _ in 0..<levels {
      let folder = place.appendingPathComponent(name, isDirectory: true)
      if hasPage(folder) { return folder }
      let above = place.deletingLastPathComponent()
      guard above.path != place.path else { return nil }
      place = above
    }
    return nil
  }

  private static func hasPage(_ folder: URL) -> Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent("index.html").path)
  }
}
