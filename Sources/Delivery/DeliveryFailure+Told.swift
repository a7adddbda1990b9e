import Store

/// The text about a failed attempt for people other than the operator.
///
/// An address that a person typed is tried from inside the operator's network. Distinct messages for
/// "refused", "no answer", "no certificate" and "a private address" would make every channel a scanner of
/// that network. They all have the same text, and only the operator's log has the reason. If private targets
/// are allowed, nothing is hidden.
extension DeliveryFailure {
  static let unreachableWords =
    "the address cannot be reached, or is not one that this server sends to; the operator's log says which"

  package func told(of kind: ChannelKind, _ policy: TargetPolicy) -> String {
    guard isHidden(of: kind, policy) else { return description }
    return Self.unreachableWords
  }

  /// True if the text for people has less detail than the log.
  package func isHidden(of kind: ChannelKind, _ policy: TargetPolicy) -> Bool {
    guard !policy.allowsPrivateNetworks, kind.traits.contains(.usesGivenAddress) else { return false }
    return switch self {
    case .unreachable, .timedOut, .connectionLost, .insecure, .target, .garbled: true
    case .status, .reply, .tooLarge, .unsuitable, .unconfirmed, .limited, .misconfigured, .cancelled: false
    }
  }
}

extension DeliveryOutcome {
  /// The reason why it was not delivered; nil if it was.
  package var failure: DeliveryFailure? {
    switch self {
    case .delivered: nil
    case .retry(_, let reason), .gone(let reason), .refused(let reason): reason
    }
  }
}
