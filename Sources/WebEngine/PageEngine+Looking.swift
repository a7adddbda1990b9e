import AlarmEngine
import Geometry

extension PageEngine {
  private enum Order {
    case distance, category, priority, name
  }

  /// All zones as rows. Those on duty come first, then those asleep, then those that are off, unless the order is by
  /// category, where the categories come in the order of their names; within that by the order asked for.
  func list(_ fields: Fields) throws(Refusal) -> PageValue {
    let now = try fields.now()
    let order: Order
    switch try fields.asked(text: "order") {
    case let word where word == "category": order = .category
    case let word where word == "priority": order = .priority
    case let word where word == "name": order = .name
    case let word where word == nil || word == "distance": order = .distance
    default: throw .field(.init("order", .unknownWord))
    }
    let timeline = try opened()
    let surroundings = timeline.surroundings(at: now)
    let place = timeline.position?.position
    let zones = timeline.zones
    var distances: [Double] = []
    if order == .distance, let place {
      distances = surroundings.indices.map { surroundings.nearby($0, from: place).toEdge }
    }
    var positions = Array(surroundings.indices)
    // The order of urgency is the timeline's own, and breaks all ties.
    positions.sort { a, b in
      switch order {
      case .category where zones[a].category != zones[b].category:
        return zones[a].category < zones[b].category
      case .name where zones[a].name != zones[b].name: return zones[a].name < zones[b].name
      case .distance where !distances.isEmpty && distances[a] != distances[b]:
        return distances[a] < distances[b]
      case .category, .name, .distance, .priority: return a < b
      }
    }
    var rows = positions.map { row(of: $0, from: place, surroundings) }
    for (zone, error) in timeline.refusedZones {
      rows.append(
        .map([
          .init("id", .text(Text(zone.description))), .init("state", .text("refused")),
          .init("why", .text(error.word)),
        ]))
    }
    return .map([.init("rows", .list(rows))])
  }

  /// Every zone as seen from a place, nearest alert line first.
  func locate(_ fields: Fields) throws(Refusal) -> PageValue {
    let place = try fields.place("place")
    let now = try fields.now()
    let surroundings = try opened().surroundings(at: now)
    let near = surroundings.nearest(surroundings.count, to: place)
    return .map([.init("rows", .list(near.map { row(of: $0.zone, from: place, surroundings) }))])
  }

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
    if let distance = explanation.distance { entries.append(.init("distance_m", .number(distance.metres))) }
    if case .fix(let evidence) = explanation.basis {
      entries += [
        .init("place", EventForm.place(evidence.position)), .init("accuracy_m", .number(evidence.accuracy)),
        .init("error_m", .number(evidence.error)), .init("level_m", .number(evidence.level)),
      ]
      if let way = evidence.way {
        entries += [
          .init("closest_m", .number(way.closest)),
          .init("closest_ms", .integer(way.closestAt.millisecondsSince1970)),
        ]
      }
    }
    return .map(entries)
  }
}

extension Verdict {
  var word: Text {
    switch self {
    case .positionInside: "position_inside"
    case .probablyInside: "probably_inside"
    case .insideNotExcluded: "inside_not_excluded"
    case .certainlyInside: "certainly_inside"
    case .twoFixesAgree: "two_fixes_agree"
    case .passedThrough: "passed_through"
    case .dwelledLongEnough: "dwelled_long_enough"
    case .wentOut: "went_out"
    case .stillPossible: "still_possible"
    case .rangAnew: "rang_anew"
    case .outside: "outside"
    case .beside: "beside"
    case .waitsForBetterFix: "waits_for_better_fix"
    case .waitsForSecondFix: "waits_for_second_fix"
    case .unlikely: "unlikely"
    case .grazedOnTheWay: "grazed_on_the_way"
    case .gapTooLong: "gap_too_long"
    case .dwelling: "dwelling"
    case .waitsForLeaving: "waits_for_leaving"
    case .leavingNotSure: "leaving_not_sure"
    case .ringing: "ringing"
    case .asleep: "asleep"
    case .acknowledged: "acknowledged"
    case .cleared: "cleared"
    case .offDuty: "off_duty"
    }
  }
}
