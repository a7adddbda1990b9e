import AlarmEngine
import AlarmService
import Formats
import Geometry

/// The explanation of a decision in the API's format.
enum ExplanationJSON {
  /// - Parameter stood: whether the zone existed at that time.
  static func json(
    _ explanation: Explanation?, zone: Zone, stood: Bool, putAside: PutAside? = nil
  ) -> JSONValue {
    var evidence: Evidence?
    if case .fix(let found)? = explanation?.basis { evidence = found }
    var sentence =
      stood ? "nothing was known by then, no fix had come" : "the zone did not watch over the device then"
    var plain = explanation.map { $0.sentence(about: zone.name.isEmpty ? "the zone" : zone.name.string) }
    if let explanation {
      sentence = words(explanation.verdict)
      if case .offDuty(let reason, _) = explanation.basis { sentence += ": \(words(reason))" }
    }
    if let putAside {
      var words =
        "The last position was put aside: no phone gets there at the maximum speed. The next one decides."
      if putAside.isInZone { words += " It lies in the zone: perhaps the phone is there." }
      plain = (plain.map { $0 + " " } ?? "") + words
      sentence += ". \(words)"
    }
    let measuredAt: JSONValue = putAside?.fix.measuredAt.json ?? .null
    let isInZone: JSONValue = putAside.map { .bool($0.isInZone) } ?? .null
    func metres(_ value: Double?) -> JSONValue { value.flatMap { $0.isFinite ? .number($0) : nil } ?? .null }
    return .object([
      ("zone_id", .string(zone.id.description)), ("zone", .string(zone.name.string)),
      ("verdict", explanation.map { .string($0.verdict.word.string) } ?? .null),
      ("sentence", plain.map { .string($0) } ?? .null), ("words", .string(sentence)),
      ("rings", .bool(explanation?.verdict.rings ?? false)),
      ("decided_at", explanation?.decidedAt.json ?? .null),
      ("measured_at", evidence?.measuredAt.json ?? .null),
      ("latitude", evidence.map { .number($0.position.latitude.degrees) } ?? .null),
      ("longitude", evidence.map { .number($0.position.longitude.degrees) } ?? .null),
      ("accuracy_m", metres(evidence?.accuracy.metres)), ("error_m", metres(evidence?.error.metres)),
      ("distance_m", metres(explanation?.distance?.metres)), ("level_m", metres(evidence?.level.metres)),
      ("altitude_m", metres(evidence?.vertical?.height.metres)),
      ("altitude_error_m", metres(evidence?.vertical?.error.metres)),
      ("floor_m", metres(evidence?.vertical?.band.floor?.metres)),
      ("ceiling_m", metres(evidence?.vertical?.band.ceiling?.metres)),
      ("closest_m", metres(evidence?.way?.closest.metres)),
      ("put_aside_at", measuredAt), ("put_aside_in_zone", isInZone),
    ])
  }
}
