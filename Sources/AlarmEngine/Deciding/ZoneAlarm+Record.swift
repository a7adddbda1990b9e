import Geometry

extension ZoneAlarm {
  /// The record of a ringing alarm; nil when it does not ring.
  func report(of zone: ZoneID) -> AlarmReport? {
    guard case .ringing(let ringing) = phase else { return nil }
    return AlarmReport(
      alarm: ringing.alarm, zone: zone, cause: ringing.cause, distance: .metres(ringing.distance),
      position: ringing.position)
  }

  /// When it rings again by itself.
  var nextRepeat: Instant? {
    guard case .ringing(let ringing) = phase, case .repeating(let next, let horizon) = ringing.sound,
      next <= horizon
    else { return nil }
    return next
  }

  mutating func rangAgain(cycle: TimeSpan) {
    guard case .ringing(var ringing) = phase, case .repeating(let next, let horizon) = ringing.sound else {
      return
    }
    ringing.sound = .repeating(next: next + cycle, horizon: horizon)
    phase = .ringing(ringing)
  }

  func isNoticeDue(_ notice: Notice, at now: Instant) -> Bool {
    guard let shown = noticeShownAt else { return true }
    return now - shown >= notice.cap
  }

  /// Nothing is left to remember.
  func isAtRest(at now: Instant, notice: Notice?) -> Bool {
    guard phase == .idle else { return false }
    if let quietUntil, now < quietUntil { return false }
    guard let notice else { return true }
    return isNoticeDue(notice, at: now)
  }
}

extension ZoneAlarm {
  /// What outlives an edit of the zone: that it is acknowledged for today, and when its notice was shown.
  var memory: Self {
    var memory = Self()
    memory.quietUntil = quietUntil
    memory.noticeShownAt = noticeShownAt
    return memory
  }
}

extension Zone {
  /// Rings at the same places, times and degrees of assurance: an alarm goes on through such an edit.
  func watchesAsMuch(as other: Zone) -> Bool {
    outline == other.outline && edges == other.edges && size == other.size && inset == other.inset
      && alertDistance == other.alertDistance && leadTime == other.leadTime && trigger == other.trigger
      && schedule == other.schedule && assurance == other.assurance && active == other.active
  }
}

/// What an alarm is doing, in one word.
public enum AlarmState: Hashable, Sendable {
  case idle
  case confirming
  case dwelling(since: Instant)
  case present
  case ringing(AlarmID, Cause)
  case asleep(AlarmID, until: Instant)
  case acknowledged(AlarmID)
}

extension ZoneAlarm {
  public var state: AlarmState {
    switch phase {
    case .idle: .idle
    case .confirming: .confirming
    case .dwelling(let since, _): .dwelling(since: since)
    case .present: .present
    case .ringing(let ringing):
      switch ringing.sound {
      case .repeating: .ringing(ringing.alarm, ringing.cause)
      case .quiet(let until?): .asleep(ringing.alarm, until: until)
      case .quiet(nil): .acknowledged(ringing.alarm)
      }
    }
  }
}
