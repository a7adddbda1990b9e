import Foundation

/// Where `make page` lays the page: `.build-page`, beside the build folder that this executable runs from.
enum BuiltPage {
  static let name = ".build-page"
  /// A build folder lies at most so deep.
  private static let levels = 6

  /// - Returns: nil where no page has been built.
  static func folder(of executable: URL) -> URL? {
    var place = executable.resolvingSymlinksInPath().deletingLastPathComponent()
    for _ in 0..<levels {
      let folder = place.appendingPathComponent(name, isDirectory: true)
      if FileManager.default.fileExists(atPath: folder.appendingPathComponent("index.html").path) {
        return folder
      }
      let above = place.deletingLastPathComponent()
      guard above.path != place.path else { return nil }
      place = above
    }
    return nil
  }
}
