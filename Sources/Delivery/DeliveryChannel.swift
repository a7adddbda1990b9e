import AlarmEngine

/// A channel by which a person is notified. Each attempt ends in bounded time, and no state that is needed
/// later is kept between attempts.
///
/// A notice is delivered at least once: after a crash the same one may be delivered again, with the same
/// keys.
public protocol DeliveryChannel: Sendable {
  /// The channel's description for records and logs, without any secret.
  var description: String { get }
  /// Makes one attempt. It never throws: a failure is a named outcome.
  func deliver(_ notice: AlarmNotice) async -> DeliveryOutcome
  /// Withdraws the notices of an alarm.
  /// - Returns: nil if this kind of channel cannot.
  func withdraw(_ withdrawal: AlarmWithdrawal) async -> DeliveryOutcome?
}

extension DeliveryChannel {
  public func withdraw(_ withdrawal: AlarmWithdrawal) async -> DeliveryOutcome? { nil }
}

/// The outcome of one attempt.
public enum DeliveryOutcome: Hashable, Sendable {
  /// Accepted by the other side. The receipt is its own id of the message, empty if it gave none.
  case delivered(receipt: String)
  /// Failed for now. `after`: the least pause that the other side asked for; nil leaves it to
  /// `RetrySchedule`.
  case retry(after: TimeSpan?, reason: DeliveryFailure)
  /// The address no longer exists (unsubscribed, removed): remove the channel and inform its owner.
  case gone(reason: DeliveryFailure)
  /// Will fail again the same way. It is not tried again.
  case refused(reason: DeliveryFailure)

  public var isDelivered: Bool { if case .delivered = self { true } else { false } }
}

/// The reason why an attempt failed.
public enum DeliveryFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// No connection: refused, unreachable, no such host.
  case unreachable(String)
  case timedOut(during: String)
  /// The other side closed the connection during the exchange.
  case connectionLost
  /// No TLS connection could be agreed, or the certificate is not trusted.
  case insecure(String)
  /// The policy does not allow the address.
  case target(TargetRefusal)
  /// The HTTP status and the beginning of the answer.
  case status(Int, String)
  /// SMTP reply code and text.
  case reply(Int, String)
  /// The answer does not follow the protocol.
  case garbled(String)
  /// The message is larger than the channel allows.
  case tooLarge(given: Int, allowed: Int)
  /// The channel has no form for this notice.
  case unsuitable(String)
  /// The mail address has not been confirmed by its reader.
  case unconfirmed
  /// The limit of messages is exceeded; the text states the limit.
  case limited(String)
  /// The channel's keys or settings do not work.
  case misconfigured(String)
  /// The server is stopping.
  case cancelled

  public var description: String {
    switch self {
    case .unreachable(let what): "cannot be reached: \(what)"
    case .timedOut(let step): "no answer in time during \(step)"
    case .connectionLost: "the connection was lost"
    case .insecure(let what): "no secure connection: \(what)"
    case .target(let refusal): refusal.description
    case .status(let code, let text): text.isEmpty ? "HTTP \(code)" : "HTTP \(code): \(text)"
    case .reply(let code, let text): text.isEmpty ? "SMTP \(code)" : "SMTP \(code): \(text)"
    case .garbled(let what): "not understood: \(what)"
    case .tooLarge(let given, let allowed): "\(given) bytes; allowed: \(allowed)"
    case .unsuitable(let what), .limited(let what): what
    case .unconfirmed: "the address is not confirmed: the link in the mail that was sent there does that"
    case .misconfigured(let what): "wrongly set up: \(what)"
    case .cancelled: "stopped"
    }
  }
}
