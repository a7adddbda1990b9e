import Geometry

extension ZoneAlarm {
  /// An alarm that rings, sleeps or was acknowledged.
  struct Ringing: Hashable, Sendable {
    var alarm: AlarmID
    var cause: Cause
    var began: Instant
    /// The alarm ends beyond this distance.
    var clearLevel: Distance
    var sound: Sound
    var departure: Departure?
    /// The person closed the notification; repeats go on.
    var closed = false
    var distance: Distance
    var position: Coordinate

    /// True if the alarm says that the phone is at the zone.
    var isOfStay: Bool {
      switch cause {
      case .inside, .near, .dwell: true
      case .passed, .left, .possible: false
      }
    }

    /// True if the zone rang before a predicted entry, and the phone has not come to its alert line since.
    ///
    /// Until then `clearLevel` is beyond that line.
    func isPrediction(_ lead: TimeSpan?, _ alertDistance: Distance) -> Bool {
      lead != nil && clearLevel > alertDistance
    }

    /// Lets the line beyond which a prediction has failed follow the phone, until it comes to the alert line.
    mutating func follow(_ e: Evidence, _ rules: ZoneRules) {
      let line = e.isWithin(rules.alertDistance) ? rules.alertDistance : e.distance * 1.25
      clearLevel = max(rules.alertDistance, min(clearLevel, line))
    }

    /// The time at which a prediction has failed because the phone did not come; nil if the alarm is of none.
    func failsAt(_ lead: TimeSpan?, _ alertDistance: Distance) -> Instant? {
      guard let lead, isPrediction(lead, alertDistance) else { return nil }
      return began + max(lead * 2, Rule.leastPrediction)
    }

    /// The record of the alarm, for events.
    func report(of zone: ZoneID) -> AlarmReport {
      AlarmReport(alarm: alarm, zone: zone, cause: cause, distance: distance, position: position)
    }

    /// When the alarm repeats next; nil if it does not.
    var nextRepeat: Instant? {
      guard case .repeating(let next, let horizon) = sound, next <= horizon else { return nil }
      return next
    }

    mutating func repeated(cycle: TimeSpan) {
      guard case .repeating(let next, let horizon) = sound else { return }
      sound = .repeating(next: next + cycle, horizon: horizon)
    }
  }

  enum Sound: Hashable, Sendable {
    /// Repeats at the Alarm Cycle Time until the horizon.
    case repeating(next: Instant, horizon: Instant)
    /// Silent until a time or, if that is nil, until the phone leaves the zone.
    case quiet(until: Instant?)
  }
}

// MARK: Sound

extension ZoneAlarm {
  /// Rings again if the phone may still be at the zone and a sleep has ended.
  mutating func soundInside(
    _ ringing: Ringing, _ e: Evidence, _ rules: ZoneRules
  ) -> (verdict: Verdict, effect: Effect) {
    let triggering =
      !e.isOverOrUnder && e.distance - (rules.assurance == .safety ? e.error : .zero) <= e.level
    let sounding = soundAgain(ringing, e, rules, triggering: triggering)
    return sounding.verdict.rings || ringing.departure == nil ? sounding : (.leavingNotSure, .none)
  }

  /// Rings again at the next triggering fix after a sleep, or after an acknowledgement that has ended.
  mutating func soundAgain(
    _ ringing: Ringing, _ e: Evidence, _ rules: ZoneRules, triggering: Bool
  ) -> (verdict: Verdict, effect: Effect) {
    guard case .quiet(let until) = ringing.sound else { return (.ringing, .none) }
    guard let until else { return (.acknowledged, .none) }
    guard e.decidedAt >= until, triggering else { return (.asleep, .none) }
    var ringing = ringing
    ringing.sound = rules.sound(from: e.decidedAt)
    ringing.closed = false
    phase = .ringing(ringing)
    return (.rangAnew, .ringAnew)
  }
}
