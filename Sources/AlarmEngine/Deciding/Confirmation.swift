import Geometry

extension ZoneAlarm {
  /// A possible entry, which a better fix, a second one or time has to confirm.
  struct Confirmation: Hashable, Sendable {
    /// The interpolated time of the possible entry.
    var entered: Instant
    /// Nil for a relaxed zone, which waits for a second fix that agrees.
    var deadline: Instant?
    /// The evidence with the smallest error so far; of several, the nearest.
    var best: Evidence

    mutating func add(_ e: Evidence) {
      // Of two equally coarse fixes the nearer one counts: the phone was there, even if it has gone on since.
      if e.error < best.error || e.error == best.error && e.distance - e.level <= best.distance - best.level {
        best = e
      }
    }
  }
}
