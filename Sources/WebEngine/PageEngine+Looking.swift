import AlarmEngine
import Geometry

extension PageEngine {
  /// How a zone was judged in a stretch of time, in order, at most the last 1,000 evaluations.
  func explain(_ fields: Fields) throws(Refusal) -> PageValue {
    let zone = ZoneID(rawValue: try fields.identifier("zone"))
    let from = try fields.instant("from_ms")
    let to = try fields.instant("to_ms")
    guard from <= to else { throw .field(.init("to_ms", .outOfRange)) }
    let records = try opened().explanations(of: zone, in: from...to)
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

  /// What the engine would have made of a track: nothing of it touches the timeline that is open.
  func replay(_ fields: Fields) throws(Refusal) -> PageValue {
    let zones = try fields.zones("zones")
    let numbers = try fields.rows("rows")
    var settings = try fields.settings()
    // A track that states no accuracy is exact.
    settings.unstatedAccuracy = .zero
    var run = Timeline(device: DeviceID(rawValue: 0), settings: settings, zones: zones)
    var inputs: [Input] = []
    for start in stride(from: 0, to: numbers.count, by: FixRow.width) {
      if let fix = try? FixRow.fix(numbers[start..<(start + FixRow.width)]) { inputs.append(.fix(fix)) }
    }
    run.insert(inputs)
    let names = ZoneNames(run)
    return .map([
      .init("events", .list(run.events.map { EventForm.form(of: $0, names) })),
      .init("used", .integer(Int64(inputs.count))),
      .init("refused_rows", .integer(Int64(numbers.count / FixRow.width - inputs.count))),
    ])
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
