import Store

/// What people are told of a failed attempt, who need not be the operator.
///
/// An address that a person typed is tried from inside the operator's network. Told apart, "refused", "no answer", "no
/// certificate" and "a private address" would make every channel a scanner of that network. So they all read the same,
/// and the operator's log keeps which it was. Where private targets are allowed there is nothing to hide.
extension DeliveryFailure {
  static let unreachableWords =
    "the address cannot be reached, or is not one that this server sends to; the operator's log says which"

  package func told(of kind: ChannelKind, _ policy: TargetPolicy) -> String {
    guard isHidden(of: kind, policy) else { return description }
    return Self.unreachableWords
  }

  /// Whether people are told less than the log.
  package func isHidden(of kind: ChannelKind, _ policy: TargetPolicy) -> Bool {
    guard !policy.allowsPrivateNetworks else { return false }
    switch kind {
    case .webPush, .ntfy, .webhook, .homeAssistant, .gotify, .telegram, .pushover, .matrix, .apprise,
      .gateway:
      break
    // These go to the operator's own servers, or nowhere.
    case .mail, .apns, .ownTracks, .mqtt: return false
    }
    return switch self {
    case .unreachable, .timedOut, .connectionLost, .insecure, .target, .garbled: true
    case .status, .reply, .tooLarge, .unsuitable, .unconfirmed, .limited, .misconfigured, .cancelled: false
    }
  }
}

extension DeliveryOutcome {
  /// Why it was not delivered; nil where it was.
  package var failure: DeliveryFailure? {
    switch self {
    case .delivered: nil
    case .retry(_, let reason), .gone(let reason), .refused(let reason): reason
    }
  }
}
