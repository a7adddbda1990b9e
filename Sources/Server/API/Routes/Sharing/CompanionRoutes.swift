import AlarmEngine
import AlarmService
import Formats
import Geometry
import HTTPTypes
import Hummingbird
import NIOPosix
import Store

/// Alarms about the distance between two devices: one of the account's, and either another of its own or one
/// of a person who shares its position with the account.
enum CompanionRoutes {
  private static let triggers: [(CompanionTrigger, String)] = [(.within, "within"), (.apart, "apart")]
  private static let assurances: [(Assurance, String)] = [
    (.safety, "safety"), (.normal, "normal"), (.relaxed, "relaxed"),
  ]
  private static let states = ["watching", "paused", "not_shared", "refused", "device_gone"]

  private static let distances = CompanionRules.allowedDistance

  private static let trigger = Schema.Member.needed(
    "when", .words(triggers.map(\.1)),
    "`within`: rings when the two come within the distance; `apart`: when they are farther apart after that.")
  private static let distance = Schema.Member.needed(
    "distance_m",
    .number(distances.lowerBound.metres...distances.upperBound.metres),
    "Between the two devices.")
  private static let horizons = Schema.integer(
    Int64(
      CompanionRules.allowedHorizon.lowerBound.seconds)...Int64(
        CompanionRules.allowedHorizon.upperBound.seconds))

  private static let companion = Schema.object([
    .needed("id", .id, ""), .needed("device_id", .id, "The account's device; alarms ring as its."),
    .needed(
      "target_device_id", .optional(.id), "The other device where it is the account's own, too; else null."),
    .needed("name", .text(0...200), "Who is met."), trigger, distance,
    .needed("assurance", .words(assurances.map(\.1)), "As of a zone."),
    .needed("lost_after_s", horizons, "A position older than this says nothing; that is told."),
    .needed("created_at", .time, ""),
    .needed(
      "state", .words(states),
      "`paused`: while the device is disarmed. The last three have ended and ring no more."),
  ])
  private static let about = Schema.object([
    .needed("id", .id, ""), .needed("watcher_login", .text(1...100), "Who is told."),
    .needed("watcher_name", .text(0...200), ""), .needed("device_id", .id, "The account's device."),
    trigger, distance, .needed("created_at", .time, ""),
  ])

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/companions", name: "listCompanions",
      summary: "The account's alarms about the distance between two devices",
      handler: .account { call, signed in
        let own = Set(try await call.store.devices(of: signed.account).map(\.id))
        return .items(try await call.store.companions(of: signed.account).map { json($0, own) })
      }, answers: [.json(.items(companion, upTo: Companion.most), "The latest first.")]),
    Route(
      method: .post, path: "/api/v1/companions", name: "createCompanion",
      summary: "Sets an alarm about the distance between one of the account's devices and another",
      handler: .account(create),
      body: .json(
        .object([
          .needed("device_id", .id, "The account's device; alarms ring as its."),
          .allowed("target_device_id", .optional(.id), "Another device of the account; or:"),
          .allowed(
            "target_share_id", .optional(.id),
            "An accepted share that shows the account a place, without a zone in which it ends."),
          .allowed("name", .optional(.text(1...200)), "Who is met; left out: as the other is called."),
          trigger, distance,
          .allowed("assurance", .words(assurances.map(\.1)), "As of a zone; `normal` if left out."),
          .allowed("lost_after_s", horizons, "1800 if left out."),
        ])),
      answers: [.json(companion, "Set. The other device's owner sees it.", status: .created)]),
    Route(
      method: .put, path: "/api/v1/companions/{companion}", name: "putCompanion",
      summary: "Changes one that watches; another trigger, distance or assurance begins anew at once",
      handler: .account(put),
      body: .json(
        .object([
          .allowed("name", .text(1...200), "Who is met; left out: stays."), trigger, distance,
          .allowed("assurance", .words(assurances.map(\.1)), "As of a zone; left out: stays."),
          .allowed("lost_after_s", horizons, "Left out: stays."),
        ])),
      answers: [.json(companion, "Changed. The other device's owner sees it.")]),
    Route(
      method: .get, path: "/api/v1/companions/{companion}/explain", name: "explainCompanion",
      summary:
        "Why an alarm about two devices rang at a time, or did not: the rule that decided, and what it knew",
      handler: .account(explain),
      query: [.init(name: "at", schema: .time, meaning: "Now, if left out.")],
      answers: [.json(explanation, "The record that decided, by the rules that it has now.")]),
    Route(
      method: .delete, path: "/api/v1/companions/{companion}", name: "endCompanion",
      summary: "Deletes the account's own; refuses somebody else's about one of the account's devices",
      handler: .account(end),
      answers: [.nothing("It rings no more. Who set a refused one is told so.")]),
    Route(
      method: .get, path: "/api/v1/companions-about", name: "listCompanionsAbout",
      summary: "Who is told when the account's devices come near theirs, or part from them",
      handler: .account { call, signed in
        .items(try await call.store.companions(about: signed.account).map(json))
      }, answers: [.json(.items(about, upTo: 100_000), "The latest first.")]),
  ]

  private static func create(_ call: Call, _ signed: Signed) async throws -> Response {
    guard let id = deviceID(call, "device_id") else { throw Problem.notFound }
    let device = try await call.store.device(id, of: signed.account)
    let (target, owner, called) = try await target(call, signed)
    guard target != device.id else {
      throw Problem.invalid("/target_device_id", "\(target) found, another device than device_id allowed")
    }
    let when = call.json["when"]?.string
    let certainty = call.json["assurance"]?.string
    let companion = Companion(
      account: signed.account, device: device.id, target: target,
      name: call.json["name"]?.string ?? called,
      trigger: triggers.first { $0.1 == when }?.0 ?? .within,
      distance: .metres(call.json["distance_m"]?.double ?? 0),
      assurance: assurances.first { $0.1 == certainty }?.0 ?? .normal,
      horizon: call.json["lost_after_s"]?.double.map { .seconds($0) } ?? CompanionRules.defaultHorizon,
      createdAt: call.now)
    call.subject.isNamed(companion.name)
    try await call.store.create(companion)
    if owner != signed.account {
      await call.note("createCompanion", signed.login, inLogOf: owner, by: signed)
      call.parts.hub.publish(owner)
    }
    try await changed(companion, call)
    let own = Set(try await call.store.devices(of: signed.account).map(\.id))
    return .json(json(companion, own), status: .created)
  }

  private static func deviceID(_ call: Call, _ member: String) -> DeviceID? {
    call.json[member]?.string.flatMap { parsedID($0) }.map(DeviceID.init(rawValue:))
  }

  /// The other device of the alarm, with its owner and its name.
  private static func target(
    _ call: Call, _ signed: Signed
  ) async throws -> (device: DeviceID, owner: AccountID, name: String) {
    let share = call.json["target_share_id"]?.string.flatMap { parsedID($0) }.map(ShareID.init(rawValue:))
    switch (deviceID(call, "target_device_id"), share) {
    case (let id?, nil):
      let device = try await call.store.device(id, of: signed.account)
      return (device.id, signed.account, device.name)
    case (nil, let id?):
      let found = try await call.store.shares(with: signed.account, at: call.now).first { $0.share.id == id }
      guard let found, found.share.viewer == signed.account else { throw Problem.notFound }
      guard found.share.precision == .place, found.share.endsIn == nil else {
        throw Problem.invalid(
          "/target_share_id", "\(id) found, a share of the place that ends in no zone allowed")
      }
      return (
        found.share.device, found.share.owner, found.ownerName.isEmpty ? found.ownerLogin : found.ownerName
      )
    case (nil, nil), (_?, _?):
      throw Problem.invalid(
        "/target_device_id", "one of target_device_id and target_share_id allowed, both or neither found")
    }
  }

  private static let explanation = Schema.object([
    .needed("companion_id", .id, ""), .needed("name", .text(0...200), "Who is met."),
    .needed("is_watching", .boolean, "Whether it watched at that time, by the rules that it has now."),
    .needed("verdict", .optional(.text(1...100)), "Null: nothing was judged by then."),
    .needed("sentence", .text(1...2000), "What was decided and why, for everybody."),
    .needed("words", .text(0...1000), "The rule that decided, in words."),
    .needed("rings", .boolean, "Whether this evaluation rang."),
    .needed("decided_at", .optional(.time), ""), .needed("measured_at", .optional(.time), ""),
    .needed("distance_m", .optional(.number(0...1e8)), "Between the two."),
    .needed("error_m", .optional(.number(0...1e9)), "What the rule counts as the error of both."),
    .needed("level_m", .optional(.number(0...1e8)), "At which it rings."),
    .needed("closest_m", .optional(.number(0...1e8)), "Nearest on the ways between positions."),
    .needed(
      "unknown", .optional(.words(["own", "other"])),
      "Whose place was not known at that time: nothing could ring."),
    .needed("unknown_since", .optional(.time), "When it was last known."),
  ])

  private static func explain(_ call: Call, _ signed: Signed) async throws -> Response {
    let id = CompanionID(rawValue: try call.id("companion"))
    let at = call.query["at"]?.string.flatMap(RFC3339.instant(from:)) ?? call.now
    let past = try await CompanionPast.read(id, of: signed.account, at: at, now: call.now, call.store)
    guard let past else {
      throw Problem(.gone, "an alarm that has ended found: nothing of the other device is shown any more")
    }
    // Computed off the event loop: it may take a second, and would delay other requests.
    let answer = try await NIOThreadPool.singleton.runIfActive { past.explained() }
    return .json(answer.json(of: past.companion))
  }

  private static func put(_ call: Call, _ signed: Signed) async throws -> Response {
    let id = CompanionID(rawValue: try call.id("companion"))
    guard let before = try await call.store.companions(of: signed.account).first(where: { $0.id == id })
    else { throw Problem.notFound }
    guard before.end == nil, let target = before.target else {
      throw Problem(.conflict, "an alarm that has ended found, one that watches allowed: set it anew")
    }
    let when = call.json["when"]?.string
    let certainty = call.json["assurance"]?.string
    let companion = try await call.store.edit(
      id, of: signed.account,
      to: CompanionEdit(
        name: call.json["name"]?.string ?? before.name,
        trigger: triggers.first { $0.1 == when }?.0 ?? before.trigger,
        distance: call.json["distance_m"]?.double.map { .metres($0) } ?? before.distance,
        assurance: assurances.first { $0.1 == certainty }?.0 ?? before.assurance,
        horizon: call.json["lost_after_s"]?.double.map { .seconds($0) } ?? before.horizon), at: call.now)
    call.subject.isNamed(companion.name)
    if let owner = try await found({ try await call.store.device(target) })?.account,
      owner != signed.account
    {
      await call.note("putCompanion", signed.login, inLogOf: owner, by: signed)
      call.parts.hub.publish(owner)
    }
    try await changed(companion, call)
    let own = Set(try await call.store.devices(of: signed.account).map(\.id))
    return .json(json(companion, own))
  }

  private static func end(_ call: Call, _ signed: Signed) async throws -> Response {
    let id = CompanionID(rawValue: try call.id("companion"))
    let ended = try await call.store.end(id, by: signed.account, at: call.now)
    let companion = ended.companion
    if ended.isRefused {
      let watcher = try await call.store.account(companion.account).login
      call.subject.isNamed(watcher)
      await call.note("endCompanion", signed.login, inLogOf: companion.account, by: signed)
      call.parts.hub.publish(companion.account)
    } else {
      call.subject.isNamed(companion.name)
      // Shows the end to the other phone's owner.
      if let target = companion.target,
        let owner = try await found({ try await call.store.device(target) })?.account
      {
        call.parts.hub.publish(owner)
      }
    }
    try await changed(companion, call)
    return .nothing
  }

  /// Reloads both devices, so that alarms change at once.
  private static func changed(_ companion: Companion, _ call: Call) async throws {
    for device in [companion.device, companion.target].compactMap({ $0 }) {
      try await found { try await call.parts.engines.deviceChanged(device) }
    }
  }

  // MARK: Rendering

  private static func word(_ trigger: CompanionTrigger) -> JSONValue {
    .string(triggers.first { $0.0 == trigger }?.1 ?? "")
  }

  private static func json(_ companion: Companion, _ own: Set<DeviceID>) -> JSONValue {
    let target = companion.target.flatMap { own.contains($0) ? $0 : nil }
    let state =
      switch companion.end {
      case nil: companion.begins == nil ? "paused" : "watching"
      case .notShared: "not_shared"
      case .refused: "refused"
      case .deviceGone: "device_gone"
      }
    return .object([
      ("id", .string(companion.id.description)), ("device_id", .string(companion.device.description)),
      ("target_device_id", target.map { .string($0.description) } ?? .null),
      ("name", .string(companion.name)), ("when", word(companion.trigger)),
      ("distance_m", .number(companion.distance.metres)),
      ("assurance", .string(assurances.first { $0.0 == companion.assurance }?.1 ?? "")),
      ("lost_after_s", .integer(companion.horizon.milliseconds / 1000)),
      ("created_at", companion.createdAt.json), ("state", .string(state)),
    ])
  }

  private static func json(_ each: CompanionAbout) -> JSONValue {
    .object([
      ("id", .string(each.companion.id.description)), ("watcher_login", .string(each.watcherLogin)),
      ("watcher_name", .string(each.watcherName)),
      ("device_id", .string(each.companion.target?.description ?? "")),
      ("when", word(each.companion.trigger)), ("distance_m", .number(each.companion.distance.metres)),
      ("created_at", each.companion.createdAt.json),
    ])
  }
}
