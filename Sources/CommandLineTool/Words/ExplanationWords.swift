import AlarmEngine
import CommandLineSupport
import Formats
import Geometry

/// The state of an alarm before an evaluation.
func words(_ state: AlarmState) -> String {
  switch state {
  case .idle: "at rest"
  case .confirming: "waiting for a better fix"
  case .dwelling(let since): "counting the time since \(timeWords(since))"
  case .present: "inside, waiting for an exit"
  case .ringing(_, let cause): "ringing (\(words(cause)))"
  case .asleep(_, let until): "asleep until \(timeWords(until))"
  case .acknowledged: "acknowledged"
  }
}

func words(_ sighting: Sighting) -> String {
  switch sighting {
  case .inside: "inside"
  case .outside: "outside"
  case .unsure: "unsure"
  }
}

func words(_ trigger: Trigger) -> String {
  switch trigger {
  case .enter(passingCounts: true): "enter or pass through"
  case .enter(passingCounts: false): "enter"
  case .leave(after: .zero): "leave"
  case .leave(let time): "stay outside for \(spanWords(time))"
  case .enterAndLeave(let passingCounts, let time):
    "\(words(.enter(passingCounts: passingCounts))), and \(words(.leave(after: time)))"
  case .dwell(let length): "stay for \(spanWords(length))"
  }
}

/// The explanation of one evaluation of one zone.
struct ExplanationAnswer {
  let explanation: Explanation
  let zoneName: Text

  /// True if evaluating the record again gives the same verdict.
  var agrees: Bool { explanation.replayed() == explanation.verdict }

  var lines: [String] {
    var table = TextTable(widest: 24)
    table.add(["zone", displayName(zoneName)])
    table.add(["judged at", timeWords(explanation.decidedAt)])
    switch explanation.basis {
    case .fix(let evidence): Self.add(evidence, to: &table)
    case .time: table.add(["because of", "a timer that expired"])
    case .offDuty(let reason, let distance):
      table.add(["because of", "a fix, \(distanceWords(distance))"])
      table.add(["not watched", words(reason)])
    case .clockJumped(let span):
      table.add(["because of", "the clock, set by \(fixedPoint(span.seconds, decimals: 3)) s"])
    }
    table.add(["alarm before", words(explanation.before.state)])
    let rules = explanation.rules
    table.add(["zone's rules", "\(words(rules.trigger)), assurance \(rules.assurance.word)"])
    table.add(["verdict", words(explanation.verdict)])
    let replayed = explanation.replayed()
    table.add(["re-run", agrees ? "same verdict" : "DIFFERENT: \(replayed.map { words($0) } ?? "none")"])
    return table.lines
  }

  private static func add(_ evidence: Evidence, to table: inout TextTable) {
    let latitude = fixedPoint(evidence.position.latitude.degrees, decimals: 6)
    let longitude = fixedPoint(evidence.position.longitude.degrees, decimals: 6)
    table.add(["fix", "\(latitude),\(longitude) measured at \(timeWords(evidence.measuredAt))"])
    let accuracy =
      evidence.accuracy > .zero
      ? "\(metres(evidence.accuracy)) (error counted as \(metres(evidence.error)))" : "assumed exact"
    table.add(["accuracy", accuracy])
    table.add(["distance", "\(metres(evidence.distance)) to the effective edge, negative inside"])
    table.add(["rings at", metres(evidence.level)])
    table.add(["margin", margin(of: evidence)])
    if let vertical = evidence.vertical { table.add(["height", heightWords(of: vertical)]) }
    if let way = evidence.way {
      table.add([
        "way from", "\(metres(way.fromDistance)) at \(timeWords(way.from))",
      ])
      table.add(["closest on the way", "\(metres(way.closest)) at \(timeWords(way.closestAt))"])
      if let entered = way.enteredAt { table.add(["entered", timeWords(entered)]) }
      if let left = way.leftAt { table.add(["left", timeWords(left)]) }
    }
  }

  /// The distance by which a ring was missed, or reached.
  private static func margin(of evidence: Evidence) -> String {
    let missing = evidence.distance - evidence.level
    let side =
      missing > .zero
      ? "\(metres(missing)) beyond the level that rings" : "\(metres(-missing)) within the level that rings"
    return "\(side): \(words(evidence.sighting)) with its error"
  }

  /// "2300.00 m, certain to ±30.00 m; the zone ends at 1500.00 m: surely above".
  private static func heightWords(of vertical: Evidence.Vertical) -> String {
    let limits = [
      vertical.band.floor.map { "begins at \(metres($0))" },
      vertical.band.ceiling.map { "ends at \(metres($0))" },
    ]
    let side =
      switch vertical.side {
      case .above: "surely above"
      case .below: "surely below"
      case .within: "possibly at its height"
      }
    return "\(metres(vertical.height)), certain to ±\(metres(vertical.error)); the zone "
      + "\(limits.compactMap { $0 }.joined(separator: " and ")): \(side)"
  }

  private static func metres(_ distance: Distance) -> String {
    "\(fixedPoint(distance.metres, decimals: 2)) m"
  }

  /// Keys: zone, zone_id, decided_at, verdict, rings, replayed_verdict, measured_at, latitude, longitude,
  /// accuracy_m, error_m, distance_m, level_m, sighting, closest_m, closest_at, entered_at, left_at, off_duty,
  /// altitude_m, altitude_error_m, floor_m, ceiling_m.
  var jsonLine: JSONLine {
    var line = JSONLine()
    line.add("zone", .string(zoneName.string))
    line.add("zone_id", .string(explanation.zone.description))
    line.add("decided_at", .string(rfc3339(explanation.decidedAt)))
    line.add("verdict", .string(explanation.verdict.word.string))
    line.add("rings", .bool(explanation.verdict.rings))
    line.add("replayed_verdict", explanation.replayed().map { .string($0.word.string) } ?? .null)
    var evidence: Evidence?
    if case .fix(let found) = explanation.basis { evidence = found }
    line.add("measured_at", evidence.map { .string(rfc3339($0.measuredAt)) } ?? .null)
    line.add("latitude", evidence.map { .number($0.position.latitude.degrees) } ?? .null)
    line.add("longitude", evidence.map { .number($0.position.longitude.degrees) } ?? .null)
    line.add("accuracy_m", evidence.map { .metres($0.accuracy.metres) } ?? .null)
    line.add("error_m", evidence.map { .metres($0.error.metres) } ?? .null)
    line.add("distance_m", explanation.distance.map { .metres($0.metres) } ?? .null)
    line.add("level_m", evidence.map { .metres($0.level.metres) } ?? .null)
    line.add("sighting", evidence.map { .string(words($0.sighting)) } ?? .null)
    line.add("closest_m", evidence?.way.map { .metres($0.closest.metres) } ?? .null)
    line.add("closest_at", evidence?.way.map { .string(rfc3339($0.closestAt)) } ?? .null)
    line.add("entered_at", evidence?.way?.enteredAt.map { .string(rfc3339($0)) } ?? .null)
    line.add("left_at", evidence?.way?.leftAt.map { .string(rfc3339($0)) } ?? .null)
    var reason: OffDuty?
    if case .offDuty(let found, _) = explanation.basis { reason = found }
    line.add("off_duty", reason.map { .string($0.word.string) } ?? .null)
    let vertical = evidence?.vertical
    line.add("altitude_m", vertical.map { .metres($0.height.metres) } ?? .null)
    line.add("altitude_error_m", vertical.map { .metres($0.error.metres) } ?? .null)
    line.add("floor_m", vertical?.band.floor.map { .metres($0.metres) } ?? .null)
    line.add("ceiling_m", vertical?.band.ceiling.map { .metres($0.metres) } ?? .null)
    return line
  }
}
