import AlarmEngine
import Cryptography
import Formats
import NIOHTTP1
import Store

/// Apple Push Notification service over HTTP/2 ("Sending notification requests to APNs", Apple's
/// documentation).
public struct APNsChannel: DeliveryChannel {
  package let device: APNsDevice
  /// The app's bundle identifier.
  package let topic: String
  package let tokens: APNsTokenSource
  package let http: DeliveryHTTP
  /// "https://api.push.apple.com", or another one for tests.
  package let host: String
  private static let maximumBody = 4096
  private static let timeToLive = TimeSpan.hours(24)

  /// - Parameters:
  ///   - http: a client that speaks HTTP/2.
  ///   - host: nil selects Apple's for the device's environment.
  public init(
    device: APNsDevice, topic: String, tokens: APNsTokenSource, http: DeliveryHTTP, host: String? = nil
  ) {
    self.device = device
    self.topic = topic
    self.tokens = tokens
    self.http = http
    let standard =
      switch device.environment {
      case .production: "https://api.push.apple.com"
      case .development: "https://api.sandbox.push.apple.com"
      }
    self.host = host ?? standard
  }

  public var description: String { device.description }

  public func deliver(_ notice: AlarmNotice) async -> DeliveryOutcome {
    do throws(DeliveryFailure) {
      return try await push(
        Self.content(of: notice, isCritical: device.isCritical), key: notice.idempotencyKey,
        headers: [
          ("apns-push-type", "alert"), ("apns-priority", notice.isUrgent ? "10" : "5"),
          ("apns-collapse-id", notice.collapseKey),
        ])
    } catch { return error.outcome }
  }

  /// Wakes the app so that it removes the notification.
  public func withdraw(_ withdrawal: AlarmWithdrawal) async -> DeliveryOutcome? {
    let content = JSONValue.object([
      ("aps", .object([("content-available", .integer(1))])),
      ("withdrawn", .object(NoticeJSON.members(of: withdrawal))),
    ])
    do throws(DeliveryFailure) {
      return try await push(
        Array(content.text.utf8), key: withdrawal.idempotencyKey,
        headers: [
          ("apns-push-type", "background"), ("apns-priority", "5"),
          ("apns-collapse-id", withdrawal.collapseKey),
        ])
    } catch { return error.outcome }
  }

  private func push(
    _ body: [UInt8], key: String, headers: [(String, String)]
  ) async throws(DeliveryFailure) -> DeliveryOutcome {
    let now = Instant.now
    let id = Self.identifier(for: key)
    let answer = try await http.send(
      .POST, "\(host)/3/device/\(device.token.revealed)",
      headers: headers + [
        ("authorization", "bearer \(tokens.token(now: now))"), ("apns-topic", topic),
        ("apns-id", id),
        ("apns-expiration", "\((now + Self.timeToLive).millisecondsSince1970 / 1000)"),
        ("content-type", "application/json"),
      ], body: body)
    if answer.status == 200 { return .delivered(receipt: (answer.header("apns-id") ?? id).excerpt(60)) }
    let reason = (try? JSONValue.parse(answer.body))?["reason"]?.string ?? ""
    return outcome(of: answer, reason: reason.excerpt(60), now: now)
  }

  /// Returns the outcome by the reasons in Apple's table "Values for the APNs reason key".
  private func outcome(of answer: DeliveryHTTP.Answer, reason: String, now: Instant) -> DeliveryOutcome {
    let failure = DeliveryFailure.status(answer.status, reason)
    switch reason {
    case "Unregistered", "ExpiredToken", "BadDeviceToken", "DeviceTokenNotForTopic":
      return .gone(reason: failure)
    case "ExpiredProviderToken":
      tokens.renew(now: now)
      return .retry(after: nil, reason: failure)
    // The present token may still be valid; the next one is made when it is due.
    case "TooManyProviderTokenUpdates": return .retry(after: .minutes(5), reason: failure)
    case "TooManyRequests": return .retry(after: answer.retryAfter(now: now) ?? .seconds(10), reason: failure)
    case "InternalServerError", "ServiceUnavailable", "Shutdown", "IdleTimeout":
      return .retry(after: answer.retryAfter(now: now), reason: failure)
    default:
      // 410 has its own meaning, 404 is a wrong path; other statuses are those of HTTP.
      if answer.status == 410 { return .gone(reason: failure) }
      if answer.status == 404 { return .refused(reason: failure) }
      return answer.outcome(receipt: "", now: now)
    }
  }

  /// Returns the same UUID for the same notice, so that an attempt can be repeated: the first 16 bytes of a
  /// digest, marked as version 8 (RFC 9562).
  package static func identifier(for key: String) -> String {
    var bytes = Array(SHA256.hash("apns \(key)".utf8).prefix(16))
    bytes[6] = bytes[6] & 0x0f | 0x80
    bytes[8] = bytes[8] & 0x3f | 0x80
    let digits = Array("0123456789ABCDEF")
    var text = ""
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text.append("-") }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return text
  }

  package static func content(of notice: AlarmNotice, isCritical: Bool) throws(DeliveryFailure) -> [UInt8] {
    let words = NoticeWords(notice)
    for limit in [Int.max, 1000, 200] {
      let bytes = Array(json(of: notice, words: words, isCritical: isCritical, limit: limit).text.utf8)
      if bytes.count <= maximumBody { return bytes }
    }
    let size = json(of: notice, words: words, isCritical: isCritical, limit: 200).text.utf8.count
    throw .tooLarge(given: size, allowed: maximumBody)
  }

  private static func json(of notice: AlarmNotice, words: NoticeWords, isCritical: Bool, limit: Int)
    -> JSONValue
  {
    let sound = notice.sound.map { "\($0.excerpt(60)).caf" } ?? "default"
    var aps: [(String, JSONValue)] = [
      (
        "alert",
        .object([("title", .string(words.title.cut(limit))), ("body", .string(words.body.cut(limit)))])
      ),
      ("thread-id", .string(notice.collapseKey)),
      ("category", .string(notice.kind.isAlarm ? "ALARM" : "NOTICE")),
      ("mutable-content", .integer(1)),
    ]
    if notice.isUrgent {
      let isCritical = isCritical && notice.priority >= 0
      aps.append(("interruption-level", .string(isCritical ? "critical" : "time-sensitive")))
      let critical = JSONValue.object([
        ("critical", .integer(1)), ("name", .string(sound)), ("volume", .number(1)),
      ])
      aps.append(("sound", isCritical ? critical : .string(sound)))
      aps.append(("relevance-score", .number(1)))
    } else {
      aps.append(("interruption-level", .string("active")))
      if notice.isHeard { aps.append(("sound", .string(sound))) }
    }
    var data = NoticeJSON.members(of: notice)
    if limit < Int.max {
      data.removeAll { ["messages", "zone", "device", "sound", "links", "title", "text"].contains($0.0) }
    }
    return .object([("aps", .object(aps)), ("alarm", .object(data))])
  }
}
