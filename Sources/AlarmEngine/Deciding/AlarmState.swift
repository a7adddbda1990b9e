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
