import Formats
import NIOHTTP1

/// A key of an Apprise API server, under which a person keeps the addresses of services, over a hundred kinds
/// (Apprise API, "Persistent Storage Solution": POST /notify/KEY).
public struct AppriseKey: Hashable, Sendable, CustomStringConvertible, ServiceEndpoint {
  public let server: TargetURL
  public let key: Secret
  /// The tag of the addresses to notify; empty selects all.
  public let tag: String

  /// Reads `{"server":"https://...","key":"..."}`, and `"tag"` for some of the key's addresses.
  init(_ fields: ConfigurationFields) throws(ConfigurationError) {
    server = try fields.requiredURL("server")
    key = Secret(try fields.word("key", limit: 128))
    tag = try fields.text("tag", limit: 256) ?? ""
  }

  public var description: String { "Apprise at \(server.host)" }

  func request(telling notice: AlarmNotice) -> ServiceRequest {
    let words = NoticeWords(notice)
    var message: [(String, JSONValue)] = [
      ("title", .string(words.title)), ("body", .string(words.lines(with: notice))),
      ("type", .string(notice.isUrgent ? "failure" : "info")), ("format", .string("text")),
    ]
    if !tag.isEmpty { message.append(("tag", .string(tag))) }
    return ServiceRequest(.POST, server.appending("notify/\(key.revealed)"), json: message)
  }

  func outcome(of answer: DeliveryHTTP.Answer) -> DeliveryOutcome {
    switch answer.status {
    // Accepted, but the key has no addresses.
    case 204: .refused(reason: .misconfigured("Apprise knows no address under this key"))
    // Some of the addresses could not be notified, or none has this tag.
    case 424: .retry(after: nil, reason: .status(424, answer.text))
    default: standardOutcome(of: answer)
    }
  }
}
