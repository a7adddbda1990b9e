import Delivery
import Formats
import Store

/// The outcome of an attempt for which a client waits.
extension DeliveryOutcome {
  static let schema = Schema.object([
    .needed("outcome", .words(["delivered", "failed", "gone", "refused"]), ""),
    .needed("detail", .text(0...2000), "The receiver's answer, or the reason for the failure."),
  ])

  /// - Parameter kind: the kind of the channel that was tried.
  func json(of kind: ChannelKind, _ policy: TargetPolicy) -> JSONValue {
    let word: String
    var detail = failure?.told(of: kind, policy) ?? ""
    switch self {
    case .delivered(let receipt): (word, detail) = ("delivered", receipt)
    case .retry: word = "failed"
    case .gone: word = "gone"
    // A private address is refused permanently, one that does not answer is not: the word must not reveal the
    // difference.
    case .refused(let reason): word = reason.isHidden(of: kind, policy) ? "failed" : "refused"
    }
    return .object([("outcome", .string(word)), ("detail", .string(detail.excerpt(1000)))])
  }
}
