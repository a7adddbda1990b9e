import AlarmEngine
import Formats
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOConcurrencyHelpers
import NIOCore
import Store
import TestSupport

@testable import AlarmService
@testable import Delivery
@testable import Server

/// The processes of a simulated server; everything that outlives them is in the store.
///
/// The services' turns run here, at the times at which they would run by themselves: after a wake-up, or
/// after the sleep that they asked for.
struct SimulatedServer {
  private let clock: SimulatedClock
  private(set) var processes: [SimulatedProcess]

  init(_ processes: [SimulatedProcess], _ clock: SimulatedClock) {
    self.processes = processes
    self.clock = clock
  }

  /// More turns than this at one time are an endless loop.
  private static let turnsAtOnce = 200

  /// The greatest number of turns in an hour.
  private static let turnsAnHour = 20_000
  private var hour = (from: TimeSpan.zero, turns: 0)

  struct TurnsWithoutEnd: Error {
    let timers: [TimeSpan]
    let deliveries: [TimeSpan]
  }

  /// Runs the services until `target`, including everything due at that time.
  /// - Parameter stops: called after each turn; true ends the run early.
  mutating func run(
    until target: TimeSpan, isolation: isolated (any Actor)? = #isolation, stops: () throws -> Bool
  ) async throws {
    var turns = 0
    while true {
      var hasTurned = false
      for index in processes.indices where !hasTurned { hasTurned = try await processes[index].turn() }
      let elapsed = clock.elapsed
      guard hasTurned else {
        if elapsed >= target { return }
        var next = target
        for process in processes { next = min(next, try await process.nextTurn()) }
        clock.pass(max(next - elapsed, .milliseconds(1)))
        if processes.count > 1 {
          clock.noteAwake()
          for process in processes { _ = try await process.parts.alarms.ingest.submit(.lookAtClock) }
        }
        turns = 0
        continue
      }
      turns += 1
      hour.turns += 1
      if elapsed - hour.from > .hours(1) { hour = (elapsed, 0) }
      guard turns < Self.turnsAtOnce * processes.count, hour.turns < Self.turnsAnHour * processes.count else {
        throw TurnsWithoutEnd(timers: processes.map(\.timersAt), deliveries: processes.map(\.outboxAt))
      }
      if try stops() { return }
    }
  }

  /// Called when the clock was set: the next look runs even if nothing is due in the store.
  mutating func looksSoon() { for index in processes.indices { processes[index].looksSoon = true } }

  /// Called when another process wrote to the store.
  func foreignWrite() async throws {
    for process in processes { try await process.parts.operation.externalChanges.takeAllForDifferent() }
  }

  /// Removes all engines from memory.
  func evict() async throws {
    for process in processes { _ = try await process.parts.alarms.ingest.submit(.dropEngines) }
  }
}

/// One run of a process, from start to stop.
struct SimulatedProcess {
  let parts: ServerParts
  let name: String
  private let clock: SimulatedClock
  private var seen = IngestWakes.Calls()
  private(set) var timersAt: TimeSpan
  private(set) var outboxAt: TimeSpan
  /// True if the next look runs even if nothing is due in the store.
  var looksSoon = true

  static let http = DeliveryHTTP(policy: TargetPolicy(allowsPrivateNetworks: true))

  /// - Parameter patience: how long it leaves due work to other processes.
  init(
    _ name: String, _ store: SQLStore, _ clock: SimulatedClock, _ channels: SimulatedChannels,
    logger: Logger, engines: Int, patience: TimeSpan
  ) async throws {
    var services = DeliveryServices(http: Self.http)
    services.substitute = { channels.channel($0) }
    var settings = ServerSettings()
    settings.allowsPrivateTargets = true
    settings.processName = name
    self.name = name
    self.clock = clock
    // As the outbox does when its service starts.
    try await store.releaseLeases(of: name, at: clock.now)
    parts = try await ServerParts(
      settings: settings, store: store, clock: clock.server, passwords: PasswordHasher(cost: .least),
      services: services, deviceBounds: .init(devices: engines, bytes: 48 << 20),
      neighbours: Neighbours(patience: patience) { _ in }, logger: logger)
    timersAt = clock.elapsed
    outboxAt = clock.elapsed
  }

  /// Runs a service that has work.
  /// - Returns: false if none has.
  mutating func turn(isolation: isolated (any Actor)? = #isolation) async throws -> Bool {
    while true {
      let elapsed = clock.elapsed
      let calls = parts.alarms.ingest.wakes.calls
      if calls.timers == seen.timers, !looksSoon, elapsed >= timersAt,
        let rest = try await untilDeviceDue(), rest > .zero
      {
        // A look that finds nothing changes nothing.
        timersAt = elapsed + min(rest, .seconds(5))
      } else if calls.timers != seen.timers || elapsed >= timersAt {
        seen.timers = calls.timers
        parts.alarms.ingest.wakes.sleeps(until: nil)
        timersAt = elapsed + (await parts.alarms.ingest.turn())
        looksSoon = false
        return true
      } else if calls.deliveries != seen.deliveries || elapsed >= outboxAt {
        seen.deliveries = calls.deliveries
        try await parts.alarms.outbox.deliverDue()
        outboxAt = elapsed + .seconds(5)
        if let next = try await parts.core.store.nextDue() {
          outboxAt = min(outboxAt, elapsed + max(.milliseconds(20), next - clock.now))
        }
        return true
      } else {
        return false
      }
    }
  }

  private func untilDeviceDue(isolation: isolated (any Actor)? = #isolation) async throws -> TimeSpan? {
    try await parts.core.store.nextDeviceDue().map { $0 - clock.now } ?? .hours(1000)
  }

  /// The time at which a service next has work. Looks in between that find nothing due are left out: they
  /// change nothing, and there are 720 of them in an hour.
  func nextTurn(isolation: isolated (any Actor)? = #isolation) async throws -> TimeSpan {
    let (elapsed, now) = (clock.elapsed, clock.now)
    func time(_ due: Instant?, _ look: TimeSpan) -> TimeSpan {
      guard let due else { return elapsed + .hours(1000) }
      return max(look, elapsed + (due - now))
    }
    let timers = looksSoon ? timersAt : time(try await parts.core.store.nextDeviceDue(), timersAt)
    return min(timers, time(try await parts.core.store.nextDue(), outboxAt))
  }

  /// The number of times another process was faster.
  var conflicts: Int {
    let lines = parts.core.metrics.text.split(separator: "\n")
    let line = lines.first { $0.hasPrefix("proximity_engine_conflicts_total ") }
    return line?.split(separator: " ").last.flatMap { Int($0) } ?? 0
  }

  /// Ends in the middle of deliveries: its leased messages are not delivered, and the leases remain.
  func dieDelivering() async throws {
    _ = try await parts.core.store.lease(
      now: clock.now, limit: OutboxWorker.most, for: OutboxLease.duration, owner: name)
  }
}

/// A client of a simulated server, with a token. Each request goes to a random process.
final class SimulatedClient: Sendable {
  private let clients: [TestClient]
  private let chance: NIOLockedValueBox<UInt64>

  init(_ clients: [TestClient], seed: UInt64) {
    self.clients = clients
    chance = NIOLockedValueBox(seed)
  }

  struct Refused: Error, CustomStringConvertible {
    let description: String
  }

  @discardableResult
  func send(
    _ method: HTTPRequest.Method, _ path: String, _ members: [(String, JSONValue)]? = nil, token: String,
    basic: Bool = false, headers extra: [(HTTPField.Name, String)] = []
  ) async throws -> (json: JSONValue, tag: String) {
    var headers = HTTPFields()
    headers[.authorization] = basic ? "Basic " + Self.base64("anna:\(token)") : "Bearer \(token)"
    for (name, value) in extra { headers[name] = value }
    let body = members.map { JSONValue.object($0).text }
    if body != nil { headers[.contentType] = "application/json" }
    let process = chance.withLockedValue { state in
      var random = SeededGenerator(seed: state)
      state = random.next()
      return Int.random(in: 0..<clients.count, using: &random)
    }
    let response = try await clients[process].executeRequest(
      uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
    let text = String(buffer: response.body)
    guard response.status.code < 300 else {
      throw Refused(description: "\(method) \(path): \(response.status.code) \(text.prefix(200))")
    }
    let json = (try? JSONValue.parse(Array(text.utf8))) ?? .null
    return (json, response.headers[.eTag] ?? "")
  }

  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
}
