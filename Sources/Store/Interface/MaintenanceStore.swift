import AlarmEngine

/// Maintenance of the store itself.
public protocol MaintenanceStore: Sendable {
  /// Removes what is older than the retention, at most `limit` rows, so that writers wait only shortly.
  /// - Returns: how many; call again until it is zero.
  func prune(_ retention: Retention, limit: Int) async throws(StoreError) -> Int

  /// Makes room for the positions of the next days, and lets whole days that are old enough go at once, where the
  /// database keeps days apart. What it leaves, `prune` removes row by row.
  /// - Parameter oldest: positions of days before that of this time go; nil keeps all.
  /// - Returns: how many days were made or are gone.
  func arrangeDays(at now: Instant, fixesBefore oldest: Instant?) async throws(StoreError) -> Int

  /// Writes all data, as it is at one moment, to a new file, while the store stays in use.
  ///
  /// - Parameters:
  ///   - path: must not exist yet. The file appears there when it is complete.
  ///   - progress: called from time to time with a value from 0 to 1.
  func backUp(
    to path: String, progress: @escaping @Sendable (Double) -> Void
  ) async throws(StoreError)

  /// Checks all data.
  /// - Returns: what is wrong, one sentence each; empty if nothing is.
  func integrityIssues() async throws(StoreError) -> [String]

  /// Reads all of the file once and looks for damage, faster and less thoroughly than `integrityIssues`.
  func quickCheck() async throws(StoreError) -> [String]

  /// All data of an account except secrets, as it is at one moment, as lines of JSON. The tables come one
  /// after the other; each line is an object that begins with the table's name.
  func export(
    _ account: AccountID, to write: @escaping @Sendable (_ line: String) throws -> Void
  ) async throws(StoreError)

  /// Erases an account in steps: first it is disabled, then its history is deleted, at most `limit` rows in a
  /// step, then the account itself.
  /// - Returns: whether the account is gone; call again until it is.
  func erase(_ account: AccountID, limit: Int) async throws(StoreError) -> Bool
  /// The accounts whose erasure was begun, ascending, so that it can be continued at the start.
  func accountsBeingErased() async throws(StoreError) -> [AccountID]

  /// Checks that the store can be written, without writing anything.
  /// - Throws: the error that a write would throw: `.readOnly`, `.locked`, `.closed` and so on. The room on
  ///   the disk is not checked.
  func checkWritable() async throws(StoreError)

  func statistics() async throws(StoreError) -> StoreStatistics
  /// What time it is by the database's own clock, on which its processes agree; nil where one machine has all.
  func sharedTime() async throws(StoreError) -> Instant?
  /// Takes the figures about the connections to the database's server; nil where there is none.
  func takeConnectionFigures() -> ConnectionFigures?
  /// What other processes have written. Engines are not in it: their versions tell.
  /// - Parameter mark: the `next` of the answer before; nil the first time, when nothing is told.
  func changesByOthers(since mark: ChangesByOthers.Mark?) async throws(StoreError) -> ChangesByOthers
  /// How often it is worth asking for that.
  var looksForOthersEvery: Duration { get }
}
