import Formats
import NIOHTTP1

/// An application of a Gotify server. Its user's phones show its messages (gotify.net/docs/pushmsg,
/// /docs/msgextras).
public struct GotifyApplication: Hashable, Sendable, CustomStringConvertible, ServiceEndpoint {
  public let server: TargetURL
  public let token: Secret

  /// Reads `{"server":"https://...","token":"A..."}`, with the token of the application, not of a client.
  init(_ fields: ConfigurationFields) throws(ConfigurationError) {
    server = try fields.requiredURL("server")
    token = Secret(try fields.requiredText("token", limit: 256))
  }

  public var description: String { "Gotify at \(server.host)" }

  var receiptMember: String? { "id" }

  func request(telling notice: AlarmNotice) -> ServiceRequest {
    let words = NoticeWords(notice)
    var message: [(String, JSONValue)] = [
      ("title", .string(words.title)), ("message", .string(words.body)),
      ("priority", .integer(Self.priority(of: notice))),
    ]
    if let open = notice.links.open {
      let click = JSONValue.object([("click", .object([("url", .string(open))]))])
      message.append(("extras", .object([("client::notification", click)])))
    }
    return ServiceRequest(
      .POST, server.appending("message"), headers: [("X-Gotify-Key", token.revealed)], json: message)
  }

  /// Returns Gotify's priority, 0 to 10: from 4 on with a sound, from 8 on as a pop-up over other apps.
  private static func priority(of notice: AlarmNotice) -> Int64 {
    guard notice.isUrgent else { return 4 }
    return notice.priority < 0 ? 7 : 10
  }
}
