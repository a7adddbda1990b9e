import AlarmEngine

/// One way to a person. Each attempt ends in bounded time, and a channel keeps nothing between attempts that a new
/// one would miss.
///
/// A notice arrives at least once: the same one may be handed over again after a crash, under the same keys.
public protocol DeliveryChannel: Sendable {
  /// For records and logs: which channel, without any secret.
  var description: String { get }
  /// One attempt. Never throws: what went wrong is an outcome with a name.
  func deliver(_ notice: AlarmNotice) async -> DeliveryOutcome
  /// Takes back what was shown of an alarm.
  /// - Returns: nil where this kind of channel cannot.
  func withdraw(_ withdrawal: AlarmWithdrawal) async -> DeliveryOutcome?
}

extension DeliveryChannel {
  public func withdraw(_ withdrawal: AlarmWithdrawal) async -> DeliveryOutcome? { nil }
}

/// How one attempt ended.
public enum DeliveryOutcome: Hashable, Sendable {
  /// Taken over by the other side; the receipt is its own name for it, empty where it gave none.
  case delivered(receipt: String)
  /// Failed for now. `after`: what the other side asked for at least; nil leaves it to `RetrySchedule`.
  case retry(after: TimeSpan?, reason: DeliveryFailure)
  /// The address is no more (unsubscribed, removed): the channel is to be removed and its owner told.
  case gone(reason: DeliveryFailure)
  /// Will fail again the same way: not to be tried again.
  case refused(reason: DeliveryFailure)

  public var isDelivered: Bool { if case .delivered = self { true } else { false } }
}

/// Why an attempt failed.
public enum DeliveryFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// No connection: refused, unreachable, no such host.
  case unreachable(String)
  case timedOut(during: String)
  /// The other side closed in the middle.
  case connectionLost
  /// TLS could not be agreed or the certificate is not trusted.
  case insecure(String)
  /// The address is not one we send to.
  case target(TargetRefusal)
  /// HTTP status and the beginning of what was said.
  case status(Int, String)
  /// SMTP reply code and text.
  case reply(Int, String)
  /// What came back was not of the protocol.
  case garbled(String)
  /// More to say than the channel carries.
  case tooLarge(given: Int, allowed: Int)
  /// Nothing can be made of this notice on this channel.
  case unsuitable(String)
  /// Nobody who reads the mail address has agreed to be written to.
  case unconfirmed
  /// More was sent than is allowed; in words how much that is.
  case limited(String)
  /// The channel's keys or settings do not work.
  case misconfigured(String)
  /// We are stopping.
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
