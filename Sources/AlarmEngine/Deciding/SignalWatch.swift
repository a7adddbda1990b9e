import Geometry

/// The zones that are so near that losing the signal would be an event, and the time at which it counts as
/// lost.
struct SignalWatch: Sendable {
  var deadline: Instant
  /// Ascending.
  var zones: [ZoneSlot]

  /// True if losing the signal now would be an event. The phone may be within the danger margin of the alert
  /// line, or inside; in a leave zone, it may be within the margin of the edge. No alarm rings.
  static func concerns(
    _ alarm: ZoneAlarm, _ rules: SharedZoneRules, at now: Instant, distance: Distance, error: Distance,
    margin: Distance
  ) -> Bool {
    if alarm.memory.isQuiet(at: now) { return false }
    switch alarm.phase {
    case .ringing: return false
    case .present: return distance + error + margin >= .zero
    // A time outside rings by the clock, also without a signal.
    case .idle, .dwelling: if rules.trigger.kind == .leave { return false }
    case .confirming: break
    }
    return distance - error <= rules.alertDistance + margin
  }
}
