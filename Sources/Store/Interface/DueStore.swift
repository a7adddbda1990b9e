import AlarmEngine

/// When devices have to be processed although they report nothing: for repeats, dwells, silence and changed
/// zones.
///
/// Written by `IngestStore.record`. A stored due time is never later than the true one; processing a device
/// too early does no harm. A change of zones, devices or accounts makes the devices concerned due at once,
/// whichever process makes it.
public protocol DueStore: Sendable {
  /// The due devices, the earliest first, ties by id.
  /// - Parameter account: nil for all accounts.
  func devicesDue(
    of account: AccountID?, through now: Instant, limit: Int
  ) async throws(StoreError) -> [DueDevice]
  /// When the next device is due; nil if none will be.
  func nextDeviceDue() async throws(StoreError) -> Instant?
  /// The latest time at which anything in the store happened, such as a report or an alarm; nil if the store
  /// is empty.
  func latestTime() async throws(StoreError) -> Instant?
  /// Adapts stored times after the clock was set back by `span` to `now`. Times after `now` at which
  /// something happened are moved back by `span`, to `now` at the latest. Devices that were due after `now`
  /// become due at once. Snapshots are not changed.
  func clockSetBack(to now: Instant, by span: TimeSpan) async throws(StoreError)
}
