import AlarmEngine
import Formats
import Foundation
import Geometry
import NIOPosix
import Store

extension HistoryDays {
  /// The most positions that one report reads.
  package static let mostFixes = 1_000_000
  /// The most days of one report.
  package static let mostDays = 100
  private static let fixesAtOnce = 10_000

  /// There are more positions than one report reads.
  package struct TooManyFixes: Error {}

  /// Returns the days of a device, from its reports, its imports, and the account's present zones.
  ///
  /// Only a part of the positions is in memory at a time.
  /// - Throws: `TooManyFixes`; errors of the store.
  package static func read(
    _ days: [HistoryCalendar.Day], of device: DeviceID, account: AccountID, _ definitions: HistoryDefinitions,
    from store: SQLStore
  ) async throws -> HistoryDays {
    let settings = DeviceSettings.settings([
      try await store.settings(of: account).json, try await store.device(device, of: account).settings,
    ])
    let zones = try await store.zoneSet(of: account).zones.compactMap(\.zone)
    var report = try await aside {
      HistoryDays(days, zones: zones, defaultRadius: settings.defaultRadius, definitions)
    }
    guard let first = days.first, let last = days.last else { return report }
    var next: Instant? = first.start - margin
    let end = last.end + margin
    var count = 0
    while let from = next, from <= end {
      let fixes = try await store.history(
        of: device, account: account, in: from...end, limit: fixesAtOnce)
      count += fixes.count
      guard count <= mostFixes else { throw TooManyFixes() }
      next = fixes.count < fixesAtOnce ? nil : fixes.last.map { $0.fix.measuredAt + .milliseconds(1) }
      let former = report
      report = try await aside {
        var report = former
        for stored in fixes { report.add(stored.fix) }
        return report
      }
    }
    report.finish()
    return report
  }

  /// Runs `body`, which may take a second, on a thread pool, so that it blocks no other task.
  private static func aside<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async throws -> Result
  {
    try await NIOThreadPool.singleton.runIfActive(body)
  }
}

extension HistoryCalendar {
  /// Returns the account's time zone; UTC if it has set none.
  package static func timeZone(inSettings json: String) -> TimeZone {
    let name = (try? JSONValue.parse(Array(json.utf8)))?["time_zone"]?.string
    return name.flatMap(TimeZone.init(identifier:)) ?? .gmt
  }
}
