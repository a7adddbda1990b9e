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
    "`within`: rings when the devices come within the distance; `apart`: when they are farther apart after that."
  )
  private static let distance = Schema.Member.needed(
    "distance_m",
    .number(distances.lowerBound.metres...distances.upperBound.metres),
    "Distance between the two devices.")
  private static let horizons = Schema.integer(
    Int64(
      CompanionRules.allowedHorizon.lowerBound.seconds)...Int64(
        CompanionRules.allowedHorizon.upperBound.seconds))

  private static let companion = Schema.object([
    .needed("id", .id, ""), .needed("device_id", .id, "The account's device; the alarm rings for it."),
    .needed(
      "target_device_id", .optional(.id), "The other device, if it is the account's own too; else null."),
    .needed("name", .text(0...200), "Name of the companion."), trigger, distance,
    .needed("assurance", .words(assurances.map(\.1)), "Certainty required, as for a zone."),
    .needed("lost_after_s", horizons, "Age from which a position no longer counts; the loss is reported."),
    .needed("created_at", .time, ""),
    .needed(
      "state", .words(states),
      "`paused`: the device is disarmed. An alarm in one of the last three states has ended."),
  ])
  private static let about = Schema.object([
    .needed("id", .id, ""), .needed("watcher_login", .text(1...100), "Login of the person who is notified."),
    .needed("watcher_name", .text(0...200), ""), .needed("device_id", .id, "The account's device."),
    trigger, distance, .needed("created_at", .time, ""),
  ])

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/companions", name: "listCompanions",
      summary: "Lists the account's alarms about the distance between two devices",
      handler: .account { call, signed in
        let own = Set(try await call.store.devices(of: signed.account).map(\.id))
        return .items(try await call.store.companions(of: signed.account).map { json($0, own) })
      }, answers: [.json(.items(companion, upTo: Companion.most), "Alarms, latest first.")]),
    Route(
      method: .post, path: "/api/v1/companions", name: "createCompanion",
      summary: "Creates an alarm about the distance between one of the account's devices and another",
      handler: .account(create),
      body: .json(
        .object([
          .needed("device_id", .id, "The account's device; the alarm rings for it."),
          .allowed(
            "target_device_id", .optional(.id),
            "Another device of the account. Needed without `target_share_id`."),
          .allowed(
            "target_share_id", .optional(.id),
            "An accepted share with the precision `place` that ends in no zone."),
          .allowed("name", .optional(.text(1...200)), "Name of the companion; the other's name if left out."),
          trigger, distance,
          .allowed(
            "assurance", .words(assurances.map(\.1)),
            "Certainty required, as for a zone; `normal` if left out."),
          .allowed("lost_after_s", horizons, "Age from which a position no longer counts; 1800 if left out."),
        ])),
      answers: [.json(companion, "Created. The other device's owner sees it.", status: .created)]),
    Route(
      method: .put, path: "/api/v1/companions/{companion}", name: "putCompanion",
      summary:
        "Changes an alarm that has not ended; a new trigger, distance or assurance restarts it at once",
      handler: .account(put),
      body: .json(
        .object([
          .allowed("name", .text(1...200), "Name of the companion; unchanged if left out."), trigger,
          distance,
          .allowed(
            "assurance", .words(assurances.map(\.1)),
            "Certainty required, as for a zone; unchanged if left out."),
          .allowed(
            "lost_after_s", horizons, "Age from which a position no longer counts; unchanged if left out."),
        ])),
      answers: [.json(companion, "Changed. The other device's owner sees it.")]),
    Route(
      method: .get, path: "/api/v1/companions/{companion}/explain", name: "explainCompanion",
      summary:
        "Explains why an alarm about two devices rang at a time or did not: the deciding rule and its inputs",
      handler: .account(explain),
      query: [.init(name: "at", schema: .time, meaning: "Time to explain; now if left out.")],
      answers: [.json(explanation, "The deciding evaluation, by the alarm's present rules.")]),
    Route(
      method: .delete, path: "/api/v1/companions/{companion}", name: "endCompanion",
      summary: "Deletes an own alarm, or refuses another person's about one of the account's devices",
      handler: .account(end),
      answers: [.nothing("Ended. The owner of a refused alarm is notified.")]),
    Route(
      method: .get, path: "/api/v1/companions-about", name: "listCompanionsAbout",
      summary: "Lists other people's alarms about the distance to the account's devices",
      handler: .account { call, signed in
        .items(try await call.store.companions(about: signed.account).map(json))
      }, answers: [.json(.items(about, upTo: 100_000), "Alarms, latest first.")]),
  ]

  private static func create(_ call: Call, _ signed: Signed) async throws -> Response {
    guard let id = deviceID(call, "device_id") else { throw Problem.notFound }
    let device = try await call.store.device(id, of: signed.account)
    let (target, owner, called) = try await target(call, signed)
    guard target != device.id else {
      throw Problem.invalid("/target_device_id", "\(target) found, another device than device_id allowed")
    }
    let companion = Companion(
      try rules(call, of: .random(), on: device.id, former: nil), account: signed.account, target: target,
      name: call.json["name"]?.string ?? called, createdAt: call.now)
    call.subject.isNamed(companion.name)
    try await call.store.create(companion)
    if owner != signed.account {
      await call.note("createCompanion", signed.login, inLogOf: owner, by: signed)
      call.parts.core.hub.publish(owner)
    }
    try await changed(companion, call)
    let own = Set(try await call.store.devices(of: signed.account).map(\.id))
    return .json(json(companion, own), status: .created)
  }

  /// - Parameter former: the rules that stay where the request says nothing; nil for a new alarm.
  private static func rules(
    _ call: Call, of id: CompanionID, on device: DeviceID, former: CompanionRules?
  ) throws(Problem) -> CompanionRules {
    let when = call.json["when"]?.string
    let certainty = call.json["assurance"]?.string
    do throws(CompanionError) {
      return try CompanionRules(
        companion: id, device: device,
        trigger: triggers.first { $0.1 == when }?.0 ?? former?.trigger ?? .within,
        distance: call.json["distance_m"]?.double.map { .metres($0) } ?? former?.distance ?? .zero,
        assurance: assurances.first { $0.1 == certainty }?.0 ?? former?.assurance ?? .normal,
        horizon: call.json["lost_after_s"]?.double.map { .seconds($0) } ?? former?.horizon
          ?? CompanionRules.defaultHorizon)
    } catch {
      switch error {
      case .distanceOutOfRange(let given, let allowed):
        throw .invalid(
          "/distance_m",
          "\(given.metres) found, \(allowed.lowerBound.metres) to \(allowed.upperBound.metres) allowed")
      case .horizonOutOfRange(let given, let allowed):
        throw .invalid(
          "/lost_after_s",
          "\(given.seconds) found, \(allowed.lowerBound.seconds) to \(allowed.upperBound.seconds) allowed")
      }
    }
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
          "/target_share_id", "\(id) found, a share with the precision place that ends in no zone allowed")
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
    .needed("companion_id", .id, ""), .needed("name", .text(0...200), "Name of the companion."),
    .needed("is_watching", .boolean, "True if it was active at that time, by its present rules."),
    .needed("verdict", .optional(.text(1...100)), "Null if nothing had been evaluated by then."),
    .needed("sentence", .text(1...2000), "Decision and reason in plain words."),
    .needed("words", .text(0...1000), "The deciding rule, in words."),
    .needed("rings", .boolean, "True if this evaluation rang."),
    .needed("decided_at", .optional(.time), "Time of the decision."),
    .needed("measured_at", .optional(.time), ""),
    .needed("distance_m", .optional(.number(0...1e8)), "Distance between the two devices."),
    .needed("error_m", .optional(.number(0...1e9)), "Error of both positions, as used by the rule."),
    .needed("level_m", .optional(.number(0...1e8)), "Distance at which it rings."),
    .needed("closest_m", .optional(.number(0...1e8)), "Smallest distance on the way between positions."),
    .needed(
      "unknown", .optional(.words(["own", "other"])),
      "Device of unknown position at that time, so that nothing could ring."),
    .needed("unknown_since", .optional(.time), "Time at which it was last known."),
  ])

  private static func explain(_ call: Call, _ signed: Signed) async throws -> Response {
    let id = CompanionID(rawValue: try call.id("companion"))
    let at = call.query["at"]?.string.flatMap(RFC3339.instant(from:)) ?? call.now
    let past = try await CompanionPast.read(id, of: signed.account, at: at, now: call.now, call.store)
    guard let past else {
      throw Problem(.gone, "the alarm has ended: data of the other device is no longer shown")
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
      throw Problem(.conflict, "the alarm has ended: create a new one")
    }
    let companion = try await call.store.edit(
      try rules(call, of: id, on: before.device, former: before.rules),
      name: call.json["name"]?.string ?? before.name, of: signed.account, at: call.now)
    call.subject.isNamed(companion.name)
    if let owner = try await found({ try await call.store.device(target) })?.account,
      owner != signed.account
    {
      await call.note("putCompanion", signed.login, inLogOf: owner, by: signed)
      call.parts.core.hub.publish(owner)
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
      call.parts.core.hub.publish(companion.account)
    } else {
      call.subject.isNamed(companion.name)
      // Shows the end to the other phone's owner.
      if let target = companion.target,
        let owner = try await found({ try await call.store.device(target) })?.account
      {
        call.parts.core.hub.publish(owner)
      }
    }
    try await changed(companion, call)
    return .nothing
  }

  /// Reloads both devices, so that alarms change at once.
  private static func changed(_ companion: Companion, _ call: Call) async throws {
    for device in [companion.device, companion.target].compactMap({ $0 }) {
      try await found { try await call.parts.alarms.engines.deviceChanged(device) }
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
      ("name", .string(companion.name)), ("when", word(companion.rules.trigger)),
      ("distance_m", .number(companion.rules.distance.metres)),
      ("assurance", .string(assurances.first { $0.0 == companion.rules.assurance }?.1 ?? "")),
      ("lost_after_s", .integer(companion.rules.horizon.milliseconds / 1000)),
      ("created_at", companion.createdAt.json), ("state", .string(state)),
    ])
  }

  private static func json(_ each: CompanionAbout) -> JSONValue {
    .object([
      ("id", .string(each.companion.id.description)), ("watcher_login", .string(each.watcherLogin)),
      ("watcher_name", .string(each.watcherName)),
      ("device_id", .string(each.companion.target?.description ?? "")),
      ("when", word(each.companion.rules.trigger)),
      ("distance_m", .number(each.companion.rules.distance.metres)),
      ("created_at", each.companion.createdAt.json),
    ])
  }
}
