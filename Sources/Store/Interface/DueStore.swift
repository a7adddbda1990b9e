import AlarmEngine

/// Which devices have to be looked at, and when: repeats, dwells, silence, zones that are others now.
///
/// Written with `IngestStore.record`. What is stored is never later than what is true: whoever looks too early loses
/// nothing. Changes of zones, devices and accounts make the devices concerned due at once, whoever makes them.
public protocol DueStore: Sendable {
  /// The earliest first, ties by id.
  /// - Parameter account: nil: of all.
  func devicesDue(
    of account: AccountID?, through now: Instant, limit: Int
  ) async throws(StoreError) -> [DueDevice]
  /// Nil when none is due ever.
  func nextDeviceDue() async throws(StoreError) -> Instant?
  /// The latest time at which the store knows of something done: a device heard of, an alarm told. Nil: of nothing.
  func latestTime() async throws(StoreError) -> Instant?
  /// The clock was set back by `span` and says `now` since: what was noted by a time after `now` is put as much earlier,
  /// at `now` at the latest, and what was to be done after `now` is to be looked at at once. Snapshots stay as they are.
  func clockSetBack(to now: Instant, by span: TimeSpan) async throws(StoreError)
}
