import AlarmEngine
import Formats
import NIOHTTP1
import Store

/// ntfy: a message with a sound on a person's phone, published as JSON (docs.ntfy.sh, "Publish as JSON").
///
/// One alarm is one `sequence_id`: from ntfy 2.16 on, a repeat replaces the ring before it and a withdrawal
/// removes it from the phones. Older servers show each message separately.
public struct NtfyChannel: DeliveryChannel {
  package let topic: NtfyTopic
  package let http: DeliveryHTTP
  /// ntfy's own limit for the message; longer ones become attachments.
  private static let maximumMessage = 4096
  private static let maximumTitle = 250

  public init(topic: NtfyTopic, http: DeliveryHTTP) {
    self.topic = topic
    self.http = http
  }

  public var description: String { topic.description }

  private var headers: [(String, String)] {
    var headers = [("Content-Type", "application/json")]
    if !topic.token.isEmpty { headers.append(("Authorization", "Bearer \(topic.token.revealed)")) }
    return headers
  }

  public func deliver(_ notice: AlarmNotice) async -> DeliveryOutcome {
    do throws(DeliveryFailure) {
      let answer = try await http.send(
        .POST, topic.server.text, headers: headers, body: Array(message(for: notice).text.utf8))
      let id = (try? JSONValue.parse(answer.body))?["id"]?.string ?? ""
      return Self.outcome(of: answer, receipt: id)
    } catch { return error.outcome }
  }

  public func withdraw(_ withdrawal: AlarmWithdrawal) async -> DeliveryOutcome? {
    do throws(DeliveryFailure) {
      let url = topic.server.appending("\(topic.topic.revealed)/\(withdrawal.collapseKey)")
      let answer = try await http.send(.DELETE, url, headers: headers, body: [])
      return Self.outcome(of: answer, receipt: "")
    } catch { return error.outcome }
  }

  /// Returns the outcome of an answer. ntfy answers 404 for a wrong address, never for an unknown topic, so
  /// nothing counts as gone.
  private static func outcome(of answer: DeliveryHTTP.Answer, receipt: String) -> DeliveryOutcome {
    switch answer.status {
    case 404, 410: .refused(reason: .status(answer.status, answer.text))
    // ntfy answers 507 when the publisher's quota is used up. The quota is restored with time.
    default: answer.outcome(receipt: receipt, now: .now)
    }
  }

  package func message(for notice: AlarmNotice) -> JSONValue {
    let words = NoticeWords(notice)
    var members: [(String, JSONValue)] = [
      ("topic", .string(topic.topic.revealed)), ("sequence_id", .string(notice.collapseKey)),
      ("title", .string(words.title.cut(Self.maximumTitle))),
      ("message", .string(words.body.cut(Self.maximumMessage))),
      ("priority", .integer(Self.priority(of: notice))),
      ("tags", .array([.string(Self.tag(of: notice.kind))])),
    ]
    if let image = notice.content?.imageURL { members.append(("attach", .string(image))) }
    if let open = notice.links.open { members.append(("click", .string(open))) }
    // ntfy shows at most three buttons and refuses more.
    let buttons = notice.links.buttons.map { Self.button($0.label, $0.url) }
    if notice.isHeard, !buttons.isEmpty { members.append(("actions", .array(buttons))) }
    return .object(members)
  }

  private static func button(_ label: String, _ url: String) -> JSONValue {
    .object([
      ("action", .string("http")), ("label", .string(label)), ("url", .string(url)),
      ("method", .string("POST")),
      ("clear", .bool(true)),
    ])
  }

  /// Returns ntfy's priority, 1 to 5. 5 overrides silence and, if the phone is set to it, rings until
  /// dismissed.
  private static func priority(of notice: AlarmNotice) -> Int64 {
    guard notice.isUrgent else { return 3 }
    return notice.priority < 0 ? 4 : 5
  }

  private static func tag(of kind: AlarmNotice.Kind) -> String {
    switch kind {
    case .ring, .repeat: "rotating_light"
    case .cleared, .checkInOver, .arrived: "white_check_mark"
    case .companionNear, .companionApart: "busts_in_silhouette"
    case .missedSignal, .deviceSilent, .notArrived, .deviceUnreadable, .companionLost, .companionEnded:
      "warning"
    case .batteryLow: "battery"
    case .distress, .checkInMissed: "sos"
    case .notice, .perhaps: "information_source"
    case .reminder, .checkInSoon: "memo"
    case .test: "bell"
    }
  }
}
