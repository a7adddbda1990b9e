import AlarmEngine
import AlarmService
import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import Geometry
import Store

/// Stays, trips and time in zones of a device, day by day.
struct HistoryReport: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "days",
    abstract: "Prints a device's stays, trips and time in zones, day by day, from its whole history.",
    discussion: """
      docs/history.md defines stays, trips, gaps and time in a zone.

      Exit status: 0 done, 2 bad usage, 3 nothing could be read.
      """)

  @Option(help: ArgumentHelp("The device's name or id.", valueName: "name"))
  var device: String

  @Option(help: ArgumentHelp("The login of the device's owner.", valueName: "login"))
  var user: String

  @Option(help: "The first day, as YYYY-MM-DD. Default: six days before the last.") var from: String?

  @Option(help: "The last day, as YYYY-MM-DD. Default: today.") var to: String?

  @Option(help: "The time zone of the days, an IANA name. Default: the account's time zone.")
  var timeZone: String?

  @Option(help: "Maximum distance from the start of a stay, in metres.")
  var radius = HistoryDefinitions().radius.metres

  @Option(help: "Minimum length in minutes: shorter halts count to a trip, shorter absences to a stay.")
  var stay = HistoryDefinitions().minimum.seconds / 60

  @Option(help: "Maximum time between two positions, in minutes; a longer one is a gap.")
  var gap = HistoryDefinitions().gap.seconds / 60

  @Flag(help: "Print comma-separated values.") var csv = false

  @OptionGroup var options: DataOptions

  func validate() throws {
    for (name, value, allowed) in [
      ("--radius", radius, HistoryDefinitions.allowedRadiusMetres),
      ("--stay", stay, HistoryDefinitions.allowedMinimumMinutes),
      ("--gap", gap, HistoryDefinitions.allowedGapMinutes),
    ] where !allowed.contains(value) {
      throw ValidationError("\(name) \(value) found, \(allowed.lowerBound) to \(allowed.upperBound) allowed")
    }
    if let timeZone, TimeZone(identifier: timeZone) == nil {
      throw ValidationError("--time-zone \(printable(timeZone)) found, a name like Europe/Berlin allowed")
    }
  }

  nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
    var definitions = HistoryDefinitions()
    definitions.radius = .metres(radius)
    definitions.minimum = .minutes(stay)
    definitions.gap = .minutes(gap)
    let (user, device, from, to, timeZone, chosen) = (user, device, from, to, timeZone, definitions)
    let (report, calendar) = try await options.work { store in
      let account = try await store.account(login: user).id
      let device = try await store.device(given: device, of: account)
      let settings = try await store.settings(of: account).json
      let calendar = HistoryCalendar(
        timeZone.flatMap(TimeZone.init(identifier:)) ?? HistoryCalendar.timeZone(inSettings: settings))
      let days = try Self.days(from, to, calendar)
      do {
        return (try await HistoryDays.read(days, of: device, account: account, chosen, from: store), calendar)
      } catch is HistoryDays.TooManyFixes {
        throw UsageError(
          "more than \(HistoryDays.mostFixes) positions found in these days; choose fewer days")
      }
    }
    if csv {
      // The console ends the last line, so the table's own line end (one `Character`) is dropped.
      try console.print(
        String(HistoryTable.csv(HistoryTable.rows(of: report.days, in: calendar)).dropLast()))
      return .ok
    }
    var table = TextTable(widest: 40)
    for row in HistoryTable.rows(of: report.days, in: calendar) {
      table.add(Self.line(row))
    }
    for line in table.lines { try console.print(line) }
    return .ok
  }

  private static func days(
    _ from: String?, _ to: String?, _ calendar: HistoryCalendar
  ) throws -> [HistoryCalendar.Day] {
    let last = to ?? calendar.date(of: ServerClock.system.now())
    guard let end = calendar.days(from: last, through: last, atMost: 1)?.first else {
      throw UsageError("--to \(printable(last)) found, YYYY-MM-DD allowed")
    }
    let first = from ?? calendar.date(of: end.start + .hours(12) - .hours(6 * 24))
    guard let days = calendar.days(from: first, through: last, atMost: HistoryDays.mostDays) else {
      throw UsageError("--from \(printable(first)) found, YYYY-MM-DD not after \(last) allowed")
    }
    guard days.count <= HistoryDays.mostDays else {
      throw UsageError("more than \(HistoryDays.mostDays) days found, \(HistoryDays.mostDays) allowed")
    }
    return days
  }

  /// The columns of a row shown to people: the times without the date, the length in kilometres, the zone's
  /// name.
  private static func line(_ row: [String]) -> [String] {
    func clock(_ time: String) -> String { String(time.dropFirst(11).prefix(5)) }
    let minutes = (Int(row[4]) ?? 0) / 60
    let length = "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60) h"
    let times = row[2].isEmpty ? "" : "\(clock(row[2]))-\(clock(row[3]))"
    let what =
      switch row[1] {
      case "stay": "\(row[5]), \(row[6])"
      case "trip": "\(fixedPoint((Double(row[7]) ?? 0) / 1000, decimals: 1)) km"
      case "zone": printable(row[9])
      default: ""
      }
    return [row[0], row[1], times, length, what]
  }
}

extension SQLStore {
  /// A person's device by its id, or the only one of that name.
  /// - Throws: `UsageError` that lists the devices.
  func device(given: String, of account: AccountID) async throws -> DeviceID {
    guard let found = try await device(ifGiven: given, of: account) else {
      let names = try await devices(of: account).map { printable($0.name) }.joined(separator: ", ")
      throw UsageError(
        "device \(printable(given)) not found; the account has \(names.isEmpty ? "none" : names)")
    }
    return found
  }

  /// Nil if there is no such device.
  /// - Throws: `UsageError` if several have that name.
  func device(ifGiven given: String, of account: AccountID) async throws -> DeviceID? {
    let devices = try await devices(of: account)
    if let id = DeviceID(given), devices.contains(where: { $0.id == id }) { return id }
    let named = devices.filter { $0.name == given }
    guard named.count > 1 else { return named.first?.id }
    let ids = named.map(\.id.description).joined(separator: ", ")
    throw UsageError(
      "\(named.count) devices are named \(printable(given)); give one of their ids: \(ids)")
  }
}
