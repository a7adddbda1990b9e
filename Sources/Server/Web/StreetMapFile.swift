import Formats
import Foundation
import HTTPTypes
import Hummingbird
import StreetMap

/// The map of streets in the server's folder, looked up for each request, since an import may replace it at
/// any time.
struct StreetMapFile: Sendable {
  /// Nil for a server without a folder, as in tests.
  private let folder: StreetMapFolder?
  private let allowsPublicMaps: Bool

  init(_ settings: ServerSettings) {
    folder = settings.dataFolder.map { StreetMapFolder(data: $0.path) }
    allowsPublicMaps = settings.allowsPublicMaps
  }

  /// The index of the map. A damaged index counts as none: the page then draws the world map only.
  func index() -> Response {
    let index = try? folder?.readIndex()
    // Answered without a map as well, since browsers show a 404 as an error.
    let members = index?.json.members ?? [("regions", .array([]))]
    var response = Response.json(.object(members + [("public_maps", .bool(allowsPublicMaps))]))
    response.headers[.cacheControl] = "no-cache"
    return response
  }

  /// The archive or a range of it. An answer with the version in its address never changes.
  func archive(_ request: Request, version: String?) throws -> Response {
    let found: StreetMapIndex?
    do { found = try folder?.readIndex() } catch {
      throw Problem(.notFound, "\(error); import a region again")
    }
    guard let folder, let index = found else {
      throw Problem(.notFound, "no map of streets has been imported")
    }
    let url = folder.archive(index.version)
    guard let size = try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize else {
      throw Problem(.notFound, "the map's archive is missing; import it again")
    }
    return try StaticFiles.response(
      to: request,
      StaticFiles.Entry(
        url: url, size: size, tag: "\"\(index.version)\"", mediaType: "application/vnd.pmtiles",
        isImmutable: version == index.version))
  }
}
