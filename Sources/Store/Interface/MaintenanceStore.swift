import AlarmEngine

/// Keeping the store itself in order.
public protocol MaintenanceStore: Sendable {
  /// Removes what is older than the retention, at most `limit` rows, so that writers wait only shortly.
  /// - Returns: how many; call again until it is zero.
  func prune(_ retention: Retention, limit: Int) async throws(StoreError) -> Int

  /// Writes all of it, as it is at one moment, to a new file while the store goes on.
  ///
  /// - Parameters:
  ///   - path: must not exist yet; it appears when it is whole.
  ///   - progress: called now and then with 0 to 1.
  func backUp(
    to path: String, progress: @escaping @Sendable (Double) -> Void
  ) async throws(StoreError)

  /// Reads all of it.
  /// - Returns: what is wrong, one sentence each; none when all is well.
  func integrityIssues() async throws(StoreError) -> [String]

  /// Reads all of it once and looks for damage of the file, faster and less thoroughly than `integrityIssues`.
  func quickCheck() async throws(StoreError) -> [String]

  /// All that belongs to an account, but secrets, as lines of JSON: the tables one after the other, each line an
  /// object that begins with the table's name. As it is at one moment.
  func export(
    _ account: AccountID, to write: @escaping @Sendable (_ line: String) throws -> Void
  ) async throws(StoreError)

  /// Erases an account in steps: first it is shut, then its history goes, at most `limit` rows a step, then itself.
  /// - Returns: whether it is gone; call again until it is.
  func erase(_ account: AccountID, limit: Int) async throws(StoreError) -> Bool
  /// Those whose erasure was begun, ascending: to go on with at the start.
  func accountsBeingErased() async throws(StoreError) -> [AccountID]

  /// Takes the writer's place for a moment and writes nothing.
  /// - Throws: what a write would: `.readOnly`, `.locked`, `.closed` and so on. Room on the disk is not looked at.
  func checkWritable() async throws(StoreError)

  func statistics() async throws(StoreError) -> StoreStatistics
  /// A number that is another one whenever somebody else has written since: another process, not this one.
  func foreignWrites() async throws(StoreError) -> Int64
}
