import AlarmEngine
import Store

/// What people do to an alarm.
public enum AlarmAnswer: String, CaseIterable, Sendable {
  case close, sleep, acknowledge, today
}

/// The way from a request to the devices' engines.
public protocol EngineCommands: Sendable {
  /// Carries an answer to the alarm's engine. Repeating it does no harm.
  ///
  /// - Parameters:
  ///   - until: the end of the day, for `.today`.
  ///   - by: for the record.
  /// - Returns: the alarm as it is then.
  func answer(
    _ answer: AlarmAnswer, to alarm: AlarmRecord, until: Instant, by: String, at now: Instant
  ) async throws -> AlarmRecord

  /// Arms or disarms a device whose record has been saved.
  func arm(_ device: Device, by: String, at now: Instant) async throws

  /// The zone sets of these accounts are different now.
  func zonesChanged(of accounts: [AccountID], at now: Instant) async throws

  /// The device's record is different now: its owner, its settings, how it calls itself, or it is gone.
  func deviceChanged(_ device: DeviceID) async throws
}

/// Keeps commands in the store, for engines that are made later, and moves the alarm's record at once.
public struct StoredCommands: EngineCommands {
  let store: any ServerStore
  let hub: EventHub

  public init(store: any ServerStore, hub: EventHub) {
    self.store = store
    self.hub = hub
  }

  public func answer(
    _ answer: AlarmAnswer, to alarm: AlarmRecord, until: Instant, by: String, at now: Instant
  ) async throws -> AlarmRecord {
    var alarm = alarm
    // Somebody else may change it in between: then once more, on what they left.
    for _ in 0..<5 {
      guard alarm.isOpen else { return alarm }
      let (state, kind) = try await consequence(of: answer, for: alarm, until: until, at: now)
      guard state != alarm.state else { return alarm }
      alarm.state = state
      alarm.answeredAt = now
      alarm.answeredBy = by
      alarm.version += 1
      var batch = IngestBatch(at: now)
      batch.alarms = [alarm]
      batch.commands = [DeviceCommand(device: alarm.device, at: now, kind: kind, by: by)]
      batch.withdrawn = [alarm.id]
      do {
        try await store.record(batch)
      } catch {
        guard case .stale = error else { throw error }
        alarm = try await store.alarm(alarm.id)
        continue
      }
      hub.publish(alarm.account)
      return alarm
    }
    throw Problem(.conflict, "the alarm changes faster than it can be answered")
  }

  private func consequence(
    of answer: AlarmAnswer, for alarm: AlarmRecord, until: Instant, at now: Instant
  ) async throws(StoreError) -> (AlarmRecord.State, DeviceCommand.Kind) {
    switch answer {
    case .close: return (.closed, .close(alarm.id))
    case .sleep: return (.sleeping(until: now + (try await sleepTime(of: alarm))), .sleep(alarm.id))
    case .acknowledge: return (.acknowledgedInside, .acknowledgeInside(alarm.id))
    case .today:
      return (.acknowledgedForToday(until: until), .acknowledgeForToday(alarm.id, until: until))
    }
  }

  private func sleepTime(of alarm: AlarmRecord) async throws(StoreError) -> TimeSpan {
    let standard = Settings.phone.defaultSleepTime
    guard case .zone(let zone, _, _) = alarm.subject else { return standard }
    let set = try await store.zoneSet(of: alarm.account)
    return set.zones.first { $0.zone.id == zone }?.zone.sleepTime ?? standard
  }

  public func arm(_ device: Device, by: String, at now: Instant) async throws {
    var batch = IngestBatch(at: now)
    batch.commands = [
      DeviceCommand(device: device.id, at: now, kind: device.isArmed ? .activate : .deactivate, by: by)
    ]
    try await store.record(batch)
  }

  public func zonesChanged(of accounts: [AccountID], at now: Instant) async throws {}
  public func deviceChanged(_ device: DeviceID) async throws {}
}
