import Geometry

extension ZoneAlarm {
  /// The way out of a zone, from the first fix beyond its edge until the phone has certainly left.
  struct Departure: Hashable, Sendable {
    /// The interpolated time of the last crossing outwards.
    var crossedAt: Instant
    /// The time of the first fix of an unbroken series of fixes clearly outside.
    var clearSince: Instant?

    /// Updates or begins a departure by a fix.
    ///
    /// - Parameter level: the phone leaves beyond this distance.
    /// - Returns: the departure, nil if the phone is not leaving; and the time of the crossing, once two fixes are
    ///   clearly outside.
    static func follow(
      _ departure: Self?, _ e: Evidence, beyond level: Distance
    ) -> (departure: Self?, cleared: Instant?) {
      guard !e.isWithin(level) else { return (nil, nil) }
      var next = departure ?? Self(crossedAt: e.way?.leftAt ?? e.measuredAt, clearSince: nil)
      guard e.isClear(of: level) else {
        next.clearSince = nil
        return (next, nil)
      }
      let apart = e.error == .zero ? Rule.betweenExactClearFixes : Rule.betweenClearFixes
      guard let since = next.clearSince else {
        next.clearSince = e.measuredAt
        return (next, nil)
      }
      return (next, e.measuredAt - since >= apart ? next.crossedAt : nil)
    }
  }
}

extension ZoneAlarm.Departure {
  /// True if the phone has been clearly outside for so long that a fix inside, at this time, begins another
  /// visit.
  ///
  /// One fix outside is enough, because a sparse track may have no second one; a wrong fix would have been
  /// contradicted within that time.
  func wasOut(at time: Instant) -> Bool { clearSince.map { time - $0 >= Rule.anotherVisit } ?? false }
}
