import AlarmEngine

extension IngestWriter {
  /// Counts the engines' versions up, in the order of the devices' ids: batches that wait for each other's rows all come
  /// in the same order.
  /// - Throws: `.conflict` with all devices whose version is another one.
  func countVersions() throws {
    let versions = batch.versions.sorted { $0.key < $1.key }.filter { exists($0.key) }
    let counted = try database.run(
      "UPDATE engine_version SET version = version + 1 WHERE device = ? AND version = ?",
      each: versions.map { [$0.key.sql, $0.value] })
    let conflicts = zip(versions, counted).filter { $0.1 == 0 }.map(\.0.key)
    if !conflicts.isEmpty { throw StoreError.conflict(conflicts) }
  }
}
