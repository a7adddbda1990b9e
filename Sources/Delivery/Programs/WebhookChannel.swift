import AlarmEngine
import Cryptography
import Formats
import NIOHTTP1

/// Posts alarms as JSON to a person's own URL.
///
///     POST /their/path
///     Content-Type: application/json
///     Idempotency-Key: 00f1…-0             the same for every attempt
///     Proximity-Timestamp: 1790000000      seconds since 1970, when this attempt was made
///     Proximity-Signature: v1=<hex>        HMAC-SHA-256 under the shared secret of "<timestamp>.<body>"
///
/// A receiver computes the signature of the raw body, compares it in constant time and refuses timestamps
/// more than five minutes away, so that nothing can be forged or replayed (docs/webhooks.md has it in a few
/// lines). Any 2xx counts as received.
public struct WebhookChannel: DeliveryChannel {
  package let target: WebhookTarget
  package let http: DeliveryHTTP

  public init(target: WebhookTarget, http: DeliveryHTTP) {
    self.target = target
    self.http = http
  }

  public var description: String { target.description }

  public func deliver(_ notice: AlarmNotice) async -> DeliveryOutcome {
    await post(NoticeJSON.members(of: notice), key: notice.idempotencyKey)
  }

  public func withdraw(_ withdrawal: AlarmWithdrawal) async -> DeliveryOutcome? {
    await post(NoticeJSON.members(of: withdrawal), key: withdrawal.idempotencyKey)
  }

  private func post(_ members: [(String, JSONValue)], key: String) async -> DeliveryOutcome {
    let body = Array(JSONValue.object(members).text.utf8)
    let now = Instant.now
    let timestamp = now.millisecondsSince1970 / 1000
    do throws(DeliveryFailure) {
      let answer = try await http.send(
        .POST, target.url.text,
        headers: [
          ("Content-Type", "application/json"), ("Idempotency-Key", key),
          ("Proximity-Timestamp", "\(timestamp)"),
          ("Proximity-Signature", Self.signature(of: body, timestamp: timestamp, secret: target.secret)),
        ], body: body)
      // The page may be missing during a deployment, so a 404 does not count as gone.
      if answer.status == 404 { return .retry(after: nil, reason: .status(404, answer.text)) }
      return answer.outcome(receipt: "", now: now)
    } catch { return error.outcome }
  }

  static func signature(of body: [UInt8], timestamp: Int64, secret: Secret) -> String {
    let code = HMAC.sha256(Array("\(timestamp).".utf8) + body, key: Array(secret.revealed.utf8))
    let digits = Array("0123456789abcdef")
    return "v1=" + String(code.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}
