import AlarmEngine
import AlarmService
import Formats
import HTTPTypes
import Hummingbird
import Store

/// A person's check-in: "I am back by 18:00". If the time passes without an end, an alarm rings as SOS does.
enum CheckInRoutes {
  private static let minutes = CheckIn.ahead.lowerBound.minutes...CheckIn.ahead.upperBound.minutes
  private static let checkIn = Schema.object([
    .needed(
      "state", .words(["none", "running", "missed"]),
      "`missed` from the time on until the person is back; the alarm `alarm_id` rings until somebody answers."
    ),
    .needed("back_by", .optional(.time), "By when the person wants to be back."),
    .needed("set_at", .optional(.time), "When it was set or prolonged."),
    .needed("note", .text(0...CheckIn.noteLength.upperBound), ""),
    .needed("phone_id", .optional(.id), "The phone whose last place is told."),
    .needed("missed_at", .optional(.time), "When the alarm began to ring."),
    .needed("alarm_id", .optional(.id), "The alarm, once it rings."),
  ])

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/check-in", name: "getCheckIn", summary: "Returns the person's check-in",
      handler: .account { call, signed in json(try await call.store.checkIn(of: signed.account)) },
      answers: [.json(checkIn, "The check-in; `none` if there is none.")]),
    Route(
      method: .put, path: "/api/v1/check-in", name: "putCheckIn",
      summary:
        "Sets by when the person wants to be back, in place of an earlier check-in. One that was missed is over by it",
      handler: .account(set),
      body: .json(
        .object([
          .allowed(
            "back_by", .time, "By when: 1 minute to 7 days ahead. Either this or `minutes` is given."),
          .allowed("minutes", .integer(minutes), "In how many minutes."),
          .allowed(
            "note", .text(0...CheckIn.noteLength.upperBound), "For those who are told; empty if left out."),
          .allowed(
            "phone_id", .id,
            "The phone that the person carries, whose last known place is told; if left out, the account's phone that "
              + "was located last."),
        ])), answers: [.json(checkIn, "The check-in.")]),
    Route(
      method: .post, path: "/api/v1/check-in/prolong", name: "prolongCheckIn",
      summary: "Moves the time later, from now on if it is over, and at most to 7 days ahead",
      handler: .account(prolong),
      body: .json(.object([.needed("minutes", .integer(minutes), "By how much.")])),
      answers: [.json(checkIn, "The check-in.")]),
    Route(
      method: .delete, path: "/api/v1/check-in", name: "endCheckIn",
      summary: "Ends the check-in: the person is back. Everybody who was told that it was missed learns this",
      handler: .account(end), answers: [.json(checkIn, "The state `none`, also if there was no check-in.")]),
  ]

  private static func set(_ call: Call, _ signed: Signed) async throws -> Response {
    let dueAt: Instant
    let length = call.json["minutes"]?.whole
    switch (length, call.json["back_by"]?.string.flatMap(RFC3339.instant(from:))) {
    case (let length?, nil): dueAt = call.now + .minutes(Double(length))
    case (nil, let time?): dueAt = try allowed(time, at: call.now)
    default: throw Problem.invalid("", "one of back_by and minutes has to be given, both or neither found")
    }
    let account = try await call.store.account(signed.account)
    guard !account.isPrivate else { throw StoreError.privateAccount }
    let phone = call.json["phone_id"]?.string.flatMap { parsedID($0) }.map(DeviceID.init(rawValue:))
    let checkIn = CheckIn(
      account: account.id, device: try await DistressRoutes.device(of: account, call).id, phone: phone,
      note: Text(call.json["note"]?.string ?? ""), setAt: call.now, dueAt: dueAt, isSpan: length != nil)
    try await call.store.set(checkIn, at: call.now)
    try await call.checkInChanged(account.id)
    return json(checkIn)
  }

  private static func allowed(_ time: Instant, at now: Instant) throws(Problem) -> Instant {
    let range = now + CheckIn.ahead.lowerBound...now + CheckIn.ahead.upperBound
    guard range.contains(time) else {
      let (first, last) = (RFC3339.string(from: range.lowerBound), RFC3339.string(from: range.upperBound))
      throw Problem.invalid("/back_by", "\(RFC3339.string(from: time)) found, \(first) to \(last) allowed")
    }
    return time
  }

  private static func prolong(_ call: Call, _ signed: Signed) async throws -> Response {
    let span = TimeSpan.minutes(Double(call.json["minutes"]?.whole ?? 0))
    let prolonged = try await call.store.prolongCheckIn(of: signed.account, by: span, at: call.now)
    guard let prolonged else { throw Problem(.notFound, "no check-in runs that could be prolonged") }
    try await call.checkInChanged(signed.account)
    return json(prolonged)
  }

  private static func end(_ call: Call, _ signed: Signed) async throws -> Response {
    if try await call.store.endCheckIn(of: signed.account, at: call.now) != nil {
      try await call.checkInChanged(signed.account)
    }
    return json(nil)
  }

  private static func json(_ checkIn: CheckIn?) -> Response {
    let isMissed = checkIn?.missedAt != nil
    return .json(
      .object([
        ("state", .string(checkIn == nil ? "none" : isMissed ? "missed" : "running")),
        ("back_by", checkIn?.dueAt.json ?? .null), ("set_at", checkIn?.setAt.json ?? .null),
        ("note", .string(checkIn?.note.string ?? "")),
        ("phone_id", checkIn?.phone.map { .string($0.description) } ?? .null),
        ("missed_at", checkIn?.missedAt?.json ?? .null),
        ("alarm_id", checkIn.flatMap { isMissed ? .string($0.alarm.description) : nil } ?? .null),
      ]))
  }
}

extension TimeSpan {
  /// Whole minutes.
  var minutes: Int64 { milliseconds / 60_000 }
}
