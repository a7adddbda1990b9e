import AlarmEngine
import Geometry

/// The rule that decided, as a sentence.
func words(_ verdict: Verdict) -> String {
  switch verdict {
  case .positionInside: "rings: the position is inside and the fix is fine enough"
  case .probablyInside: "rings: the fix is coarse, but inside with a probability of 95 % or more"
  case .insideNotExcluded: "rings: a safety zone, and the fix's error reaches into it"
  case .certainlyInside: "rings: the whole disc of the fix's error lies inside"
  case .twoFixesAgree: "rings: a second fix in a row puts the phone inside"
  case .passedThrough: "rings: the straight way from the former fix led through the zone"
  case .dwelledLongEnough: "rings: stayed inside for as long as the zone asks"
  case .wentOut: "rings: outside after having been inside"
  case .stillPossible: "rings: no better fix came in time, and being inside has a probability of 5 % or more"
  case .rangAnew: "rings anew: triggered again after its sleep"
  case .outside: "silent: the whole disc of the fix's error lies outside"
  case .beside: "silent: the position is outside, and the fix is fine enough to say so"
  case .waitsForBetterFix: "waits: the fix is coarse, a better one is asked for"
  case .waitsForSecondFix: "waits: one fix puts the phone inside, another has to agree"
  case .unlikely: "silent: no better fix came in time, and being inside has a probability under 5 %"
  case .grazedOnTheWay: "silent: the straight way touched the zone, but with less room than the fixes' errors"
  case .gapTooLong:
    "silent: the straight way led through the zone, but the fixes are too far apart in time to say so"
  case .dwelling: "waits: inside, not yet for as long as the zone asks"
  case .waitsForLeaving: "waits: inside a zone that rings on leaving"
  case .leavingNotSure: "waits: beyond the edge, not yet surely or not yet for long enough"
  case .ringing: "rings already"
  case .asleep: "silent: the alarm sleeps"
  case .acknowledged: "silent: the alarm was acknowledged"
  case .cleared: "cleared: left, or come back after a leave alarm"
  case .offDuty: "silent: not on duty"
  }
}

/// Why a zone was not watched.
func words(_ offDuty: OffDuty) -> String {
  switch offDuty {
  case .disarmed: "the device's alarms are switched off"
  case .inactive: "the zone is switched off"
  case .scheduleClosed: "outside the zone's hours"
  }
}

/// What an alarm was doing before an evaluation.
func words(_ state: AlarmState) -> String {
  switch state {
  case .idle: "at rest"
  case .confirming: "waiting for a better fix"
  case .dwelling(let since): "counting a stay since \(rfc3339(since))"
  case .present: "inside, waiting for leaving"
  case .ringing(_, let cause): "ringing (\(words(cause)))"
  case .asleep(_, let until): "asleep until \(rfc3339(until))"
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

func words(_ assurance: Assurance) -> String {
  switch assurance {
  case .safety: "safety"
  case .normal: "normal"
  case .relaxed: "relaxed"
  }
}

func words(_ trigger: Trigger) -> String {
  switch trigger {
  case .enter(passingCounts: true): "enter or pass through"
  case .enter(passingCounts: false): "enter"
  case .leave: "leave"
  case .dwell(let length): "stay for \(spanWords(length))"
  }
}

/// The verdict as programs read it.
func contractWord(_ verdict: Verdict) -> String {
  switch verdict {
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

/// One evaluation of one zone, told.
struct ExplanationAnswer {
  let explanation: Explanation
  let zoneName: Text

  /// Whether the record, judged again, comes to the same verdict.
  var agrees: Bool { explanation.replayed() == explanation.verdict }

  var lines: [String] {
    var table = TextTable(widest: 24)
    table.add(["zone", displayName(zoneName)])
    table.add(["judged at", rfc3339(explanation.decidedAt)])
    switch explanation.basis {
    case .fix(let evidence): Self.add(evidence, to: &table)
    case .time: table.add(["because of", "a waiting time that ended"])
    case .offDuty(let reason, let distance):
      table.add(["because of", "a fix, \(distanceWords(distance))"])
      table.add(["not watched", words(reason)])
    }
    table.add(["alarm before", words(explanation.before.state)])
    let rules = explanation.rules
    table.add(["zone's rules", "\(words(rules.trigger)), assurance \(words(rules.assurance))"])
    table.add(["verdict", words(explanation.verdict)])
    let replayed = explanation.replayed()
    table.add(["re-run", agrees ? "same verdict" : "DIFFERENT: \(replayed.map { words($0) } ?? "none")"])
    return table.lines
  }

  private static func add(_ evidence: Evidence, to table: inout TextTable) {
    let latitude = fixedPoint(evidence.position.latitude.degrees, decimals: 6)
    let longitude = fixedPoint(evidence.position.longitude.degrees, decimals: 6)
    table.add(["fix", "\(latitude),\(longitude) measured at \(rfc3339(evidence.measuredAt))"])
    let accuracy =
      evidence.accuracy > 0
      ? "\(metres(evidence.accuracy)) (error counted as \(metres(evidence.error)))" : "taken as exact"
    table.add(["accuracy", accuracy])
    table.add(["distance", "\(metres(evidence.distance)) to the effective edge, negative inside"])
    table.add(["rings at", metres(evidence.level)])
    table.add(["margin", margin(of: evidence)])
    if let way = evidence.way {
      table.add([
        "way from", "\(metres(way.fromDistance)) at \(rfc3339(way.from))",
      ])
      table.add(["closest on the way", "\(metres(way.closest)) at \(rfc3339(way.closestAt))"])
      if let entered = way.enteredAt { table.add(["entered", rfc3339(entered)]) }
      if let left = way.leftAt { table.add(["left", rfc3339(left)]) }
    }
  }

  /// How much was missing for a ring, or to spare.
  private static func margin(of evidence: Evidence) -> String {
    let missing = evidence.distance - evidence.level
    let side =
      missing > 0
      ? "\(metres(missing)) beyond the level that rings" : "\(metres(-missing)) within the level that rings"
    return "\(side): \(words(evidence.sighting)) with its error"
  }

  private static func metres(_ value: Double) -> String {
    value.isFinite ? "\(fixedPoint(value, decimals: 2)) m" : "unknown"
  }

  /// Keys: zone, zone_id, decided_at, verdict, rings, replayed_verdict, measured_at, latitude, longitude,
  /// accuracy_m, error_m, distance_m, level_m, sighting, closest_m, closest_at, entered_at, left_at, off_duty.
  var jsonLine: JSONLine {
    var line = JSONLine()
    line.add("zone", .string(zoneName.string))
    line.add("zone_id", .string(explanation.zone.description))
    line.add("decided_at", .string(rfc3339(explanation.decidedAt)))
    line.add("verdict", .string(contractWord(explanation.verdict)))
    line.add("rings", .bool(explanation.verdict.rings))
    line.add("replayed_verdict", explanation.replayed().map { .string(contractWord($0)) } ?? .null)
    var evidence: Evidence?
    if case .fix(let found) = explanation.basis { evidence = found }
    line.add("measured_at", evidence.map { .string(rfc3339($0.measuredAt)) } ?? .null)
    line.add("latitude", evidence.map { .number($0.position.latitude.degrees) } ?? .null)
    line.add("longitude", evidence.map { .number($0.position.longitude.degrees) } ?? .null)
    line.add("accuracy_m", evidence.map { .metres($0.accuracy) } ?? .null)
    line.add("error_m", evidence.map { .metres($0.error) } ?? .null)
    line.add("distance_m", explanation.distance.map { .metres($0.metres) } ?? .null)
    line.add("level_m", evidence.map { .metres($0.level) } ?? .null)
    line.add("sighting", evidence.map { .string(words($0.sighting)) } ?? .null)
    line.add("closest_m", evidence?.way.map { .metres($0.closest) } ?? .null)
    line.add("closest_at", evidence?.way.map { .string(rfc3339($0.closestAt)) } ?? .null)
    line.add("entered_at", evidence?.way?.enteredAt.map { .string(rfc3339($0)) } ?? .null)
    line.add("left_at", evidence?.way?.leftAt.map { .string(rfc3339($0)) } ?? .null)
    var reason: OffDuty?
    if case .offDuty(let found, _) = explanation.basis { reason = found }
    line.add("off_duty", reason.map { .string(contractWord($0)) } ?? .null)
    return line
  }
}

func contractWord(_ offDuty: OffDuty) -> String {
  switch offDuty {
  case .disarmed: "disarmed"
  case .inactive: "inactive"
  case .scheduleClosed: "schedule_closed"
  }
}
