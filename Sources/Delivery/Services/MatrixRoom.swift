import Formats
import NIOHTTP1
import Store

/// A room of a Matrix homeserver, to which a user of it writes (Client-Server API, "Sending events to a
/// room").
///
/// The transaction's id is the notice's key, so that a notice sent twice is one message.
public struct MatrixRoom: Hashable, Sendable, CustomStringConvertible, ServiceEndpoint {
  public let server: TargetURL
  public let token: Secret
  /// `!abc:example.org`.
  public let room: String
  /// The limit of a message in bytes. The specification limits a whole event to 65,536 bytes.
  private static let maximumText = 16_000

  /// `{"server":"https://matrix.example.org","token":"syt_...","room":"!abc:example.org"}`.
  init(_ fields: ConfigurationFields) throws(ConfigurationError) {
    server = try fields.requiredURL("server")
    token = Secret(try fields.requiredText("token", limit: 1024))
    room = try fields.requiredText("room", limit: 255)
    guard room.hasPrefix("!"), room.count > 1 else {
      throw ConfigurationError(
        field: "room", given: room.excerpt(40),
        allowed: "the room's id, as !abc:example.org (an alias with # is not enough)")
    }
  }

  public var description: String { "Matrix room at \(server.host)" }

  var receiptMember: String? { "event_id" }

  func request(telling notice: AlarmNotice) -> ServiceRequest {
    ServiceRequest(
      .PUT,
      server.appending(
        "_matrix/client/v3/rooms/\(room.percentEncoded)/send/m.room.message/\(notice.idempotencyKey.percentEncoded)"
      ),
      headers: [("Authorization", "Bearer \(token.revealed)")],
      json: [
        // `m.notice` is meant for programs: clients make no sound for it.
        ("msgtype", .string(notice.isHeard || notice.kind == .test ? "m.text" : "m.notice")),
        ("body", .string(NoticeWords(notice).lines(with: notice).cut(Self.maximumText))),
      ])
  }
}
