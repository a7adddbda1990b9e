import AlarmService
import Formats
import Hummingbird
import Store

/// Private mode: the server accepts no positions of the account, and stores none.
enum PrivateRoutes {
  private static let counts = Schema.object(
    words.map { .needed($0.name, .integer(0...Int64.max), $0.meaning) })
  private static let words: [(name: String, meaning: String, count: @Sendable (StoredPlaces) -> Int)] = [
    ("positions", "Positions, reported and imported.", { $0.positions }),
    ("zones", "Present and past zones.", { $0.zones }), ("reminders", "", { $0.reminders }),
    ("alarms", "", { $0.alarms }), ("collections", "", { $0.collections }), ("shares", "", { $0.shares }),
    (
      "others", "Events, commands, imports, unreadable reports, messages waiting for delivery.",
      { $0.others }
    ),
  ]
  private static let answer = Schema.object([
    .needed("is_private", .boolean, ""),
    .needed("stored", counts, "Numbers of the account's places on the server."),
    .needed("erased", counts, "Numbers of places erased by this request."),
  ])

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/account/private", name: "getPrivate",
      summary: "Returns whether the account is private, and the numbers of its places on the server",
      handler: .account { call, signed in
        let account = try await call.store.account(signed.account)
        return json(
          isPrivate: account.isPrivate, stored: try await call.store.storedPlaces(of: account.id),
          erased: StoredPlaces())
      }, answers: [.json(answer, "The mode.")]),
    Route(
      method: .put, path: "/api/v1/account/private", name: "putPrivate",
      summary:
        "Turns private mode on or off. While on, the server refuses every place of the account (`private-account`)",
      handler: .account(put),
      body: .json(
        .object([
          .needed("is_private", .boolean, ""),
          .allowed(
            "erase", .boolean,
            "True to erase the account's places on the server. Otherwise, if there are any, turning it on is refused "
              + "(`places-stored`)."),
        ])), answers: [.json(answer, "The mode after the request.")]),
  ]

  private static func json(isPrivate: Bool, stored: StoredPlaces, erased: StoredPlaces) -> Response {
    func counts(_ places: StoredPlaces) -> JSONValue {
      .object(words.map { ($0.name, .integer(Int64($0.count(places)))) })
    }
    return .json(
      .object([("is_private", .bool(isPrivate)), ("stored", counts(stored)), ("erased", counts(erased))]))
  }

  private static func put(_ call: Call, _ signed: Signed) async throws -> Response {
    var erased = StoredPlaces()
    if call.json["is_private"]?.flag == true {
      do {
        erased = try await PrivateMode.turnOn(
          for: signed.account, erasing: call.json["erase"]?.flag == true, call.store, at: call.now)
      } catch let refusal as PrivateMode.PlacesStored {
        throw Problem(
          .placesStored,
          "\(refusal.stored.words) of the account found on the server; with `erase` they are erased for good")
      }
      call.subject.isNamed("on")
    } else {
      try await call.store.setPrivate(false, signed.account, at: call.now)
      call.subject.isNamed("off")
    }
    call.parts.alarms.phones.forget([signed.account])
    try await call.zonesChanged([signed.account])
    return json(
      isPrivate: try await call.store.account(signed.account).isPrivate,
      stored: try await call.store.storedPlaces(of: signed.account), erased: erased)
  }
}
