import Geometry

extension ZoneAlarm {
  /// A possible entry, which a better fix, a second one or time has to confirm.
  struct Confirmation: Hashable, Sendable {
    /// The interpolated time of the possible entry.
    var entered: Instant
    /// Nil for a relaxed zone, which waits for a second fix that agrees.
    var deadline: Instant?
    /// The evidence that knows the place best so far; of several, the one that is likeliest inside.
    var best: Evidence

    mutating func add(_ e: Evidence) {
      // Of two equally coarse fixes the likelier one counts: the phone was there, even if it has gone on since.
      let (deviation, least) = (Self.deviation(e), Self.deviation(best))
      if deviation < least || deviation == least && e.probabilityInside >= best.probabilityInside { best = e }
    }

    private static func deviation(_ e: Evidence) -> Distance {
      e.likelihood?.deviation ?? e.accuracy * 0.5.squareRoot()
    }
  }
}
