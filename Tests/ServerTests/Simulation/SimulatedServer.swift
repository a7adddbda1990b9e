import AlarmEngine
import Formats
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOConcurrencyHelpers
import NIOCore
import Store

@testable import AlarmService
@testable import Delivery
@testable import Server

/// One life of a simulated server, from start to stop: what survives it is in the store.
///
/// The services' turns are run here, at the times at which they would run by themselves: after a wake-up, or when they
/// have slept for as long as they said.
struct SimulatedServer {
  let parts: ServerParts
  private let clock: SimulatedClock
  private var seen = IngestWakes.Calls()
  private var timersAt: TimeSpan
  private var outboxAt: TimeSpan
  /// The next look is made, whether or not the store has anything due: the clock was set.
  var looksSoon = false

  static let http = DeliveryHTTP(policy: TargetPolicy(allowsPrivateNetworks: true))

  init(
    _ store: any ServerStore, _ clock: SimulatedClock, _ channels: SimulatedChannels, logger: Logger,
    engines: Int
  ) async throws {
    var services = DeliveryServices(http: Self.http)
    services.substitute = { channels.channel($0) }
    var settings = ServerSettings()
    settings.allowsPrivateTargets = true
    self.clock = clock
    parts = try await ServerParts(
      settings: settings, store: store, clock: clock.server, passwords: PasswordHasher(cost: .least),
      services: services, deviceBounds: .init(devices: engines, bytes: 48 << 20), logger: logger)
    timersAt = clock.elapsed
    outboxAt = clock.elapsed
    looksSoon = true
  }

  /// More turns than this at one time are a loop that does not end.
  private static let turnsAtOnce = 200

  /// Nor does anything take so many turns in an hour.
  private static let turnsAnHour = 20_000
  private var hour = (from: TimeSpan.zero, turns: 0)

  struct TurnsWithoutEnd: Error {
    let timers: Bool
  }

  /// Runs the services until `target`, and all that they do at that time.
  /// - Parameter stops: called after each turn: true ends it early.
  mutating func run(
    until target: TimeSpan, isolation: isolated (any Actor)? = #isolation, stops: () throws -> Bool
  ) async throws {
    var turns = 0
    while true {
      let elapsed = clock.elapsed
      let calls = parts.ingest.wakes.calls
      if calls.timers == seen.timers, !looksSoon, elapsed >= timersAt,
        let rest = try await untilDeviceDue(), rest > .zero
      {
        // Such a look changes nothing.
        timersAt = elapsed + min(rest, .seconds(5))
        continue
      } else if calls.timers != seen.timers || elapsed >= timersAt {
        seen.timers = calls.timers
        parts.ingest.wakes.sleeps(until: nil)
        timersAt = elapsed + (await parts.ingest.turn())
        looksSoon = false
      } else if calls.deliveries != seen.deliveries || elapsed >= outboxAt {
        seen.deliveries = calls.deliveries
        try await parts.outbox.deliverDue()
        outboxAt = elapsed + .seconds(5)
        if let next = try await parts.store.nextDue() {
          outboxAt = min(outboxAt, elapsed + max(.milliseconds(20), next - clock.now))
        }
      } else if elapsed >= target {
        return
      } else {
        let next = min(target, try await nextTurn())
        clock.pass(max(next - elapsed, .milliseconds(1)))
        turns = 0
        continue
      }
      turns += 1
      hour.turns += 1
      if elapsed - hour.from > .hours(1) { hour = (elapsed, 0) }
      guard turns < Self.turnsAtOnce, hour.turns < Self.turnsAnHour else {
        throw TurnsWithoutEnd(timers: timersAt > outboxAt)
      }
      if try stops() { return }
    }
  }

  private func untilDeviceDue(isolation: isolated (any Actor)? = #isolation) async throws -> TimeSpan? {
    try await parts.store.nextDeviceDue().map { $0 - clock.now } ?? .hours(1000)
  }

  /// When a service has something to do next. Looks in between, which find nothing due, are left out: they change
  /// nothing, and there are 720 of them in an hour.
  private func nextTurn(isolation: isolated (any Actor)? = #isolation) async throws -> TimeSpan {
    let (elapsed, now) = (clock.elapsed, clock.now)
    func time(_ due: Instant?, _ look: TimeSpan) -> TimeSpan {
      guard let due else { return elapsed + .hours(1000) }
      return max(look, elapsed + (due - now))
    }
    let timers = looksSoon ? timersAt : time(try await parts.store.nextDeviceDue(), timersAt)
    return min(timers, time(try await parts.store.nextDue(), outboxAt))
  }

  /// Another process wrote to the store.
  func foreignWrite() async throws { _ = try await parts.foreignWrites.look(since: -1) }

  /// All engines leave the memory.
  func evict() async throws { _ = try await parts.ingest.submit(.dropEngines) }
}

/// A client of a simulated server, with a token.
struct SimulatedClient {
  let client: any TestClientProtocol

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
    let response = try await client.executeRequest(
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
