import AlarmEngine
import AlarmService
import Delivery
import Formats
import HTTPTypes
import Hummingbird
import Logging
import Store

/// Channels: the destinations of alarms. The configuration of a channel is never shown again, except for its
/// destination as far as that is no secret.
enum ChannelRoutes {
  private static let kinds = ChannelKind.allCases.map(\.rawValue)
  private static let common: [Schema.Member] = [
    .needed("name", .text(0...200), "Display name."),
    .allowed("is_active", .boolean, "True if alarms are sent to it; true if left out."),
    .allowed(
      "escalation_step", .escalationStep, "Step 0 is notified at once, later steps if nobody has answered."),
    .allowed("rule", .optional(ChannelRuleJSON.schema), "The notices that are sent; null for all."),
    .allowed(
      "daily_test", .optional(.clock),
      """
      Time of the daily test in the account's time zone; null for none. \
      A test that does not arrive within an hour is reported to the other channels.
      """
    ),
  ]
  private static let configuration = Schema.Member.needed(
    "configuration", .anyObject, "Address and secrets, as required by the kind; never returned.")
  private static let channel = Schema.object([
    .needed("id", .id, ""), .needed("revision", .integer(1...Int64.max), ""),
    .needed("kind", .words(kinds), ""),
    .needed("name", .text(0...200), ""),
    .needed("leads_to", .text(0...1000), "Destination, without secrets."),
    .needed("is_active", .boolean, ""), .needed("escalation_step", .escalationStep, ""),
    .needed("rule", ChannelRuleJSON.storedSchema, "The notices that are sent."),
    .needed(
      "missing_zone_ids", .list(.id, upTo: ChannelRule.maximumZones),
      "Zones of the rule that the account does not watch, for example because they were deleted."),
    .needed("created_at", .time, ""),
    .needed(
      "daily_test", .optional(.clock), "Time of the daily test in the account's time zone; null for none."),
    .needed(
      "last_test",
      .optional(
        .object([
          .needed("at", .time, ""),
          .needed("failure", .optional(.text(0...1000)), "Reason why it did not arrive; null if it did."),
        ])), "The last test; null if there was none."),
    .needed(
      "awaits_confirmation", .boolean,
      "True for mail if the address is not confirmed yet, so that no alarm is sent to it."),
  ])
  static let maximumChannels = 100

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/channels", name: "listChannels", summary: "Lists the account's channels",
      handler: .account { call, signed in
        let channels = try await call.store.channels(of: signed.account)
        let mail = try await call.store.mailAddresses(of: signed.account)
        let zones = try await zones(of: signed.account, for: channels, call)
        return .items(channels.map { json($0, mail, zones) })
      }, answers: [.json(.items(channel, upTo: 10_000), "Channels, by step and name.")]),
    Route(
      method: .post, path: "/api/v1/channels", name: "createChannel", summary: "Creates a channel",
      handler: .account(create),
      body: .json(.object([.needed("kind", .words(kinds), ""), configuration] + common)),
      answers: [
        .json(channel, "The channel.", status: .created, hasETag: true),
        .json(channel, "The channel created earlier with the same Idempotency-Key.", hasETag: true),
      ], isIdempotentByKey: true),
    Route(
      method: .get, path: "/api/v1/channels/{channel}", name: "getChannel", summary: "Returns one channel",
      handler: .account { call, signed in
        try await answer(try await call.store.channel(try id(call), of: signed.account), call)
      }, answers: [.json(channel, "The channel.", hasETag: true)]),
    Route(
      method: .put, path: "/api/v1/channels/{channel}", name: "putChannel",
      summary: "Saves an edited channel",
      handler: .account(put), headers: [ZoneRoutes.ifMatch],
      body: .json(
        .object(
          common + [.allowed("configuration", .anyObject, "New configuration; unchanged if left out.")])),
      answers: [.json(channel, "Saved.", hasETag: true)]),
    Route(
      method: .delete, path: "/api/v1/channels/{channel}", name: "deleteChannel",
      summary: "Deletes a channel",
      handler: .account { call, signed in
        call.subject.isNamed(try await call.store.channel(try id(call), of: signed.account).name)
        try await call.store.deleteChannel(try id(call), of: signed.account, at: call.now)
        call.parts.core.hub.publish(signed.account)
        return .nothing
      }, answers: [.nothing("Deleted, with the messages waiting for it.")]),
    Route(
      method: .get, path: "/api/v1/channels/{channel}/preview", name: "previewChannel",
      summary: "Says which of the last alarms a channel would send by its rule, and in which words",
      handler: .account(preview),
      answers: [.json(.items(ChannelPreviewJSON.schema, upTo: 10), "The last ten alarms, the latest first.")]),
    Route(
      method: .post, path: "/api/v1/channels/{channel}/test", name: "testChannel",
      summary: "Sends a test at once and returns the delivery result", handler: .account(test),
      answers: [
        .json(DeliveryOutcome.schema, "The delivery result.")
      ]),
    Route(
      method: .post, path: "/api/v1/channels/{channel}/confirmation", name: "askToConfirmChannel",
      summary: "Mails the confirmation link of a mail channel again",
      handler: .account(askAgain),
      answers: [.nothing("Sent, unless the address is confirmed already.")]),
  ]

  private static func id(_ call: Call) throws(Problem) -> ChannelID {
    ChannelID(rawValue: try call.id("channel"))
  }

  /// The zones that the account watches. They are read only if a rule names zones.
  private static func zones(
    of account: AccountID, for channels: [Channel], _ call: Call
  ) async throws -> Set<ZoneID> {
    guard channels.contains(where: { !$0.rule.zones.isEmpty }) else { return [] }
    return Set(try await call.store.zoneSet(of: account).zones.map(\.id))
  }

  /// - Parameters:
  ///   - mail: the account's addresses.
  ///   - zones: the zones that the account watches.
  private static func json(_ channel: Channel, _ mail: [MailRecord], _ zones: Set<ZoneID>) -> JSONValue {
    let awaits = channel.mailAddress.map { address in
      !mail.contains { $0.address == address && $0.confirmedAt != nil }
    }
    let address = try? JSONValue.parse(Array(channel.address.utf8))
    return .object([
      ("id", .string(channel.id.description)), ("revision", .integer(channel.revision.rawValue)),
      ("kind", .string(channel.kind.rawValue)), ("name", .string(channel.name)),
      ("leads_to", .string(address?["leads_to"]?.string ?? "")), ("is_active", .bool(channel.isActive)),
      ("escalation_step", .integer(Int64(channel.escalationStep.number))),
      ("rule", ChannelRuleJSON.json(channel.rule)),
      (
        "missing_zone_ids",
        .array(channel.rule.zones.subtracting(zones).sorted().map { .string($0.description) })
      ), ("daily_test", channel.dailyTest.map { .string(ClockTime.text(minute: $0.minute)) } ?? .null),
      (
        "last_test",
        channel.lastTest.map {
          .object([("at", $0.at.json), ("failure", $0.failure.map { .string($0) } ?? .null)])
        } ?? .null
      ), ("created_at", channel.createdAt.json), ("awaits_confirmation", .bool(awaits ?? false)),
    ])
  }

  private static func answer(
    _ channel: Channel, _ call: Call, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let mail = channel.kind == .mail ? try await call.store.mailAddresses(of: channel.account) : []
    let zones = try await zones(of: channel.account, for: [channel], call)
    return .json(
      json(channel, mail, zones), revision: channel.revision, status: status,
      location: status == .created ? "/api/v1/channels/\(channel.id)" : nil)
  }

  /// Checks a channel's configuration. Registers with Home Assistant, so that a wrong address or token is
  /// reported at once.
  private static func configuration(
    _ value: JSONValue, _ kind: ChannelKind, of channel: ChannelID, _ call: Call, _ signed: Signed
  ) async throws -> (leadsTo: String, secrets: String) {
    let (services, policy) = (call.parts.alarms.services, call.parts.alarms.services.http.policy)
    let checked: ChannelConfiguration
    do throws(ConfigurationError) {
      checked = try ChannelConfiguration(kind: kind, json: Array(value.text.utf8), policy: policy)
    } catch {
      let place = "/configuration" + (error.field.isEmpty ? "" : "/" + error.field.pointerEscaped)
      throw Problem.invalid(place, "\(error.given) found; allowed: \(error.allowed)")
    }
    var secrets = value.text
    if case .homeAssistant(let target) = checked, target.accessToken != nil, target.registration == nil {
      try await countTest(call, signed)
      do throws(DeliveryFailure) {
        let device = HomeAssistantRegistration.Device(server: channel)
        let made = try await HomeAssistantRegistration.register(device, target, services.http)
        secrets = target.with(made).json.text
      } catch {
        call.logger.info("no registration", metadata: ["reason": "\(error)"])
        switch error {
        case .status(401, _), .status(403, _):
          throw Problem.invalid("/configuration/access_token", "Home Assistant refuses the token")
        case .status(404, _):
          throw Problem.invalid(
            "/configuration/instance", "no Home Assistant with the integration mobile_app answers there")
        default:
          throw Problem.invalid("/configuration/instance", error.told(of: .homeAssistant, policy))
        }
      }
    }
    return (JSONValue.object([("leads_to", .string(checked.summary))]).text, secrets)
  }

  /// Counts a test message against the rate limit.
  private static func countTest(_ call: Call, _ signed: Signed) async throws {
    if let seconds = try await call.parts.accounts.limits.shared.take(
      [(.channelTest, signed.account.description)], at: call.now)
    {
      throw Problem(.tooManyRequests, "too many tests", retryAfterSeconds: seconds)
    }
  }

  /// Asks the reader of a mail channel's address for confirmation, unless it is already confirmed.
  private static func askToConfirm(_ channel: Channel, _ call: Call, _ signed: Signed) async throws {
    guard let text = channel.mailAddress, let address = try? MailAddress(text),
      try await call.store.mailAddress(text, of: signed.account)?.confirmedAt == nil
    else { return }
    try await call.askToConfirm(address, for: signed)
  }

  private static func askAgain(_ call: Call, _ signed: Signed) async throws -> Response {
    let channel = try await call.store.channel(try id(call), of: signed.account)
    guard channel.kind == .mail else {
      throw Problem(.conflict, "\(channel.kind.rawValue) found; only mail channels are confirmed")
    }
    guard call.parts.alarms.services.mail != nil else {
      throw Problem(.conflict, "this server sends no mail")
    }
    try await askToConfirm(channel, call, signed)
    return .nothing
  }

  /// - Parameter former: the stored rule. What it names may stay, also if it is gone.
  private static func rule(
    _ call: Call, _ signed: Signed, former: ChannelRule = .everything
  ) async throws -> ChannelRule {
    let value = call.json.given("rule")
    var (zones, devices) = (former.zones, former.devices)
    if value?["zone_ids"]?.list?.isEmpty == false {
      zones.formUnion(try await call.store.zoneSet(of: signed.account).zones.map(\.id))
    }
    if value?["device_ids"]?.list?.isEmpty == false {
      devices.formUnion(try await call.store.devices(of: signed.account).map(\.id))
    }
    return try ChannelRuleJSON.rule(value, zones: zones, devices: devices)
  }

  private static func escalationStep(_ call: Call) throws(Problem) -> EscalationStep {
    let number = call.json["escalation_step"]?.whole ?? 0
    guard let step = Int(exactly: number).flatMap(EscalationStep.init) else {
      let allowed = EscalationStep.allowed
      throw .invalid(
        "/escalation_step", "\(number) found, \(allowed.lowerBound) to \(allowed.upperBound) allowed")
    }
    return step
  }

  private static func dailyTest(_ call: Call, _ signed: Signed) async throws -> DailyTest? {
    guard let minute = call.json.given("daily_test")?.string.flatMap(ClockTime.minute(of:)) else {
      return nil
    }
    let calendar = AccountCalendar(try await call.store.settings(of: signed.account))
    return DailyTest(minute: minute, nextAt: calendar.next(minute: minute, after: call.now))
  }

  private static func create(_ call: Call, _ signed: Signed) async throws -> Response {
    guard try await call.store.channels(of: signed.account).count < maximumChannels else {
      throw StoreError.tooMany(allowed: maximumChannels)
    }
    let kind = call.json["kind"]?.string.flatMap(ChannelKind.init(rawValue:)) ?? .webhook
    let id = call.newID(ChannelID.self, for: signed, "channels")
    if call.request.headers[.idempotencyKey] != nil,
      let there = try await found({ try await call.store.channel(id, of: signed.account) })
    {
      return try await answer(there, call)
    }
    let (address, secrets) = try await configuration(
      call.json["configuration"] ?? .null, kind, of: id, call, signed)
    let made = Channel(
      id: id, account: signed.account, kind: kind, name: call.json["name"]?.string ?? "",
      address: address, secrets: secrets, isActive: call.json["is_active"]?.flag ?? true,
      escalationStep: try escalationStep(call),
      rule: try await rule(call, signed), dailyTest: try await dailyTest(call, signed),
      createdAt: call.now)
    try await askToConfirm(made, call, signed)
    let (stored, isNew) = try await call.once {
      try await call.store.create(made)
      return try await call.store.channel(id, of: signed.account)
    } find: {
      try await call.store.channel(id, of: signed.account)
    }
    call.parts.core.hub.publish(signed.account)
    return try await answer(stored, call, status: isNew ? .created : .ok)
  }

  private static func put(_ call: Call, _ signed: Signed) async throws -> Response {
    let revision = try call.expectedRevision()
    var channel = try await call.store.channel(try id(call), of: signed.account)
    channel.name = call.json["name"]?.string ?? ""
    channel.isActive = call.json["is_active"]?.flag ?? true
    channel.escalationStep = try escalationStep(call)
    channel.rule = try await rule(call, signed, former: channel.rule)
    channel.dailyTest = try await dailyTest(call, signed)
    if let given = call.json["configuration"] {
      (channel.address, channel.secrets) = try await configuration(
        given, channel.kind, of: channel.id, call, signed)
      try await askToConfirm(channel, call, signed)
    }
    let saved = try await call.store.save(channel, over: revision, at: call.now)
    call.parts.core.hub.publish(signed.account)
    return try await answer(saved, call)
  }

  private static func preview(_ call: Call, _ signed: Signed) async throws -> Response {
    let channel = try await call.store.channel(try id(call), of: signed.account)
    let channels = try await call.store.channels(of: signed.account)
    let settings = try await call.store.settings(of: signed.account).json
    let alarms = try await call.store.alarms(of: signed.account, device: nil, before: nil, limit: 10)
    guard !alarms.isEmpty else { return .items([]) }
    let zones = Dictionary(
      try await call.store.zoneSet(of: signed.account).zones.map { ($0.id, $0) },
      uniquingKeysWith: { a, _ in a })
    let devices = Dictionary(
      try await call.store.devices(of: signed.account).map { ($0.id, $0) }, uniquingKeysWith: { a, _ in a })
    return .items(
      alarms.compactMap { alarm in
        guard let device = devices[alarm.device] else { return nil }
        let preview = ChannelPreview(
          of: alarm, to: channel, among: channels, zones: zones, device: device, settings: settings)
        return ChannelPreviewJSON.json(preview, of: alarm)
      })
  }

  private static func test(_ call: Call, _ signed: Signed) async throws -> Response {
    let channel = try await call.store.channel(try id(call), of: signed.account)
    try await countTest(call, signed)
    let outcome: DeliveryOutcome
    if try await call.parts.alarms.ways.mail.isConfirmed(channel) {
      do throws(DeliveryFailure) {
        outcome = try await deliverTest(channel, call)
      } catch { outcome = .refused(reason: error) }
    } else {
      outcome = .refused(reason: .unconfirmed)
    }
    let (kind, policy) = (channel.kind, call.parts.alarms.services.http.policy)
    try await call.store.record(
      ChannelTest(at: call.now, failure: outcome.failure?.told(of: kind, policy)), of: channel.id)
    if let failure = outcome.failure, failure.isHidden(of: kind, policy) {
      call.logger.info(
        "test failed", metadata: ["channel": "\(channel.id)", "reason": "\(failure)"])
    }
    return .json(outcome.json(of: kind, policy))
  }

  private static func deliverTest(
    _ channel: Channel, _ call: Call
  ) async throws(DeliveryFailure) -> DeliveryOutcome {
    let notice = AlarmNotice(
      alarm: .random(), sequence: 0, .test(nil), device: .init(id: .random(), name: "your phone"),
      time: call.now, learnedAt: call.now)
    return await (try call.parts.alarms.ways.way(to: channel)).deliver(notice)
  }
}

extension Schema {
  /// The number of an `EscalationStep`.
  static let escalationStep = Schema.integer(
    Int64(EscalationStep.allowed.lowerBound)...Int64(EscalationStep.allowed.upperBound))
}
