import Geometry

/// The time at which the zones need the next fix: the earliest of their deadlines, with its reasons.
struct FixDemand {
  private(set) var due: Instant?
  /// The certain distance to the nearest line at present.
  private(set) var margin: Distance?
  /// True if the earliest deadline is that of a zone that does not wait for the motion hardware's report.
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
          // A spent budget counts from the fix, so that events in between postpone nothing.
          due = deadline(seconds, error, zone, at: seconds > 0 ? now : anchor.measuredAt)
        }
      case .clearing:
        due = clearing(seconds, anchor, at: now, pause: parameters.leavingPause)
      case .dwelling(let end):
        let next = clearing(seconds, anchor, at: now)
        // A fix at the end decides, unless it leaves open if the phone is still there.
        due = end > anchor.measuredAt ? min(end, next ?? end) : next ?? known.nextLookAtRest(at: now)
      case .away(let end):
        // The clock decides at the end; a fix just before it shows if the phone is back.
        due = clearing(seconds, anchor, at: now)
        let look = end - known.firstFix(at: end) - parameters.handling
        if look > anchor.measuredAt { due = min(look, due ?? look) }
      }
      if let due, self.due.map({ due < $0 }) ?? true {
        self.due = due
        isStrict = unannounced > .zero && !known.needsNoLook(zone.assurance, at: now)
      }
    }
  }

  /// True if the phone may be about to enter, which takes a session instead of single fixes.
  func isUrgent(_ known: PhoneKnowledge) -> Bool { known.budget.motion != .still || isStrict }

  /// Replaces the deadline.
  mutating func putOff(to time: Instant) { due = time }

  /// Returns when to request a fix so that an entry at least `seconds` from now is noticed in time.
  private func deadline(
    _ seconds: Double, _ error: Distance, _ zone: Surroundings.Nearby, at now: Instant
  ) -> Instant {
    let lateness = parameters.lateness(zone.assurance, known.capabilities.battery)
    func wait(for fix: TimeSpan) -> Double {
      let late = seconds + lateness.seconds
      if zone.assurance == .safety { return late - 2 * fix.seconds - parameters.handling.seconds }
      // A coarse sensor may be asked first; if its fix does not decide, satellites follow.
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
      // The line comes nearer as the phone speeds up, which a few fixes on the way have to show.
      waitSeconds = min(waitSeconds, max(parameters.clearingPause.seconds, seconds / 2))
    }
    return now.adding(seconds: waitSeconds)
  }

  /// Returns the next check of a zone that rang; nil while the phone rests.
  private func clearing(
    _ seconds: Double?, _ anchor: Fix, at now: Instant, pause: TimeSpan? = nil
  ) -> Instant? {
    if known.isSettled { return nil }
    let next = now.adding(seconds: seconds ?? 0)
    return max(next, anchor.measuredAt + (pause ?? parameters.clearingPause))
  }
}

extension Surroundings.Nearby {
  /// True if a stay at the zone is over at a time.
  func isOver(at time: Instant) -> Bool {
    if case .dwelling(let end) = concern { end <= time } else { false }
  }
}

extension PhoneKnowledge {
  /// Returns the end of the first stay that no fix has decided, past or to come; nil if there is none. A session
  /// reports nothing at rest, and the motion hardware may report the rest late, so a fix has to be requested then.
  func undecidedStay(_ zones: Surroundings) -> Instant? { anchor.flatMap { zones.undecidedStay(at: $0) } }

  /// Returns when to check a session again: after the longest pause between its fixes, at the end of a stay, or when
  /// a zone opens.
  func sessionTimer(_ zones: Surroundings, at now: Instant) -> Instant {
    [undecidedStay(zones), zones.nextScheduleChange].reduce(now + parameters.sessionFix) { next, time in
      time.map { $0 > now ? min($0, next) : next } ?? next
    }
  }
}
