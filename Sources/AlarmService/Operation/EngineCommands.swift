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
