import Formats

/// What came of an attempt that somebody waits for.
extension DeliveryOutcome {
  static let schema = Schema.object([
    .needed("outcome", .words(["delivered", "failed", "gone", "refused"]), ""),
    .needed("detail", .text(0...2000), "What the other side said."),
  ])

  var json: JSONValue {
    let (word, detail): (String, String) =
      switch self {
      case .delivered(let receipt): ("delivered", receipt)
      case .retry(_, let reason): ("failed", reason.description)
      case .gone(let reason): ("gone", reason.description)
      case .refused(let reason): ("refused", reason.description)
      }
    return .object([("outcome", .string(word)), ("detail", .string(detail.excerpt(1000)))])
  }
}
