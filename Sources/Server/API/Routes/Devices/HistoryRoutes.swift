import AlarmEngine
import AlarmService
import Formats
import Geometry
import HTTPTypes
import Hummingbird
import Store

/// A device's positions, and explanations of why a zone rang there or did not.
enum HistoryRoutes {
  static let fixMembers: [Schema.Member] = [
    .needed("measured_at", .time, "Time of measurement by the phone."),
    .needed("received_at", .time, "Time of receipt by the server; for imports, the start of the import."),
    .needed("latitude", .number(-90...90), ""), .needed("longitude", .number(-180...180), ""),
    .needed("accuracy_m", .optional(.number(-1e9...1e9)), "Null if the phone states none."),
    .needed("speed_m_s", .optional(.number(0...1e6)), ""),
    .needed("course_deg", .optional(.number(-360...360)), "Degrees clockwise from north."),
  ]
  private static let told: [Schema.Member] = [
    .needed("altitude_m", .optional(.number(-1e8...1e8)), ""),
    .needed(
      "vertical_accuracy_m", .optional(.number(0...1e8)),
      "One standard deviation; null if the phone states none."),
    .needed(
      "altitude_reference", .optional(.words(["sea_level", "unknown"])),
      "Reference of the altitude; null if no altitude is used in decisions."),
    .needed("battery", .optional(.number(0...1)), ""), .needed("is_charging", .optional(.boolean), ""),
    .needed("motion", .optional(.list(.text(0...1000), upTo: 1000)), "Motion as reported by the phone."),
    .needed("alarm", .optional(.text(0...1000)), "`sos`: the SOS button was pressed."),
  ]
  private static let range: [Route.Query] = [
    .init(name: "from", schema: .time, meaning: "Start of the range; a day before `to` if left out."),
    .init(name: "to", schema: .time, meaning: "End of the range; now if left out."),
    .init(name: "limit", schema: .integer(1...10_000), meaning: "Maximum number of fixes; 1000 if left out."),
  ]
  /// The most fixes in one GPX file.
  private static let maximumExport = 200_000

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/devices/{device}/fixes", name: "listFixes",
      summary: "Lists a device's fixes in the order of time, from the start of the range",
      handler: .account { call, signed in
        let limit = Int(call.query["limit"]?.whole ?? 1000)
        let found = try await fixes(call, signed, limit: limit + 1)
        let next = found.count > limit ? found[limit].fix.measuredAt.json : .null
        return .json(
          .object([("items", .array(found.prefix(limit).map(json))), ("next_from", next)]))
      }, query: range,
      answers: [
        .json(
          .object([
            .needed("items", .list(.object(fixMembers + told), upTo: 10_000), ""),
            .needed(
              "next_from", .optional(.time), "Value of `from` for the next fixes; null if there are no more."),
          ]), "Fixes.")
      ]),
    Route(
      method: .get, path: "/api/v1/devices/{device}/fixes.gpx", name: "exportTrack",
      summary: "Exports a device's fixes as a GPX file", handler: .account(exportTrack),
      query: Array(range.prefix(2)),
      answers: [.media(["application/gpx+xml"], "GPX 1.1.")]),
    Route(
      method: .get, path: "/api/v1/devices/{device}/explain", name: "explain",
      summary: "Explains why a zone rang at a time or did not: the deciding rule and its inputs",
      handler: .account(ExplainedPast.explain),
      query: [
        .init(
          name: "zone", schema: .id, meaning: "Zone, own or followed, now or at that time.", required: true),
        .init(name: "at", schema: .time, meaning: "Time to explain; now if left out."),
      ],
      answers: [
        .json(
          .object([
            .needed("zone_id", .id, ""), .needed("zone", .text(0...100_000), ""),
            .needed("verdict", .optional(.text(1...100)), "Null if nothing was known by then."),
            .needed("sentence", .optional(.text(1...101_000)), "Decision and reason in plain words."),
            .needed("words", .text(0...1000), "The deciding rule, in words."),
            .needed("rings", .boolean, "True if this evaluation rang."),
            .needed("decided_at", .optional(.time), "Time of the decision."),
            .needed("measured_at", .optional(.time), "Time of the fix that decided."),
            .needed("latitude", .optional(.number(-90...90)), ""),
            .needed("longitude", .optional(.number(-180...180)), ""),
            .needed("accuracy_m", .optional(.number(0...1e9)), ""),
            .needed("error_m", .optional(.number(0...1e9)), "Error of the position, as used by the rule."),
            .needed(
              "distance_m", .optional(.number(-1e8...1e8)), "Distance to the effective edge, negative inside."
            ),
            .needed("level_m", .optional(.number(-1e8...1e8)), "Distance at which it rings."),
            .needed(
              "altitude_m", .optional(.number(-1e8...1e8)),
              "Altitude of the phone, if the zone has a floor or a ceiling."),
            .needed(
              "altitude_error_m", .optional(.number(0...1e9)), "Error of the altitude, as used by the rule."),
            .needed("floor_m", .optional(.number(.floor)), "Floor of the zone above sea level."),
            .needed("ceiling_m", .optional(.number(.ceiling)), "Ceiling of the zone above sea level."),
            .needed(
              "closest_m", .optional(.number(-1e8...1e8)),
              "Smallest distance on the way since the previous fix."),
            .needed(
              "put_aside_at", .optional(.time),
              "Time of the last fix, if it was put aside as unreachable at the maximum speed. The next fix decides."
            ),
            .needed(
              "put_aside_in_zone", .optional(.boolean),
              "True if that fix lies where the zone rings, so that the phone may be there. Null if none is put aside."
            ),
          ]), "The evaluation that decided about the zone at that time, else the one in force then."
        )
      ]),
  ]

  private static func json(_ stored: StoredFix) -> JSONValue {
    let (charging, motion, alarm) = stored.told
    return .object(
      (json(stored.fix).members ?? []) + [
        ("altitude_m", stored.altitude.map { .number($0.metres) } ?? .null),
        ("vertical_accuracy_m", stored.fix.altitude?.error.map { .number($0.metres) } ?? .null),
        (
          "altitude_reference",
          stored.fix.altitude.map { .string($0.reference == .seaLevel ? "sea_level" : "unknown") } ?? .null
        ),
        ("battery", stored.battery.map { .number($0) } ?? .null), ("is_charging", charging),
        ("motion", motion), ("alarm", alarm),
      ])
  }

  static func json(_ fix: Fix) -> JSONValue {
    let accuracy = fix.accuracy.stated.map { JSONValue.number($0.metres) } ?? .null
    return .object([
      ("measured_at", fix.measuredAt.json), ("received_at", fix.receivedAt.json),
      ("latitude", .number(fix.position.latitude.degrees)),
      ("longitude", .number(fix.position.longitude.degrees)), ("accuracy_m", accuracy),
      ("speed_m_s", fix.speed.map { .number($0.metresPerSecond) } ?? .null),
      ("course_deg", fix.course.map { .number($0.degrees) } ?? .null),
    ])
  }

  private static func fixes(_ call: Call, _ signed: Signed, limit: Int) async throws -> [StoredFix] {
    let device = try await call.store.device(try DeviceRoutes.id(call), of: signed.account)
    let to = call.query["to"]?.string.flatMap(RFC3339.instant(from:)) ?? call.now
    let from = call.query["from"]?.string.flatMap(RFC3339.instant(from:)) ?? to - .hours(24)
    guard from <= to else {
      throw Problem(.invalidParameter, "from is after to; a range in the order of time allowed")
    }
    return try await call.store.history(of: device.id, account: signed.account, in: from...to, limit: limit)
  }

  private static func exportTrack(_ call: Call, _ signed: Signed) async throws -> Response {
    let found = try await fixes(call, signed, limit: maximumExport + 1)
    guard found.count <= maximumExport else {
      throw Problem(
        .invalidParameter, "more than \(maximumExport) fixes found in the range; a shorter one allowed")
    }
    let device = try await call.store.device(try DeviceRoutes.id(call), of: signed.account)
    let track = TrackFile(
      devices: [.init(name: device.name, points: found.map { .init(fix: $0.fix) })],
      issues: [])
    return .bytes(Array(track.gpx().utf8), type: "application/gpx+xml", fileName: "track.gpx")
  }
}
