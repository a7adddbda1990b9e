import Foundation
import HTTPTypes
import Hummingbird

/// The page: the built one, or the start page as long as there is none.
enum PageRoutes {
  /// The address of every file of a built page. Most addresses that it matches have no file.
  static let anyFile = "/**"

  static func table(_ files: StaticFiles?) -> [Route] {
    // Pages behind links in messages use it, too.
    let style = page("/start.css") { _ in text(StartPage.style, "text/css; charset=utf-8") }
    if let files {
      return [
        style,
        page("/") { call in try files.response(to: call.request, path: "/") },
        page(anyFile) { call in
          try files.response(to: call.request, path: call.request.uri.path)
        },
      ]
    }
    return [
      page("/") { _ in .page(StartPage.markup) },
      style,
      page("/start.js") { _ in text(StartPage.script, "text/javascript; charset=utf-8") },
    ]
  }

  private static func page(
    _ path: String, _ handle: @escaping @Sendable (Call) async throws -> Response
  ) -> Route {
    Route(
      method: .get, path: path, name: "page", summary: "The page", handler: .anyone(handle),
      answers: [.media(["text/html", "text/css", "text/javascript"], "A file of the page.")],
      isDocumented: false, takesFurtherParameters: true, isUnmetered: true)
  }

  private static func text(_ text: String, _ type: String) -> Response {
    Response(
      status: .ok, headers: [.contentType: type, .cacheControl: "no-cache"],
      body: .init(byteBuffer: ByteBuffer(string: text)))
  }
}
