import AlarmEngine

/// How often notices were shown and opened (S187-S192).
public protocol NoticeStore: Sendable {
  /// Counts a showing, unless the cap forbids it.
  ///
  /// - Parameters:
  ///   - zone: own or followed.
  ///   - cap: at most once in this time on the device; zero is no cap.
  /// - Returns: whether it is to be shown.
  func showNotice(
    of zone: ZoneID, on device: DeviceID, of account: AccountID, cap: TimeSpan, at now: Instant
  ) async throws(StoreError) -> Bool
  /// - Throws: `.notFound` when it was never shown there.
  func openNotice(
    of zone: ZoneID, on device: DeviceID, of account: AccountID, at now: Instant
  ) async throws(StoreError)
  /// Ascending by zone, then device.
  func noticeCounts(of account: AccountID) async throws(StoreError) -> [NoticeCount]
}
