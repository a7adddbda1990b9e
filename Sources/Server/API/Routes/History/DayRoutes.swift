import AlarmEngine
import AlarmService
import Delivery
import Formats
import Foundation
import Geometry
import Hummingbird
import Store

/// A device's history by day.
enum DayRoutes {
  private static let query: [Route.Query] = [
    .init(name: "from", schema: .text(10...10), meaning: "First date; six days before `to` if left out."),
    .init(name: "to", schema: .text(10...10), meaning: "Last date, inclusive; today if left out."),
    .init(
      name: "time_zone", schema: .text(0...100),
      meaning: "Time zone of the days, as named in the IANA database; the account's `time_zone` if left out."),
    .init(
      name: "radius_m", schema: .number(HistoryDefinitions.allowedRadiusMetres),
      meaning: "Largest distance of a stay's positions from its first one; 150 if left out."),
    .init(
      name: "stay_minutes", schema: .number(HistoryDefinitions.allowedMinimumMinutes),
      meaning: "Shortest stay: shorter halts belong to a trip, shorter absences to a stay; 10 if left out."),
    .init(
      name: "gap_minutes", schema: .number(HistoryDefinitions.allowedGapMinutes),
      meaning:
        "Positions further apart in time leave a gap, unless both are at one place; 60 if left out."
    ),
  ]
  private static let part: [Schema.Member] = [
    .needed("kind", .words(["stay", "trip", "gap"]), "`gap`: the position is unknown."),
    .needed("from", .time, "Start within the day."), .needed("to", .time, "End within the day."),
    .needed("whole_from", .time, "Start of the whole part, which may be on an earlier day."),
    .needed("whole_to", .time, "End of the whole part, which may be on a later day."),
    .needed("latitude", .optional(.number(-90...90)), "Latitude of a stay's centre."),
    .needed("longitude", .optional(.number(-180...180)), "Longitude of a stay's centre."),
    .needed("fixes", .optional(.integer(0...(1 << 53))), "Number of a stay's positions."),
    .needed("length_m", .optional(.number(0...1e12)), "Length of the whole trip."),
    .needed("zone_ids", .list(.id, upTo: 100_000), "Zones that contain a stay's centre."),
  ]
  private static let answer = Schema.object([
    .needed("time_zone", .text(0...100), ""),
    .needed(
      "items",
      .list(
        .object([
          .needed("date", .text(10...10), ""), .needed("from", .time, "Start of the day."),
          .needed("to", .time, "Start of the next day."),
          .needed("fixes", .integer(0...(1 << 53)), "Number of positions measured on the day."),
          .needed("parts", .list(.object(part), upTo: 1_000_000), "Parts in the order of time."),
          .needed(
            "zones",
            .list(
              .object([
                .needed("zone_id", .id, ""), .needed("name", .text(0...100_000), ""),
                .needed("seconds", .number(0...90_000), "Time spent in the zone as it is now."),
              ]), upTo: 100_000), "Zones, longest time first."),
        ]), upTo: HistoryDays.mostDays), "Days in the order of time."),
  ])

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/devices/{device}/days", name: "listDays",
      summary: "Lists a device's stays, trips and time in zones by day, from its whole history",
      handler: .account { call, signed in
        let (report, calendar) = try await read(call, signed)
        return .json(
          .object([
            ("time_zone", .string(calendar.timeZone.identifier)), ("items", .array(report.days.map(json))),
          ]))
      }, query: query, answers: [.json(answer, "The days.")]),
    Route(
      method: .get, path: "/api/v1/devices/{device}/days.csv", name: "exportDays",
      summary: "Exports a device's stays, trips and time in zones as a CSV table",
      handler: .account { call, signed in
        let (report, calendar) = try await read(call, signed)
        let table = HistoryTable.csv(HistoryTable.rows(of: report.days, in: calendar))
        return .bytes(Array(table.utf8), type: "text/csv", fileName: "days.csv")
      }, query: query, answers: [.media(["text/csv"], "A row for each part of a day and each zone in it.")]),
  ]

  private static func read(
    _ call: Call, _ signed: Signed
  ) async throws -> (HistoryDays, HistoryCalendar) {
    let device = try await call.store.device(try DeviceRoutes.id(call), of: signed.account)
    let calendar = HistoryCalendar(try await timeZone(call, signed))
    let to = call.query["to"]?.string ?? calendar.date(of: call.now)
    let from = call.query["from"]?.string ?? earlier(than: to, by: 6, calendar) ?? to
    guard let days = calendar.days(from: from, through: to, atMost: HistoryDays.mostDays) else {
      throw Problem(
        .invalidParameter,
        "from \(from.excerpt(20)) and to \(to.excerpt(20)) found, two dates like 2026-11-21 in the order of time allowed"
      )
    }
    guard days.count <= HistoryDays.mostDays else {
      throw Problem(
        .invalidParameter, "more than \(HistoryDays.mostDays) days found, \(HistoryDays.mostDays) allowed")
    }
    var definitions = HistoryDefinitions()
    if let metres = call.query["radius_m"]?.double { definitions.radius = .metres(metres) }
    if let minutes = call.query["stay_minutes"]?.double { definitions.minimum = .minutes(minutes) }
    if let minutes = call.query["gap_minutes"]?.double { definitions.gap = .minutes(minutes) }
    do {
      let report = try await HistoryDays.read(
        days, of: device.id, account: signed.account, definitions, from: call.store)
      return (report, calendar)
    } catch is HistoryDays.TooManyFixes {
      throw Problem(
        .invalidParameter,
        "more than \(HistoryDays.mostFixes) positions found in the range; a shorter one allowed")
    }
  }

  private static func earlier(than date: String, by days: Int, _ calendar: HistoryCalendar) -> String? {
    guard let day = calendar.days(from: date, through: date, atMost: 1)?.first else { return nil }
    // Noon, so that a change of the clocks does not lead into another day.
    return calendar.date(of: day.start + .hours(12) - .hours(24 * Double(days)))
  }

  private static func timeZone(_ call: Call, _ signed: Signed) async throws -> TimeZone {
    if let name = call.query["time_zone"]?.string {
      guard let zone = TimeZone(identifier: name) else {
        throw Problem(
          .invalidParameter, "time_zone \(name.excerpt(60)) found, a name of the IANA database allowed")
      }
      return zone
    }
    let settings = try await call.store.settings(of: signed.account)
    return HistoryCalendar.timeZone(inSettings: settings.json)
  }

  private static func json(_ day: HistoryDays.DayReport) -> JSONValue {
    .object([
      ("date", .string(day.day.date)), ("from", day.day.start.json), ("to", day.day.end.json),
      ("fixes", .integer(Int64(day.fixes))), ("parts", .array(day.parts.map(json))),
      (
        "zones",
        .array(
          day.zones.map { zone in
            .object([
              ("zone_id", .string(zone.zone.description)), ("name", .string(zone.name.string)),
              ("seconds", .number(zone.time.seconds)),
            ])
          })
      ),
    ])
  }

  private static func json(_ part: HistoryDays.Part) -> JSONValue {
    var (kind, latitude, longitude, fixes, length) = (
      "gap", JSONValue.null, JSONValue.null, JSONValue.null, JSONValue.null
    )
    switch part.span.kind {
    case .stay(let centre, let count):
      kind = "stay"
      latitude = .number(centre.latitude.degrees)
      longitude = .number(centre.longitude.degrees)
      fixes = .integer(Int64(count))
    case .trip(let metres):
      kind = "trip"
      length = .number(metres.metres)
    case .gap: break
    }
    return .object([
      ("kind", .string(kind)), ("from", part.from.json), ("to", part.to.json),
      ("whole_from", part.span.from.json), ("whole_to", part.span.to.json), ("latitude", latitude),
      ("longitude", longitude), ("fixes", fixes), ("length_m", length),
      ("zone_ids", .array(part.zones.map { .string($0.description) })),
    ])
  }
}
