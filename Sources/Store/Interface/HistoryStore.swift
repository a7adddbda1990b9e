import AlarmEngine

/// Positions of the past that came in files. They are history and nothing else: no engine is made from them, so they ring
/// nothing, and `IngestStore.fixes`, which engines are made from, does not know them.
public protocol HistoryStore: Sendable {
  /// - Throws: `.notFound` when the device is not the account's; `.tooMany` beyond `TrackImport.most` for one device.
  func create(_ imported: TrackImport, of account: AccountID) async throws(StoreError)
  /// Adds the fixes that the device's history does not have: of those less than a second from one that is stored, or from
  /// one before it in `fixes`, none is added. So the same file twice adds nothing, whatever it is cut into.
  /// - Parameter imported: as it is to be stored; what was added is counted by the store.
  /// - Returns: as it is stored now.
  /// - Throws: `.notFound` when the import or the device is gone.
  func record(
    _ imported: TrackImport, adding fixes: [Fix], of account: AccountID
  ) async throws(StoreError) -> TrackImport
  /// The last to begin first.
  func imports(of device: DeviceID, account: AccountID) async throws(StoreError) -> [TrackImport]
  /// Takes back what an import added, at most `limit` fixes at once.
  /// - Returns: whether all of it is gone.
  func removeImport(
    _ id: TrackImportID, of device: DeviceID, account: AccountID, limit: Int
  ) async throws(StoreError) -> Bool
  /// What the device reported and what was imported, in the order of time, the first `limit` in the range. An imported
  /// fix less than a second from a reported one is left out; its `receivedAt` is when its import began.
  func history(
    of device: DeviceID, account: AccountID, in range: ClosedRange<Instant>, limit: Int
  ) async throws(StoreError) -> [StoredFix]
}

extension TrackImport {
  /// Of one device.
  public static let most = 1000
  /// Fixes nearer than this in time are one.
  public static let sameWithin = TimeSpan.seconds(1)
}
