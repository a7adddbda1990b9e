import Geometry

/// When the zones need the next fix: the earliest of all their deadlines, and what it comes from.
struct FixDemand {
  private(set) var due: Instant?
  /// What is certain to lie before the nearest line, now.
  private(set) var margin: Distance?
  /// Seconds at the greatest speed allowed until an entry cannot be excluded; nil when it always can.
  private(set) var secondsToEntry: Double?
  /// The earliest deadline is of a zone that does not wait for the motion hardware's word.
  private(set) var isStrict = false

  private let known: PhoneKnowledge
  private var parameters: CertifiedParameters { _read { yield known.parameters } }

  init(of zones: Surroundings, around anchor: Fix, _ known: PhoneKnowledge, at now: Instant) {
    self.known = known
    for zone in zones.binding(at: anchor.position, toCome: false) {
      guard let error = known.error(of: anchor, zone.assurance) else { continue }
      let unannounced = known.unannounced(zone.assurance, at: now)
      let line = (zone.isAt ? -zone.toAlert : zone.toAlert) - error
      let seconds = known.budget.seconds(until: line, from: now, unannounced: unannounced, parameters)
      var due: Instant?
      switch zone.concern {
      case .entry, .leaving:
        let margin = line - known.moved(at: now, zone.assurance)
        self.margin = min(self.margin ?? margin, margin)
        if seconds == 0, known.needsNoLook(zone.assurance, at: now) {
          due = line <= .zero ? known.nextLookAtRest(at: now) : nil
        } else if let seconds {
          secondsToEntry = min(secondsToEntry ?? seconds, seconds)
          // A budget that is spent dates from the fix: events in between put nothing off.
          due = deadline(seconds, error, zone, at: seconds > 0 ? now : anchor.measuredAt)
        }
      case .clearing:
        due = clearing(seconds, anchor, at: now)
      case .dwelling(let end):
        let next = clearing(seconds, anchor, at: now)
        // A look at the end decides, unless it leaves open whether the phone is still there.
        due = end > anchor.measuredAt ? min(end, next ?? end) : next ?? known.nextLookAtRest(at: now)
      }
      if let due, self.due.map({ due < $0 }) ?? true {
        self.due = due
        isStrict = unannounced > .zero && !known.needsNoLook(zone.assurance, at: now)
      }
    }
  }

  /// The phone may be about to come in: a session has to see it, and not one look after the other.
  func isUrgent(_ known: PhoneKnowledge) -> Bool { known.budget.motion != .still || isStrict }

  /// Not before `time`, whatever the zones need.
  mutating func putOff(to time: Instant) { due = time }

  /// When a fix must be asked for so that an entry not before `seconds` from now is noticed in time.
  private func deadline(
    _ seconds: Double, _ error: Distance, _ zone: Surroundings.Nearby, at now: Instant
  ) -> Instant {
    let lateness = parameters.lateness(zone.assurance, known.capabilities.battery)
    func wait(for fix: TimeSpan) -> Double {
      let late = seconds + lateness.seconds
      if zone.assurance == .safety { return late - 2 * fix.seconds - parameters.handling.seconds }
      // A coarse sensor may be asked first; if it does not settle the matter, satellites follow.
      let detour = fix + parameters.networkFix + parameters.handling
      let left = error + parameters.greatestSpeed * max(.zero, detour - lateness)
      return late - (left <= parameters.satellitesWithin ? fix : detour).seconds
    }
    var waitSeconds = wait(for: parameters.hotFix)
    if !known.capabilities.gnss {
      waitSeconds = wait(for: parameters.networkFix)
    } else if known.firstFix(at: now.adding(seconds: max(0, waitSeconds))) > parameters.hotFix {
      waitSeconds = wait(for: parameters.coldFix)
    }
    if zone.leadTime != nil {
      // Its line comes nearer with the phone's speed, which a few fixes on the way have to show.
      waitSeconds = min(waitSeconds, max(parameters.clearingPause.seconds, seconds / 2))
    }
    return now.adding(seconds: waitSeconds)
  }

  /// A zone that rang is looked at now and then, while the phone moves.
  private func clearing(_ seconds: Double?, _ anchor: Fix, at now: Instant) -> Instant? {
    if known.isSettled { return nil }
    let next = now.adding(seconds: seconds ?? 0)
    return max(next, anchor.measuredAt + parameters.clearingPause)
  }
}
