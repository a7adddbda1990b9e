import AlarmEngine
import Formats
import NIOHTTP1

/// A user or a group of Pushover (pushover.net/api).
///
/// Pushover itself repeats an alarm, every minute for an hour, until its button is pressed there or the alarm
/// is closed here. This server's repeats are therefore not sent.
public struct PushoverUser: Hashable, Sendable, CustomStringConvertible, ServiceEndpoint {
  public let server: TargetURL
  /// The token of the application at Pushover.
  public let token: Secret
  public let user: Secret
  /// True if an alarm has the highest priority, which overrides silence and repeats.
  public let isEmergency: Bool
  /// Pushover's limits, in characters.
  private static let maximumTitle = 250
  private static let maximumMessage = 1024
  private static let retrySeconds: Int64 = 60
  private static let expirySeconds: Int64 = 3600

  /// Reads `{"token":"a...","user":"u..."}`, and `"emergency":false` for alarms that ring once.
  init(_ fields: ConfigurationFields) throws(ConfigurationError) {
    server = try fields.url("server", standard: "https://api.pushover.net")
    token = Secret(try fields.word("token", limit: 64))
    user = Secret(try fields.word("user", limit: 64))
    isEmergency = try fields.flag("emergency", default: true)
  }

  public var description: String { "Pushover" }

  var receiptMember: String? { "request" }

  func request(telling notice: AlarmNotice) -> ServiceRequest {
    let words = NoticeWords(notice)
    var message: [(String, JSONValue)] = [
      ("token", .string(token.revealed)), ("user", .string(user.revealed)),
      ("title", .string(words.title.cut(Self.maximumTitle))),
      ("message", .string(words.body.cut(Self.maximumMessage))),
      ("timestamp", .integer(notice.time.millisecondsSince1970 / 1000)),
      ("priority", .integer(priority(of: notice))),
    ]
    if priority(of: notice) == 2 {
      message += [
        ("retry", .integer(Self.retrySeconds)), ("expire", .integer(Self.expirySeconds)),
        ("tags", .string(notice.collapseKey)),
      ]
    }
    if let open = notice.links.open { message += [("url", .string(open)), ("url_title", .string("Open"))] }
    return ServiceRequest(.POST, server.appending("1/messages.json"), json: message)
  }

  /// Returns Pushover's priority, -2 to 2.
  private func priority(of notice: AlarmNotice) -> Int64 {
    guard notice.isUrgent else { return 0 }
    return isEmergency && notice.priority >= 0 ? 2 : 1
  }

  func request(withdrawing withdrawal: AlarmWithdrawal) -> ServiceRequest? {
    guard isEmergency else { return nil }
    return ServiceRequest(
      .POST, server.appending("1/receipts/cancel_by_tag/\(withdrawal.collapseKey).json"),
      form: [("token", token.revealed)])
  }
}
