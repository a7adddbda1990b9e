extension ZoneAlarm {
  /// How much of the way to a fix its judging looks at.
  enum WayWanted {
    case nothing
    /// When the edge was crossed.
    case crossings
    /// All, if it came as near as the level.
    case passing
    case all
  }

  /// To measure a way costs as much as hundreds of fixes that are far from all zones.
  ///
  /// - Parameter e: all but the way.
  func wayWanted(for e: Evidence, _ rules: ZoneRules) -> WayWanted {
    switch phase {
    case .ringing(let ringing):
      if ringing.cause == .left { return .crossings }
      // The first fix beyond the zone says when it was left.
      return ringing.departure == nil && e.distance > ringing.clearLevel ? .crossings : .nothing
    case .present(let departure):
      return departure == nil && e.distance > e.level ? .crossings : .nothing
    case .idle, .confirming, .dwelling:
      let verdict = judge(e, rules)
      if verdict.rings {
        // Of a dwell the evidence is kept as it is.
        if case .dwell = rules.trigger { return .all }
        return .crossings
      }
      switch verdict {
      case .waitsForBetterFix, .waitsForSecondFix: return .all
      default:
        guard case .enter(passingCounts: true) = rules.trigger else { return .nothing }
        return .passing
      }
    }
  }
}
