import AlarmEngine
import Store

/// The answers that a person can give to an alarm.
public enum AlarmAnswer: String, CaseIterable, Sendable {
  case close, sleep, acknowledge, today
}

/// The commands that requests give to the devices' engines.
public protocol EngineCommands: Sendable {
  /// Applies an answer to the alarm's engine. Repeating it does no harm.
  ///
  /// - Parameters:
  ///   - until: the end of the day, for `.today`.
  ///   - by: the name to record.
  /// - Returns: the alarm after the answer.
  func answer(
    _ answer: AlarmAnswer, to alarm: AlarmRecord, until: Instant, by: String, at now: Instant
  ) async throws -> AlarmRecord

  /// Arms or disarms a device whose record has been saved.
  func arm(_ device: Device, by: String, at now: Instant) async throws

  /// Updates the engines after the zone sets of these accounts have changed.
  func zonesChanged(of accounts: [AccountID], at now: Instant) async throws

  /// Updates the engines after the reminders of an account have changed.
  func remindersChanged(of account: AccountID, at now: Instant) async throws

  /// Updates the engines after the check-in of an account has changed.
  func checkInChanged(of account: AccountID, at now: Instant) async throws

  /// Updates the engines after expected arrivals of an account have changed.
  func expectedArrivalsChanged(of account: AccountID, at now: Instant) async throws

  /// Updates the engine after the device's record has changed: its owner, its settings, its own name, or its
  /// deletion.
  func deviceChanged(_ device: DeviceID) async throws
}
