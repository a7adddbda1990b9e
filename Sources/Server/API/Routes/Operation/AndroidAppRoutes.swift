import Formats
import HTTPTypes
import Hummingbird

/// The Android app that the operator offers for download (`--app-apk`). It needs no sign-in: the app is public.
enum AndroidAppRoutes {
  static let path = "/app.apk"

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/app", name: "getAndroidApp",
      summary: "Returns the address, size and checksum of the Android app that this server offers",
      handler: .anyone { call in
        guard let edition = try await call.parts.operation.androidApp?.edition() else {
          return .json(.object([("apk", .null)]))
        }
        return .json(
          .object([
            (
              "apk",
              .object([
                ("address", .string(path)), ("bytes", .integer(Int64(edition.entry.size))),
                ("sha256", .string(edition.sha256)),
              ])
            )
          ]))
      },
      answers: [
        .json(
          .object([
            .needed(
              "apk",
              .optional(
                .object([
                  .needed("address", .text(1...100), "Path of the file."),
                  .needed("bytes", .integer(1...AndroidApp.maximumBytes), ""),
                  .needed("sha256", .text(64...64), "SHA-256 of the file, in hexadecimal digits."),
                ])), "Null if the server offers none.")
          ]), "The app.")
      ]),
    Route(
      method: .get, path: path, name: "app", summary: "The Android app",
      handler: .anyone { call in
        guard let edition = try await call.parts.operation.androidApp?.edition() else {
          throw Problem(.notFound, "this server offers no app; its operator names a file with app_apk")
        }
        var response = try StaticFiles.response(to: call.request, edition.entry)
        response.headers[.contentDisposition] = "attachment; filename=\"proximity.apk\""
        return response
      },
      answers: [
        .media([AndroidApp.mediaType], "The file."),
        .init(
          status: .partialContent, meaning: "The requested range.", content: .media([AndroidApp.mediaType])),
      ], isDocumented: false, takesFurtherParameters: true),
  ]
}
