import CommandLineSupport
import Foundation

/// Where the page is: `share/proximity/page` for an installed `bin/proximity`, else where `make page` lays it, which is
/// `.build-page` beside the build folder that this executable runs from.
enum BuiltPage {
  static let name = ".build-page"
  /// Beside the folder of the executable, as packages lay it out.
  private static let installed = "share/proximity/page"
  /// A build folder lies at most so deep.
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
