import AlarmEngine
import Formats
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOConcurrencyHelpers
import Store
import TestSupport

@testable import AlarmService
@testable import Server

/// A whole server with its phones, people and channels, on clocks that only the simulation moves. Events come
/// from a seed, in any order, and the rules are checked after each.
actor ServerSimulation {
  struct Failure: Error, CustomStringConvertible {
    let seed: UInt64
    let at: TimeSpan
    let error: any Error
    let story: [String]
    var description: String {
      """
      After \(at.seconds) s: \(error)
      \(story.suffix(40).joined(separator: "\n"))
      Again: make server-simulation SEED=\(seed)
      """
    }
  }

  struct Report {
    let hours: Double
    let operations: Int
    let alarms: Int
    let deliveries: Int
    /// Decisions of two processes at once, and kills of one of them.
    let conflicts: Int
    let kills: Int
  }

  let seed: UInt64
  var random: SeededGenerator
  let clock = SimulatedClock(start: Instant(millisecondsSince1970: 1_795_000_000_000))
  let channels: SimulatedChannels
  let store: SQLStore
  let logged = NIOLockedValueBox<[String]>([])
  let account = AccountID(rawValue: 7)
  let engines: Int
  /// The names of the processes; every second server has two.
  let names: [String]
  /// The running processes.
  var processes: [SimulatedProcess] = []
  var token = ""
  var world: ServerWorld
  var rules = ServerRules()
  var story: [String] = []
  var operations = 0
  var number = 0
  var turns = 0
  var conflicts = 0
  var kills = 0

  /// - Parameter seed: determines all events.
  init(seed: UInt64) throws {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    channels = SimulatedChannels(clock: clock)
    world = ServerWorld(start: clock.start)
    store = try SQLStore.inMemory()
    // Every third server has memory for only one engine.
    engines = seed % 3 == 0 ? 1 : 50_000
    names = seed % 2 == 0 ? ["first", "second"] : ["first"]
  }

  /// Runs the simulation for `hours`.
  func run(hours: Double) async throws -> Report {
    let end = TimeSpan.hours(hours)
    do {
      try await store.create(
        Account(id: account, login: "anna", name: "Anna", passwordHash: nil, createdAt: clock.now))
      token = try await ProximityServer.newToken(
        store, account: account, device: nil, name: "people", at: clock.now)
      while clock.elapsed < end { try await live(until: end) }
    } catch {
      await noteStore()
      throw Failure(seed: seed, at: clock.elapsed, error: error, story: story)
    }
    try await store.close()
    conflicts += processes.map(\.conflicts).reduce(0, +)
    return Report(
      hours: hours, operations: operations, alarms: rules.alarmCount, deliveries: rules.deliveryCount,
      conflicts: conflicts, kills: kills)
  }

  func note(_ text: String) {
    let seconds = Int(clock.elapsed.seconds)
    story.append("  \(seconds / 3600):\(seconds / 60 % 60):\(seconds % 60)  \(text)")
    if ServerSimulationTests.tells { FileHandle.standardError.write(Data((story.last! + "\n").utf8)) }
  }

  /// Logs the store's contents, for finding the cause of a failure.
  func noteStore() async {
    note("as the store has it:")
    note("server's clock \(clock.offset.seconds) s ahead; \(world.channels)")
    if let due = try? await store.nextDeviceDue() { note("next due in \((due - clock.now).seconds) s") }
    if let due = try? await store.nextDue() { note("next delivery in \((due - clock.now).seconds) s") }
    for phone in world.phones {
      note("\(phone.id) is phone \(phone.number)")
      let events = try? await store.events(
        of: phone.id, account: account, in: Instant.allowed, limit: 6)
      for event in events ?? [] {
        let seconds = (event.event.time - clock.start).seconds
        note("  \(seconds) s: \("\(event.event.kind)".prefix(100))\(event.isRetracted ? " (not so)" : "")")
      }
    }
    for alarm in (try? await store.alarms(of: account, device: nil, before: nil, limit: 12)) ?? [] {
      note(
        "\(alarm.id) \(alarm.subject) \(alarm.state), rang \(alarm.rings) times, last \((clock.now - alarm.lastRangAt).seconds) s ago"
      )
    }
  }

  // MARK: Lives

  /// Runs from a start to the next stop.
  func live(until end: TimeSpan) async throws {
    let logged = logged
    let logger = Logger(label: "simulation") { label in
      JSONLogHandler(
        label: label, level: .error,
        sink: .init { line in logged.withLockedValue { $0.append(String(decoding: line, as: UTF8.self)) } })
    }
    if processes.isEmpty { world.awakeAt = clock.elapsed }
    world.startedAt = clock.elapsed
    for name in names where !processes.contains(where: { $0.name == name }) {
      processes.append(
        try await SimulatedProcess(
          name, store, clock, channels, logger: logger, engines: engines,
          patience: .milliseconds(Int64(300 + below(401)))))
    }
    let seed = random.next()
    let server = SimulatedServer(processes, clock)
    let applications = processes.map {
      Application(router: ProximityServer.router($0.parts), logger: logger)
    }
    try await applications[0].test(.router) { client in
      guard applications.count > 1 else {
        return try await self.live(server, SimulatedClient([client], seed: seed), until: end)
      }
      try await applications[1].test(.router) { other in
        try await self.live(server, SimulatedClient([client, other], seed: seed), until: end)
      }
    }
  }

  func live(
    _ started: SimulatedServer, _ client: SimulatedClient, until end: TimeSpan
  ) async throws {
    var server = started
    if world.phones.isEmpty { try await furnish(client) }
    try await settle(&server, until: clock.elapsed)
    while clock.elapsed < end {
      operations += 1
      processes = server.processes
      rules.noteCause(world.phones.count * (world.zones.count + 2))
      if try await happen(&server, client) { return }
      try await settle(&server, until: clock.elapsed)
      try await check()
      let last = clock.elapsed
      let next = min(end, last + (try await gap()))
      while clock.elapsed < next {
        let rest = clock.elapsed - last < .minutes(20) ? TimeSpan.minutes(10) : .hours(1)
        let step = try await rings() ? min(cycles(), rest) : rest
        try await settle(&server, until: min(next, clock.elapsed + step), stopsWhenTold: true)
        try await check()
        // A receiver is not broken for days.
        for (index, channel) in world.channels.enumerated() where channel.isBroken {
          if clock.elapsed - (channel.turnedAt ?? .zero) > .minutes(30) { breakOrMend(index) }
        }
        // Nobody lets an alarm ring for hours.
        if try await rings() {
          try await settle(&server, until: min(next, clock.elapsed + cycles()))
          try await silence(client)
        }
      }
      try await check()
    }
  }

  /// Runs the services until `time`.
  /// - Parameter stopsWhenTold: true to end as soon as an alarm is delivered to somebody.
  func settle(
    _ server: inout SimulatedServer, until time: TimeSpan, stopsWhenTold: Bool = false
  ) async throws {
    let before = rules.deliveryCount
    try await server.run(until: time) {
      turns += 1
      if ServerSimulationTests.tells, turns % 500 == 0 {
        note("\(turns) turns, \(rules.deliveryCount) deliveries")
      }
      try checkDeliveries()
      if let error = logged.withLockedValue({ $0.first }) {
        throw ServerRules.Violation(rule: "the log has no errors", what: error)
      }
      return stopsWhenTold && rules.deliveryCount > before
    }
  }

  func checkDeliveries() throws {
    for delivery in channels.take() {
      if ServerSimulationTests.tells {
        note(
          "\(delivery.channel) is told of \(delivery.alarm): \(delivery.kind.map { "\($0)" } ?? "taken back")"
        )
      }
      try rules.check(delivery, world)
    }
  }

  func check() async throws {
    try checkDeliveries()
    try rules.check(try await openAlarms(), world, at: clock.elapsed)
  }

  func openAlarms() async throws -> [AlarmRecord] {
    try await store.alarms(of: account, device: nil, before: nil, limit: 500).filter(\.isOpen)
  }

  // MARK: What there is

  /// Makes the initial phones, zones, channels and settings.
  func furnish(_ client: SimulatedClient) async throws {
    let cycles: [Double] = [5, 10, 30, 60, 300]
    world.cycle = .seconds(cycles[below(cycles.count)])
    try await saveSettings(client)
    for step in 0..<below(3) { try await makeChannel(client, step: step) }
    for _ in 0...below(3) { try await makePhone(client) }
    for _ in 0..<below(4) { try await makeZone(client) }
    note("\(world.phones.count) phones, \(world.zones.count) zones, \(world.channels.count) channels")
  }

  func saveSettings(_ client: SimulatedClient) async throws {
    let read = try await client.send(.get, "/api/v1/settings", token: token)
    var members: [(String, JSONValue)] = [("alarm_cycle_s", .number(world.cycle.seconds))]
    // The alarm for a lost signal is mostly switched off: it would ring after each visit.
    if seed % 5 != 0 { members.append(("signal_timeout_s", .number(86_400))) }
    try await client.send(
      .put, "/api/v1/settings", members, token: token, headers: [(.ifMatch, read.tag)])
    world.settingsAt = clock.elapsed
  }

  func makeChannel(_ client: SimulatedClient, step: Int) async throws {
    let name = "hook\(world.channels.count)"
    try await client.send(
      .post, "/api/v1/channels",
      [
        ("kind", .string("webhook")), ("name", .string(name)), ("escalation_step", .integer(Int64(step))),
        (
          "configuration",
          .object([
            ("url", .string("http://127.0.0.1:9/\(name)")), ("secret", .string("0123456789abcdef0123456789")),
          ])
        ),
      ], token: token, headers: key())
    world.channels.append(.init(name: name, step: step, madeAt: clock.elapsed))
  }

  func makePhone(_ client: SimulatedClient) async throws {
    let number = world.phones.count
    let interval = chance(0.4) ? TimeSpan.seconds(Double([60, 300, 3600][below(3)])) : nil
    let made = try await client.send(
      .post, "/api/v1/devices", phoneMembers("phone \(number)", true, interval), token: token, headers: key())
    let id = DeviceID(rawValue: parsedID(made.json["id"]?.string ?? "") ?? 0)
    let token = try await ProximityServer.newToken(
      store, account: account, device: id, name: "phone", at: clock.now)
    var phone = ServerWorld.Phone(number: number, id: id, token: token, spot: below(ServerWorld.spots))
    phone.interval = interval
    // As long as it has never reported, its silence counts from its creation.
    phone.heardAt = nil
    phone.switchedAt = clock.elapsed
    world.phones.append(phone)
  }

  func makeZone(_ client: SimulatedClient) async throws {
    number += 1
    let free = (0..<ServerWorld.spots).filter { spot in !world.zones.contains { $0.spot == spot } }
    // Often at a phone's spot.
    let wanted = chance(0.5) ? world.phones.map(\.spot).first(where: free.contains) : nil
    guard let spot = wanted ?? free.first else { return }
    let zone = number
    let dwell = chance(0.25) ? TimeSpan.seconds(Double([8, 60, 600][below(3)])) : nil
    let made = try await client.send(
      .post, "/api/v1/zones", zoneMembers("zone \(zone)", spot, true, dwell), token: token, headers: key())
    world.zones.append(
      .init(
        number: zone, id: ZoneID(rawValue: parsedID(made.json["id"]?.string ?? "") ?? 0), spot: spot,
        dwell: dwell, editedAt: clock.elapsed))
    note("zone \(zone) at \(spot)\(dwell.map { ", dwell \($0.seconds) s" } ?? "")")
  }

  func phoneMembers(
    _ name: String, _ isArmed: Bool, _ interval: TimeSpan?
  ) -> [(String, JSONValue)] {
    [
      ("name", .string(name)), ("is_armed", .bool(isArmed)),
      ("report_interval_s", interval.map { .number($0.seconds) } ?? .null),
    ]
  }

  func zoneMembers(
    _ name: String, _ spot: Int, _ isActive: Bool, _ dwell: TimeSpan?
  ) -> [(String, JSONValue)] {
    let place = ServerWorld.place(spot)
    let trigger: [(String, JSONValue)] =
      dwell.map { [("kind", .string("dwell")), ("dwell_s", .number($0.seconds))] }
      ?? [("kind", .string("enter"))]
    return [
      ("name", .string(name)), ("size_m", .number(100)), ("active", .bool(isActive)),
      // For a safety zone, the end of a stay is reported without a further fix.
      ("trigger", .object(trigger)), ("assurance", .string(dwell == nil ? "normal" : "safety")),
      (
        "outline",
        .object([
          ("kind", .string("locations")),
          (
            "places",
            .array([
              .object([("latitude", .number(place.latitude)), ("longitude", .number(place.longitude))])
            ])
          ),
        ])
      ),
    ]
  }

  // MARK: Chance

  func below(_ count: Int) -> Int { Int.random(in: 0..<max(1, count), using: &random) }
  func chance(_ probability: Double) -> Bool { random.double(in: 0...1) < probability }
  func key() -> [(HTTPField.Name, String)] {
    number += 1
    return [(.idempotencyKey, "key \(number)")]
  }
}
