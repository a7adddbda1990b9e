import Formats
import Hummingbird

/// The map of streets, docs/map.md. It needs no sign-in: a map is public, and it is drawn before a sign-in.
enum StreetMapRoutes {
  static func table(_ settings: ServerSettings) -> [Route] {
    let map = StreetMapFile(settings)
    return [
      file("/streets/map.json", "application/json", "The index of the street map.") { _ in
        map.index()
      },
      file("/streets/map.pmtiles", "application/vnd.pmtiles", "The street map, or a range of its bytes.") {
        call in
        try map.archive(call.request, version: call.query["v"]?.string)
      },
    ]
  }

  private static func file(
    _ path: String, _ type: String, _ summary: String,
    _ handle: @escaping @Sendable (Call) async throws -> Response
  ) -> Route {
    Route(
      method: .get, path: path, name: "streets", summary: summary, handler: .anyone(handle),
      query: [.init(name: "v", schema: .text(1...16), meaning: "Version named by the index.")],
      answers: [
        .media([type], summary),
        .init(status: .partialContent, meaning: "The requested range.", content: .media([type])),
      ],
      isDocumented: false, isUnmetered: true)
  }
}
