import AlarmEngine
import Formats
import NIOHTTP1
import Store

/// Web Push to a browser or an installed page (RFC 8030), encrypted so that the push service learns only the
/// time and the size.
///
/// The message is also declarative ("web_push": 8030), so that a browser that supports this form shows it
/// even if the page's script does not run.
public struct WebPushChannel: DeliveryChannel {
  package let subscription: WebPushSubscription
  let signer: VAPIDSigner
  package let http: DeliveryHTTP
  /// The time for which a push service keeps a message for an unreachable phone: as long as an alarm rings
  /// (F9).
  private static let timeToLiveSeconds = 86_400

  public init(subscription: WebPushSubscription, signer: VAPIDSigner, http: DeliveryHTTP) {
    self.subscription = subscription
    self.signer = signer
    self.http = http
  }

  public var description: String { subscription.description }

  public func deliver(_ notice: AlarmNotice) async -> DeliveryOutcome {
    do throws(DeliveryFailure) {
      let content = try Self.content(of: notice)
      return try await push(content, topic: notice.collapseKey, isUrgent: notice.isUrgent)
    } catch { return error.outcome }
  }

  /// Tells the page to remove its notification. Replaces a message that still waits.
  ///
  /// Not declarative, since a declarative message always shows a notification.
  public func withdraw(_ withdrawal: AlarmWithdrawal) async -> DeliveryOutcome? {
    let content = JSONValue.object([
      ("type", .string("close")), ("tag", .string(withdrawal.collapseKey)),
      ("reason", .string(withdrawal.reason.rawValue)),
    ])
    do throws(DeliveryFailure) {
      return try await push(Array(content.text.utf8), topic: withdrawal.collapseKey, isUrgent: false)
    } catch { return error.outcome }
  }

  private func push(_ content: [UInt8], topic: String, isUrgent: Bool) async throws(DeliveryFailure)
    -> DeliveryOutcome
  {
    let now = Instant.now
    let origin = subscription.endpoint.origin
    let body = try WebPushEncryption.encrypt(content, for: subscription)
    let answer = try await http.send(
      .POST, subscription.endpoint.text,
      headers: [
        ("Authorization", signer.authorization(for: origin, now: now)),
        ("Content-Encoding", "aes128gcm"), ("Content-Type", "application/octet-stream"),
        ("TTL", "\(Self.timeToLiveSeconds)"), ("Urgency", isUrgent ? "high" : "normal"), ("Topic", topic),
      ], body: body)
    switch answer.status {
    case 401, 403:
      signer.forget(origin)
      return .refused(reason: .status(answer.status, answer.text))
    case 413: return .refused(reason: .tooLarge(given: body.count, allowed: 4096))
    default: return answer.outcome(receipt: answer.header("Location").map { _ in "accepted" } ?? "", now: now)
    }
  }

  /// Returns the JSON of a notice. If it is too long, messages are left out first, then the words are cut;
  /// the alarm itself is always sent.
  package static func content(of notice: AlarmNotice) throws(DeliveryFailure) -> [UInt8] {
    let words = NoticeWords(notice)
    for limit in [Int.max, 1200, 200] {
      let bytes = Array(json(of: notice, words: words, limit: limit).text.utf8)
      if bytes.count <= WebPushEncryption.maximumPlaintext { return bytes }
    }
    let bytes = json(of: notice, words: words, limit: 200).text.utf8.count
    throw .tooLarge(given: bytes, allowed: WebPushEncryption.maximumPlaintext)
  }

  private static func json(of notice: AlarmNotice, words: NoticeWords, limit: Int) -> JSONValue {
    let isCut = limit < Int.max
    let isKnown: (String) -> Bool = {
      !isCut || !["messages", "sound", "links", "zone", "device", "title", "text"].contains($0)
    }
    var data = NoticeJSON.members(of: notice).filter { isKnown($0.0) }
    // The buttons need their links at once; the others are on the page.
    if isCut {
      let links = NoticeJSON.links(of: notice.links).filter { $0.0 != "for_today" }
      data.append(("links", .object(links)))
    }
    // The list of what is near, in a page that is open.
    if notice.kind == .reminder { data.append(("address", .string("#/reminders/nearby"))) }
    var notification: [(String, JSONValue)] = [
      ("title", .string(words.title.cut(limit))), ("body", .string(words.body.cut(limit))),
      ("tag", .string(notice.collapseKey)), ("renotify", .bool(notice.isUrgent)),
      ("requireInteraction", .bool(notice.isUrgent)),
      ("timestamp", .integer(notice.time.millisecondsSince1970)),
      ("data", .object(data)),
    ]
    if let image = notice.content?.imageURL { notification.append(("image", .string(image))) }
    if let open = notice.links.open { notification.append(("navigate", .string(open))) }
    // Declarative actions open a page: that of the link, with its button. A browser shows the first two or
    // three.
    let actions = notice.links.buttons.map {
      JSONValue.object([
        ("action", .string($0.name)), ("title", .string($0.label)), ("navigate", .string($0.url)),
      ])
    }
    if notice.isHeard, !actions.isEmpty { notification.append(("actions", .array(actions))) }
    return .object([
      ("web_push", .integer(8030)), ("type", .string(notice.kind.isAlarm ? "alarm" : "notice")),
      ("notification", .object(notification)),
    ])
  }
}

extension String {
  /// Returns the text cut to at most `limit` bytes of UTF-8, at a character's end, with an ellipsis if it was
  /// cut.
  package func cut(_ limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var text = ""
    var size = 3
    for character in self {
      size += character.utf8.count
      if size > limit { break }
      text.append(character)
    }
    return text + "…"
  }
}
