import AlarmEngine
import Delivery
import Formats
import Hummingbird
import Store

/// The data of a device that could not be interpreted, to find out why its reports have no effect.
enum RawBodyRoutes {
  /// The most characters shown of each body.
  private static let shown = 4000

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/devices/{device}/raw-bodies", name: "listRawBodies",
      summary:
        "Lists the reports of a device that could not be read completely, latest first, from the last two weeks",
      handler: .account { call, signed in
        let device = try await call.store.device(try DeviceRoutes.id(call), of: signed.account)
        let bodies = try await call.store.rawBodies(of: device.id, limit: RawBody.keptForDevice)
        return .items(bodies.map(json))
      },
      answers: [
        .json(
          .items(
            .object([
              .needed("received_at", .time, ""),
              .needed("source", .text(0...100), "Name of the endpoint that received it."),
              .needed("reason", .text(0...1000), "Reason why it could not be read."),
              .needed("size", .integer(0...Int64.max), "Size in bytes, as sent."),
              .needed("is_whole", .boolean, "True if the whole body is kept; else only its first bytes are."),
              .needed("text", .text(0...shown), "Beginning of the body, as UTF-8."),
            ]), upTo: RawBody.keptForDevice), "At most \(RawBody.keptForDevice) bodies.")
      ])
  ]

  private static func json(_ body: RawBody) -> JSONValue {
    let text = String(decoding: body.body.prefix(4 * shown), as: UTF8.self)
    return .object([
      ("received_at", body.receivedAt.json), ("source", .string(body.source.excerpt(100))),
      ("reason", .string(body.reason.excerpt(1000))), ("size", .integer(Int64(body.size))),
      ("is_whole", .bool(body.body.count == body.size)), ("text", .string(text.excerpt(shown))),
    ])
  }
}
