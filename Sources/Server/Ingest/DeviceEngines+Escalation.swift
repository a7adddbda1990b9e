import AlarmEngine
import Logging
import Store

/// Decides whom to notify next of an unanswered alarm, and when. The account's plan is evaluated again after
/// every change, from what is in the store, so a restart changes nothing.
extension DeviceEngines {
  /// Starts the steps that are due.
  func lookAtEscalations(
    _ book: inout AlarmBook, _ engine: inout DeviceEngine, _ transaction: inout IngestTransaction
  ) async throws {
    let now = transaction.now
    for (id, due) in engine.escalations.sorted(by: { $0.key < $1.key }) where due <= now {
      engine.escalations[id] = nil
      guard let alarm = book.alarms[id], alarm.state == .ringing else { continue }
      let attempts = try await attempts(of: alarm, engine)
      let escalation = try await escalation(engine, &transaction)
      switch escalation.next(alarm, attempts, now: now) {
      case .start(let step, _): book.escalate(id, to: escalation.numbers[step])
      case .wait(let until): engine.escalations[id] = until
      case .nobodyReached: tellNobodyReached(alarm)
      case .answered, .exhausted, .expired: break
      }
    }
  }

  /// Schedules the next step of the alarms that were ringing when the engine was loaded.
  func schedule(_ engine: inout DeviceEngine, _ transaction: inout IngestTransaction) async throws {
    for alarm in engine.open.values where alarm.state == .ringing {
      try await schedule(alarm, try await attempts(of: alarm, engine), &engine, &transaction)
    }
  }

  /// - Parameter attempts: the delivery attempts of the alarm so far.
  func schedule(
    _ alarm: AlarmRecord, _ attempts: [DeliveryAttempt], _ engine: inout DeviceEngine,
    _ transaction: inout IngestTransaction
  ) async throws {
    guard engine.account != nil else { return }
    let now = transaction.now
    switch try await escalation(engine, &transaction).next(alarm, attempts, now: now) {
    case .start: engine.escalations[alarm.id] = now
    case .wait(let until): engine.escalations[alarm.id] = until
    case .answered, .exhausted, .expired, .nobodyReached: engine.escalations[alarm.id] = nil
    }
  }

  /// The delivery attempts of the alarm so far. An alarm that is new in this transaction has none and is not
  /// in the store yet.
  func attempts(
    of alarm: AlarmRecord, _ engine: DeviceEngine
  ) async throws(StoreError) -> [DeliveryAttempt] {
    if engine.unsavedAlarms.contains(alarm.id) { return [] }
    return try await store.attempts(of: alarm.id, account: alarm.account)
  }

  private func escalation(
    _ engine: DeviceEngine, _ transaction: inout IngestTransaction
  ) async throws -> Escalation {
    guard let account = engine.account else {
      return Escalation([], of: engine.id, delays: engine.escalationDelays)
    }
    return Escalation(
      try await channels(of: account, &transaction), of: engine.id, delays: engine.escalationDelays)
  }
}
