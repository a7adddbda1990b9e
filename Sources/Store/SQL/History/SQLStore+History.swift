import AlarmEngine

extension SQLStore {
  /// The first `limit` reported and imported fixes in the range, in the order of time. An imported fix less
  /// than a second from a reported one is left out; `receivedAt` of an imported fix is the start of its
  /// import.
  public func history(
    of device: DeviceID, account: AccountID, in range: ClosedRange<Instant>, limit: Int
  ) async throws(StoreError) -> [StoredFix] {
    try await read { database in
      _ = try Self.device(device, of: account, database)
      let range = range.lowerBound.sql...range.upperBound.sql
      let reported = try Self.fixes(device, range, limit, database)
      let imported = try Self.importedFixes(device, range, limit, database)
      guard !imported.isEmpty else { return reported }
      // Both lists are in the order of time, so the sort merges two runs.
      return Array((reported + imported).sorted { $0.fix.measuredAt < $1.fix.measuredAt }.prefix(limit))
    }
  }

  /// Imported fixes without those that a phone reported as well.
  private static func importedFixes(
    _ device: DeviceID, _ range: ClosedRange<Int64>, _ limit: Int, _ database: any SQLTransaction
  ) throws -> [StoredFix] {
    // Fixes are stored by day; the second before or after one may be in another day.
    let sameOfDay = """
      SELECT 1 FROM fix WHERE fix.device = imported_fix.device
        AND fix.measured_at BETWEEN imported_fix.measured_at - \(sameMargin) AND imported_fix.measured_at + \(sameMargin)
        AND fix.day =
      """
    return try database.rows(
      """
      SELECT measured_at, latitude, longitude, accuracy, coalesce(started_at, measured_at), speed, course,
        altitude, altitude_error, altitude_reference
      FROM imported_fix LEFT JOIN track_import ON track_import.id = track
      WHERE imported_fix.device = ? AND measured_at BETWEEN ? AND ?
        AND NOT EXISTS (\(sameOfDay) (imported_fix.measured_at - \(sameMargin)) / 86400000)
        AND NOT EXISTS (\(sameOfDay) (imported_fix.measured_at + \(sameMargin)) / 86400000)
      ORDER BY measured_at LIMIT ?
      """, [device.sql, range.lowerBound, range.upperBound, limit]
    ).map { row in
      guard let fix = fix(row, 0, altitude: altitude(row, 7)) else {
        throw StoreError.corrupted(detail: "an imported fix of device \(device) is at no place")
      }
      return StoredFix(fix, altitude: row.distance(7))
    }
  }

  /// The margin in milliseconds within which two fixes count as the same.
  static let sameMargin = TrackImport.sameWithin.milliseconds - 1
}
