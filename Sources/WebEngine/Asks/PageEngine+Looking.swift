import AlarmEngine
import Geometry

extension PageEngine {
  /// How a zone was judged in a stretch of time, in order, at most the last 1,000 evaluations.
  func explain(_ fields: Fields) throws(Refusal) -> PageValue {
    let zone = ZoneID(rawValue: try fields.identifier("zone"))
    let from = try fields.instant("from_ms")
    let to = try fields.instant("to_ms")
    guard from <= to else { throw .field(.init("to_ms", .outOfRange)) }
    let records = try timeline(asked: fields).explanations(of: zone, in: from...to)
    return .map([.init("records", .list(records.suffix(1000).map { Self.form(of: $0) }))])
  }

  static func form(of explanation: Explanation) -> PageValue {
    var entries: [PageValue.Entry] = [
      .init("decided_ms", .integer(explanation.decidedAt.millisecondsSince1970)),
      .init("verdict", .text(explanation.verdict.word)), .init("rings", .bool(explanation.verdict.rings)),
      .init("agrees", .bool(explanation.replayed() == explanation.verdict)),
    ]
    if let distance = explanation.distance { entries.add("distance_m", .number(distance.metres)) }
    if case .fix(let evidence) = explanation.basis {
      entries += [
        .init("place", EventForm.place(evidence.position)),
        .init("accuracy_m", .number(evidence.accuracy.metres)),
        .init("error_m", .number(evidence.error.metres)), .init("level_m", .number(evidence.level.metres)),
      ]
      if let vertical = evidence.vertical { entries += form(of: vertical) }
      if let way = evidence.way {
        entries += [
          .init("closest_m", .number(way.closest.metres)),
          .init("closest_ms", .integer(way.closestAt.millisecondsSince1970)),
        ]
      }
    }
    return .map(entries)
  }

  private static func form(of vertical: Evidence.Vertical) -> [PageValue.Entry] {
    var entries: [PageValue.Entry] = [
      .init("altitude_m", .number(vertical.height.metres)),
      .init("altitude_error_m", .number(vertical.error.metres)),
    ]
    if let floor = vertical.band.floor { entries.add(ZoneMember.floor.word, .number(floor.metres)) }
    if let ceiling = vertical.band.ceiling { entries.add(ZoneMember.ceiling.word, .number(ceiling.metres)) }
    return entries
  }
}
