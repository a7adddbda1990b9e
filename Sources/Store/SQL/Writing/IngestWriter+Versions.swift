import AlarmEngine

extension IngestWriter {
  private static let versionTable = SQLTable("engine_version", ["device": .integer, "version": .integer])

  /// Increments the engines' versions.
  /// - Throws: `.conflict` with all devices whose stored version differs.
  func countVersions() throws {
    let versions = batch.versions.sorted { $0.key < $1.key }.filter { exists($0.key) }
    let counted = try database.update(
      Self.versionTable, versions.map { [$0.key.sql.sqlValue, $0.value.sqlValue] },
      set: "version = version + 1")
    let conflicts = versions.map(\.key).filter { !counted.contains($0.sql) }
    if !conflicts.isEmpty { throw StoreError.conflict(conflicts) }
  }
}
