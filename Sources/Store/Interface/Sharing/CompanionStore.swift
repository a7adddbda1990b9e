import AlarmEngine

/// Companion alarms: who is told when which two devices come near each other or part.
///
/// Whoever changes one makes its watcher's device due, so that alarms follow at once, and counts the versions of both
/// devices up, so that no process goes on without it.
public protocol CompanionStore: Sendable {
  /// - Throws: `.notFound` where the device is not the account's, or the account may not know where the target is;
  ///   `.tooMany` beyond `Companion.most` or `Companion.mostOfTarget`; `.privateAccount`.
  func create(_ companion: Companion) async throws(StoreError)
  /// Those that the account has set, the latest first.
  func companions(of account: AccountID) async throws(StoreError) -> [Companion]
  /// Those of others about the account's devices that watch, the latest first.
  func companions(about account: AccountID) async throws(StoreError) -> [CompanionAbout]
  /// Changes one that the account has set and that watches. Where it rings otherwise than before (trigger, distance or
  /// assurance), it begins anew at `now`; another name or horizon lets it go on.
  /// - Throws: `.notFound` for any other, and for one that has ended.
  @discardableResult
  func edit(
    _ id: CompanionID, of account: AccountID, to new: CompanionEdit, at now: Instant
  ) async throws(StoreError) -> Companion
  /// Deletes the account's own; refuses somebody else's about one of its devices.
  /// - Throws: `.notFound` for any other, and for one that has been refused already.
  @discardableResult
  func end(
    _ id: CompanionID, by account: AccountID, at now: Instant
  ) async throws(StoreError) -> EndedCompanion
  /// Those of a device whose end was not told yet, ascending by id.
  func companionSights(of device: DeviceID, at now: Instant) async throws(StoreError) -> [CompanionSight]
  /// The other devices of all companion alarms that watch the device, or are set on it.
  func companionNeighbours(of device: DeviceID) async throws(StoreError) -> [CompanionNeighbour]
}
