import AlarmEngine
import AlarmService
import Delivery
import Formats
import HTTPTypes
import Hummingbird
import Store

/// Phones that are to be at a zone by a time of day: "Ben is at School by 08:00, Monday to Friday". If one has not
/// arrived by then, an alarm rings, above all if it is silent.
enum ExpectedArrivalRoutes {
  private static let windows =
    ExpectedArrival.allowedWindow.lowerBound.minutes...ExpectedArrival.allowedWindow.upperBound.minutes
  private static let days = Schema.list(.integer(1...7), count: 1...7)
  private static let timeZone = Schema.text(1...100)
  private static let expected = Schema.object([
    .needed("id", .id, ""), .needed("zone_id", .id, "The zone at which the phone is to be."),
    .needed("device_id", .id, "The phone, whose alarm it becomes."),
    .needed("time", .clock, "By when the phone is to be there."),
    .needed("weekdays", days, "1 is Monday."),
    .needed("time_zone", timeZone, "Name in the IANA database, by whose clocks the time counts."),
    .needed(
      "window_min", .integer(windows), "For how many minutes before the time being there counts as arrived."),
    .needed("is_enabled", .boolean, "False rings nothing."),
    .needed("next_due", .optional(.time), "The next time by which the phone is to be there; null if off."),
    .needed("created_at", .time, ""),
  ])

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/expected-arrivals", name: "listExpectedArrivals",
      summary: "Lists by when phones are to be at zones",
      handler: .account { call, signed in
        .items(try await call.store.expectedArrivals(of: signed.account).map { json($0) })
      },
      answers: [.json(.items(expected, upTo: ExpectedArrival.most), "Expected arrivals, the oldest first.")]),
    Route(
      method: .post, path: "/api/v1/expected-arrivals", name: "createExpectedArrival",
      summary: "Has an alarm ring if a phone is not at a zone by a time of day, also if the phone is silent",
      handler: .account(create),
      body: .json(
        .object([
          .needed("zone_id", .id, "One of the account's own zones."),
          .allowed(
            "device_id", .id, "One of the account's phones; may be left out if the account has one device."),
          .needed("time", .clock, "By when the phone is to be there."),
          .needed("weekdays", days, "1 is Monday."),
          .needed("time_zone", timeZone, "Name in the IANA database, such as `Europe/Berlin`."),
          .allowed(
            "window_min", .integer(windows),
            "For how many minutes before the time being there counts as arrived; 60 if left out."),
          .allowed("is_enabled", .boolean, "True if left out."),
        ])),
      answers: [
        .json(expected, "Created.", status: .created),
        .json(expected, "The one created earlier with the same Idempotency-Key."),
      ], isIdempotentByKey: true),
    Route(
      method: .get, path: "/api/v1/expected-arrivals/{expected}", name: "getExpectedArrival",
      summary: "Returns by when a phone is to be at a zone",
      handler: .account { call, signed in
        .json(json(try await call.store.expectedArrival(try id(call), of: signed.account)))
      }, answers: [.json(expected, "The expected arrival.")]),
    Route(
      method: .patch, path: "/api/v1/expected-arrivals/{expected}", name: "editExpectedArrival",
      summary: "Changes by when a phone is to be at a zone; members that are left out stay",
      handler: .account(edit),
      body: .json(
        .object([
          .allowed("zone_id", .id, "One of the account's own zones."),
          .allowed("device_id", .id, "One of the account's phones."),
          .allowed("time", .clock, "By when the phone is to be there."),
          .allowed("weekdays", days, "1 is Monday."),
          .allowed("time_zone", timeZone, "Name in the IANA database, such as `Europe/Berlin`."),
          .allowed(
            "window_min", .integer(windows),
            "For how many minutes before the time being there counts as arrived."),
          .allowed("is_enabled", .boolean, "False ends an alarm that rings."),
        ])), answers: [.json(expected, "Changed.")]),
    Route(
      method: .delete, path: "/api/v1/expected-arrivals/{expected}", name: "deleteExpectedArrival",
      summary: "Deletes an expected arrival; its alarm ends",
      handler: .account(delete), answers: [.nothing("Deleted.")]),
  ]

  private static func id(_ call: Call) throws(Problem) -> ExpectedArrivalID {
    ExpectedArrivalID(rawValue: try call.id("expected"))
  }

  private static func create(_ call: Call, _ signed: Signed) async throws -> Response {
    let account = try await call.store.account(signed.account)
    guard !account.isPrivate else { throw StoreError.privateAccount }
    let time = try time(call, former: nil)
    let made = ExpectedArrival(
      id: call.newID(ExpectedArrivalID.self, for: signed, "expected-arrivals"), account: account.id,
      zone: try await zone(call, signed, former: nil),
      device: try await device(call, signed, former: nil), time: time,
      window: window(call) ?? ExpectedArrival.defaultWindow, isEnabled: call.json["is_enabled"]?.flag ?? true,
      createdAt: call.now, nextDue: ArrivalTimes.next(time, after: call.now))
    let (stored, isNew) = try await call.once {
      try await call.store.create(made, at: call.now)
      return made
    } find: {
      try await call.store.expectedArrival(made.id, of: signed.account)
    }
    try await call.expectedArrivalsChanged(signed.account)
    return .json(
      json(stored), status: isNew ? .created : .ok,
      headers: [.location: "/api/v1/expected-arrivals/\(stored.id)"])
  }

  private static func edit(_ call: Call, _ signed: Signed) async throws -> Response {
    let former = try await call.store.expectedArrival(try id(call), of: signed.account)
    let time = try time(call, former: former.time)
    // A time that has just passed is still judged, unless another one is set.
    let isPassing = former.isEnabled && former.time == time && former.nextDue <= call.now
    let saved = ExpectedArrival(
      id: former.id, account: former.account, zone: try await zone(call, signed, former: former.zone),
      device: try await device(call, signed, former: former.device), time: time,
      window: window(call) ?? former.window, isEnabled: call.json["is_enabled"]?.flag ?? former.isEnabled,
      createdAt: former.createdAt,
      nextDue: isPassing ? former.nextDue : ArrivalTimes.next(time, after: call.now))
    try await call.store.save(saved, at: call.now)
    try await call.expectedArrivalsChanged(signed.account)
    return .json(json(saved))
  }

  private static func delete(_ call: Call, _ signed: Signed) async throws -> Response {
    try await call.store.deleteExpectedArrival(try id(call), of: signed.account, at: call.now)
    try await call.expectedArrivalsChanged(signed.account)
    return .nothing
  }

  // MARK: Reading

  private static func time(
    _ call: Call, former: ExpectedArrival.Time?
  ) throws(Problem) -> ExpectedArrival.Time {
    let timeZone = call.json["time_zone"]?.string ?? former?.timeZone ?? ""
    guard TimeZoneOffsets.isKnown(timeZone) else {
      throw .invalid(
        "/time_zone",
        "\(timeZone.excerpt(60)) found, a name of the IANA database such as Europe/Berlin allowed")
    }
    var days = former?.days ?? []
    if let list = call.json["weekdays"]?.list {
      days = Schedule.Weekdays(rawValue: list.compactMap(\.whole).reduce(0) { $0 | 1 << UInt8($1 - 1) })
    }
    let minute = call.json["time"]?.string.flatMap { ClockTime.minute(of: $0) } ?? former?.minute ?? 0
    guard let time = ExpectedArrival.Time(minute: minute, days: days, timeZone: timeZone) else {
      throw .invalid("/weekdays", "no weekday found, one to seven allowed")
    }
    return time
  }

  private static func window(_ call: Call) -> TimeSpan? {
    call.json["window_min"]?.whole.map { .minutes(Double($0)) }
  }

  private static func zone(_ call: Call, _ signed: Signed, former: ZoneID?) async throws -> ZoneID {
    let given = call.json["zone_id"]?.string.flatMap { parsedID($0) }.map(ZoneID.init(rawValue:))
    guard let id = given ?? former else { throw Problem.notFound }
    guard try await found({ try await call.store.zone(id, of: signed.account) }) != nil else {
      throw Problem(.notFound, "/zone_id: \(id) found, one of the account's own zones allowed")
    }
    return id
  }

  private static func device(
    _ call: Call, _ signed: Signed, former: DeviceID?
  ) async throws -> DeviceID {
    let given = call.json["device_id"]?.string.flatMap { parsedID($0) }.map(DeviceID.init(rawValue:))
    guard let id = given ?? former else {
      let devices = try await call.store.devices(of: signed.account)
      guard devices.count == 1, let only = devices.first else {
        throw Problem.invalid(
          "/device_id",
          "nothing found, the id of one of the account's devices allowed: it has \(devices.count) of them")
      }
      return only.id
    }
    guard try await found({ try await call.store.device(id, of: signed.account) }) != nil else {
      throw Problem(.notFound, "/device_id: \(id) found, one of the account's own devices allowed")
    }
    return id
  }

  private static func json(_ expected: ExpectedArrival) -> JSONValue {
    .object([
      ("id", .string(expected.id.description)), ("zone_id", .string(expected.zone.description)),
      ("device_id", .string(expected.device.description)),
      ("time", .string(ClockTime.text(minute: expected.time.minute))),
      ("weekdays", .array(expected.time.days.numbers.map { .integer(Int64($0)) })),
      ("time_zone", .string(expected.time.timeZone)),
      ("window_min", .integer(expected.window.minutes)), ("is_enabled", .bool(expected.isEnabled)),
      ("next_due", expected.isEnabled ? expected.nextDue.json : .null),
      ("created_at", expected.createdAt.json),
    ])
  }
}
