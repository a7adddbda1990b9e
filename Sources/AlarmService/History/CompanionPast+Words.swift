import AlarmEngine
import Formats
import Geometry
import Store

extension CompanionPast.Answer {
  /// Returns the decision and its reason as a sentence for users.
  package func sentence(about companion: Companion) -> String {
    if !isWatching { return "The alarm did not watch then." }
    if let unknown {
      let whose = unknown.isOwn ? "Your phone" : companion.name
      return "It could not ring: \(whose) had not been heard of since \(RFC3339.string(from: unknown.since))."
    }
    return explanation?.sentence(about: companion.name, companion.rules.trigger)
      ?? "Nothing was judged by then: one of the two had not reported yet."
  }

  /// Returns the answer in the form of the API.
  package func json(of companion: Companion) -> JSONValue {
    let explanation = unknown == nil ? explanation : nil
    var evidence: Evidence?
    if case .fix(let found)? = explanation?.basis { evidence = found }
    func metres(_ value: Distance?) -> JSONValue {
      value.flatMap { $0.metres.isFinite ? .number($0.metres) : nil } ?? .null
    }
    func time(_ value: Instant?) -> JSONValue { value.map { .string(RFC3339.string(from: $0)) } ?? .null }
    return .object([
      ("companion_id", .string(companion.id.description)), ("name", .string(companion.name)),
      ("is_watching", .bool(isWatching)),
      ("verdict", explanation.map { .string($0.verdict.word.string) } ?? .null),
      ("sentence", .string(sentence(about: companion))),
      ("words", .string(explanation.map { words($0.verdict) } ?? "")),
      ("rings", .bool(explanation?.verdict.rings ?? false)),
      ("decided_at", time(explanation?.decidedAt)), ("measured_at", time(evidence?.measuredAt)),
      ("distance_m", metres(evidence?.distance)), ("error_m", metres(evidence?.error)),
      ("level_m", metres(evidence?.level)), ("closest_m", metres(evidence?.way?.closest)),
      ("unknown", unknown.map { .string($0.isOwn ? "own" : "other") } ?? .null),
      ("unknown_since", time(unknown?.since)),
    ])
  }

  /// Returns lines for people: the sentence, then the numbers that decided.
  package func lines(of companion: Companion) -> [String] {
    var lines = [sentence(about: companion)]
    guard unknown == nil, let explanation else { return lines }
    lines.append(
      "rule: \(words(explanation.verdict)), decided \(RFC3339.string(from: explanation.decidedAt))")
    guard case .fix(let evidence) = explanation.basis else { return lines }
    let metres = { (distance: Distance) in "\(Int(distance.metres.rounded())) m" }
    lines.append(
      "distance \(metres(evidence.distance)), error \(metres(evidence.error)), rings at \(metres(evidence.level))"
    )
    if let way = evidence.way { lines.append("nearest on the way \(metres(way.closest))") }
    return lines
  }
}
