import AlarmEngine
import Delivery
import Store

/// Decides which channels to notify next of an unanswered alarm, and when. The account's plan is evaluated
/// again after every change, from the data in the store, so a restart changes nothing.
extension WatchedDecision {
  /// Starts the steps that are due.
  mutating func lookAtEscalations(_ recorder: inout AlarmRecorder) {
    for (id, due) in device.escalations.sorted(by: { $0.key < $1.key }) where due <= now {
      device.escalations[id] = nil
      guard let alarm = recorder.alarms[id], alarm.state == .ringing else { continue }
      let escalation = escalation(of: alarm)
      switch escalation.next(alarm, attempts(of: alarm), now: now) {
      case .start(let step, _): recorder.escalate(id, to: escalation.numbers[step])
      case .wait(let until): device.escalations[id] = until
      case .nobodyReached: part.notes.append(.nobodyReached(id))
      case .answered, .exhausted, .expired: break
      }
    }
  }

  /// Records when the next step of a ringing alarm begins.
  mutating func schedule(_ alarm: AlarmRecord) {
    switch escalation(of: alarm).next(alarm, attempts(of: alarm), now: now) {
    case .start: device.escalations[alarm.id] = now
    case .wait(let until): device.escalations[alarm.id] = until
    case .answered, .exhausted, .expired, .nobodyReached: device.escalations[alarm.id] = nil
    }
  }

  /// The delivery attempts of the alarm so far. An alarm that is new in this transaction has none and is not
  /// in the store yet.
  private mutating func attempts(of alarm: AlarmRecord) -> [DeliveryAttempt] {
    device.unsavedAlarms.contains(alarm.id) ? [] : facts.attempts(of: alarm)
  }

  private mutating func escalation(of alarm: AlarmRecord) -> Escalation {
    Escalation(audience(of: alarm), delays: device.escalationDelays)
  }
}
