/// The state of an alarm, for display.
public enum AlarmState: Hashable, Sendable {
  case idle
  case confirming
  /// Inside a zone that rings after a stay, or outside one that rings after a time outside.
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

  /// The time of the alarm's next repeat, or of its next decision without a fix; nil if there is none.
  func nextDue(of rules: SharedZoneRules) -> Instant? {
    switch phase {
    case .confirming(let confirmation): return confirmation.deadline
    case .dwelling(let since, _):
      return rules.trigger.timeByClock(rules.assurance).map { since + $0 }
    case .ringing(let ringing):
      guard let failsAt = ringing.failsAt(rules.leadTime, rules.alertDistance) else {
        return ringing.nextRepeat
      }
      return ringing.nextRepeat.map { min($0, failsAt) } ?? failsAt
    case .idle, .present: return nil
    }
  }

  /// True if the zone was left, and its alarm is not over.
  var hasLeft: Bool {
    guard case .ringing(let ringing) = phase else { return false }
    return ringing.cause == .left
  }

  /// True if a better fix would decide something.
  var wantsFix: Bool {
    switch phase {
    case .confirming, .dwelling: true
    case .ringing(let ringing): ringing.departure != nil && ringing.cause != .left
    case .present(let departure): departure != nil
    case .idle: false
    }
  }

  /// True if the alarm has nothing left to remember.
  func isAtRest(at now: Instant, notice: @autoclosure () -> Notice?) -> Bool {
    guard case .idle = phase else { return false }
    return memory.isOver(at: now, notice: notice())
  }
}
