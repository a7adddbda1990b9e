import Geometry

/// The zones that are so near that losing the signal would be an event, and the time at which it counts as
/// lost.
struct SignalWatch: Sendable {
  var deadline: Instant
  /// Ascending.
  var zones: [ZoneSlot]

  /// True if losing the signal now would be an event. The phone may be within the danger margin of the alert
  /// line, or inside; in a leave zone, it may be within the margin of the edge. No alarm sounds, except for one
  /// that was answered in a zone that rings both ways.
  static func concerns(
    _ alarm: ZoneAlarm, _ rules: SharedZoneRules, at now: Instant, distance: Distance, error: Distance,
    margin: Distance
  ) -> Bool {
    if alarm.memory.isQuiet(at: now) { return false }
    switch alarm.phase {
    case .ringing(let ringing):
      guard rules.trigger.ringsBothWays, case .quiet = ringing.sound else { return false }
      if ringing.cause != .left { return distance + error + margin >= .zero }
    case .present: return distance + error + margin >= .zero
    // A time outside rings by the clock, also without a signal.
    case .idle: if rules.trigger.kind == .leave { return false }
    case .dwelling: if rules.trigger.ringsOnLeaving { return false }
    case .confirming: break
    }
    return distance - error <= rules.alertDistance + margin
  }
}
