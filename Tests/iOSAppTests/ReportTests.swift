import AlarmEngine
import AppleFakes
import Foundation
import Geometry
import PhoneHost
import PhoneSimulator
import TestSupport
import Testing

@testable import ProximityApp

@MainActor
@Suite("The iOS app reports positions to a server", .serialized)
struct ReportTests {
  private func reporting(_ journey: Journey, seed: UInt64 = 1) throws -> (rig: AppRig, server: ReportServer) {
    let rig = try AppRig(journey, seed: seed)
    let server = ReportServer()
    rig.fake.network.server = { [server] in server.serve($0, $1) }
    rig.setUp(Town.dayZones)
    turn(on: rig)
    return (rig, server)
  }

  private func turn(on rig: AppRig, token: String = "secret") {
    rig.phone.openApplication()
    report(rig, "https://example.org/home", token)
    rig.run(for: .seconds(5))
    rig.phone.leaveApplication()
  }

  private func report(_ rig: AppRig, _ address: String, _ token: String) {
    let posted = rig.post(["op": "report", "address": address, "token": token], to: "proximityPhone")
    #expect(posted.refusal == nil)
  }

  private struct State: Decodable {
    var address: String
    var waiting: Int
    var problem: String
  }
  private func state(_ rig: AppRig) throws -> State {
    let text = try #require(rig.post(["op": "reports"], to: "proximityPhone").answer as? String)
    return try JSONDecoder().decode(State.self, from: Data(text.utf8))
  }

  private func waiting(_ rig: AppRig) -> [String] {
    let folder = rig.folder.appendingPathComponent("Data/Reports").path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".lines") }
  }

  /// The times of all positions that the journal accepted since `start`, each once, in order.
  private func accepted(_ rig: AppRig, since start: Instant) throws -> [Int64] {
    let files = EngineFiles(folder: rig.folder.appendingPathComponent("Data"))
    var times: [Int64] = []
    var seen: Set<Int64> = []
    for case .journal(let bytes) in try JournalExport.read([UInt8](files.journalForExport)).parts {
      for (_, entry) in Journal.read(bytes).entries where entry.at > start {
        guard case .inputs(let inputs) = entry.content else { continue }
        for case .fix(let fix) in inputs where seen.insert(fix.measuredAt.millisecondsSince1970).inserted {
          times.append(fix.measuredAt.millisecondsSince1970)
        }
      }
    }
    return times
  }

  private func expectAll(
    _ rig: AppRig, _ server: ReportServer, since start: Instant, atLeast: Int = 100, _ comment: Comment
  ) throws {
    let accepted = try accepted(rig, since: start)
    #expect(accepted.count > atLeast, comment)
    #expect(Set(accepted).subtracting(server.known) == [], comment)
    let taken = Set(accepted)
    #expect(server.known.filter(taken.contains) == accepted, comment)
    #expect(waiting(rig) == [], comment)
  }

  @Test func `only where a person wants that`() throws {
    let day = Town.day()
    let rig = try AppRig(day)
    let server = ReportServer()
    rig.fake.network.server = { [server] in server.serve($0, $1) }
    rig.setUp(Town.dayZones)
    rig.phone.run(until: day.start + .hours(3))
    #expect(server.requests.isEmpty && waiting(rig) == [])
  }

  @Test func `together, in their order, and at once when an alarm rings`() throws {
    let day = Town.day()
    let (rig, server) = try reporting(day)
    let start = rig.phone.now
    var late: [Double] = []
    rig.fake.notificationCentre.onShown = { [unowned rig] shown in
      guard shown.category == "alarm", !shown.replaces else { return }
      rig.phone.at(rig.phone.now + .seconds(2)) { _ in
        MainActor.assumeIsolated {
          late.append(Double(shown.time.millisecondsSince1970 - (server.known.max() ?? 0)) / 1000)
        }
      }
      rig.phone.at(rig.phone.now + .seconds(5)) { phone in
        MainActor.assumeIsolated { _ = phone.fake.notificationCentre.answer(shown.id, "stop", on: phone) }
      }
    }
    rig.phone.run(until: day.end)
    #expect(late.count == 4)
    #expect(late.allSatisfy { $0 < 10 }, "the position that rang is there two seconds later: \(late)")
    rig.phone.openApplication()
    rig.run(for: .minutes(2))
    try expectAll(rig, server, since: start, "")
    let requests = Double(server.requests.count)
    #expect(requests < (day.end - start).seconds / 25, "\(requests)")
    #expect(try state(rig).problem == "")
  }

  @Test func `after hours without network, by the system, with the app gone`() throws {
    let day = Town.day()
    let (rig, server) = try reporting(day)
    let start = rig.phone.now
    rig.fake.network.isReachable = false
    rig.phone.run(until: day.start + .hours(4))
    #expect(server.known.isEmpty)
    #expect(rig.fake.network.carried == 1)
    #expect(waiting(rig).count > 0)
    // At rest: no event of the phone itself wakes the app now.
    rig.phone.run(until: day.end - .hours(4))
    rig.phone.terminateIfSuspended()
    #expect(!rig.phone.isApplicationAlive)
    let gone = try accepted(rig, since: start)
    rig.fake.network.isReachable = true
    rig.run(for: .minutes(30))
    #expect(Set(gone).subtracting(server.known) == [])
    #expect(server.largest > 1_000, "many in one request")
    rig.phone.run(until: day.end)
    rig.phone.openApplication()
    rig.run(for: .minutes(2))
    try expectAll(rig, server, since: start, "")
    #expect(rig.fake.network.carried == 0)
  }

  @Test func `a server that refuses is told to the person once, and nothing is lost`() throws {
    let day = Town.day()
    let (rig, server) = try reporting(day)
    let start = rig.phone.now
    rig.phone.run(until: day.start + .hours(2))
    server.token = "another"
    rig.phone.run(until: day.start + .hours(4))
    #expect(rig.told("reports").count == 1)
    #expect(try state(rig).problem == "refused")
    rig.phone.crash()
    rig.phone.openApplication()
    rig.run(for: .minutes(1))
    #expect(rig.told("reports").count == 1, "not again by the next process")
    turn(on: rig, token: "another")
    #expect(!rig.fake.notificationCentre.standing.contains("reports"))
    rig.phone.run(until: day.end)
    rig.phone.openApplication()
    rig.run(for: .minutes(2))
    try expectAll(rig, server, since: start, "")
  }

  @Test(arguments: [
    FakeNetwork.Answer.status(500), .status(429), .silence,
    .redirect(to: URL(string: "https://elsewhere.example/")!),
  ]) func `a server in trouble gets all of them later`(answer: FakeNetwork.Answer) throws {
    let day = Town.day()
    let (rig, server) = try reporting(day)
    let start = rig.phone.now
    server.answer = answer
    rig.phone.run(until: day.start + .hours(4))
    #expect(server.known.isEmpty)
    let isRefused = if case .redirect = answer { true } else { false }
    #expect(try state(rig).problem == (isRefused ? "refused" : "network"))
    #expect(rig.told("reports").count == (isRefused ? 1 : 0))
    let tries = server.requests.count
    #expect(
      tries > 1 && tries < 300, "more rarely each time, and what the system carries once a minute: \(tries)")
    server.answer = .status(200)
    rig.phone.run(until: day.end)
    rig.phone.openApplication()
    rig.run(for: .minutes(62))
    try expectAll(rig, server, since: start, "\(answer)")
    #expect(server.requests.allSatisfy { $0.url?.host == "example.org" }, "the token is for one server alone")
  }

  @Test func `a redirect of what the system carries is not taken for the server's word`() throws {
    let day = Town.day()
    let (rig, server) = try reporting(day)
    let start = rig.phone.now
    rig.fake.network.isReachable = false
    rig.phone.run(until: day.end - .hours(4))
    rig.phone.terminateIfSuspended()
    // The server at the other address answers 200 to everything, and gets no positions.
    rig.fake.network.server = { request, _ in
      request.url?.host == "example.org"
        ? .redirect(to: URL(string: "https://elsewhere.example/")!)
        : .status(request.value(forHTTPHeaderField: "Authorization") == nil ? 200 : 500)
    }
    rig.fake.network.isReachable = true
    rig.run(for: .minutes(30))
    #expect(waiting(rig).count > 0)
    #expect(rig.told("reports").count == 1)
    rig.fake.network.server = { [server] in server.serve($0, $1) }
    rig.phone.run(until: day.end)
    rig.phone.openApplication()
    rig.run(for: .minutes(62))
    try expectAll(rig, server, since: start, "")
  }

  @Test func `turned off nothing stays, and what is under way says nothing`() throws {
    let day = Town.day()
    let (rig, server) = try reporting(day)
    rig.fake.network.isReachable = false
    rig.phone.run(until: day.start + .hours(4))
    #expect(waiting(rig).count > 0 && rig.fake.network.carried == 1)
    rig.phone.openApplication()
    report(rig, "", "")
    rig.run(for: .seconds(1))
    #expect(waiting(rig) == [] && rig.fake.network.carried == 0)
    rig.fake.network.isReachable = true
    rig.phone.leaveApplication()
    rig.phone.crash()
    rig.phone.run(until: day.end)
    #expect(server.requests.isEmpty && waiting(rig) == [])
  }

  @Test(arguments: [
    ("http://example.org", "secret"), ("example.org", "secret"), ("https://", "secret"),
    ("https://example.org", ""), ("https://a\nb", "secret"), ("https://example.org", "a\r\nHost: b"),
  ]) func `an address without encryption is none`(address: String, token: String) throws {
    let rig = try AppRig(Town.day())
    rig.setUp(Town.dayZones)
    rig.phone.openApplication()
    report(rig, address, token)
    #expect(try state(rig).address == "")
  }

  /// With a network that comes and goes and a server that fails at times: in the end the server has all
  /// positions.
  @Test(arguments: Seeds.few(4)) func `none lost when its process ends 50 times`(seed: Int) throws {
    let day = Town.day()
    let (rig, server) = try reporting(day, seed: UInt64(seed))
    let start = rig.phone.now
    var random = SeededGenerator(seed: UInt64(seed))
    let span = (day.end - start).milliseconds
    for number in 0..<150 {
      let time = start + .milliseconds(Int64.random(in: 0..<span, using: &random))
      let answers: [FakeNetwork.Answer] = [.status(200), .status(200), .status(503), .status(401), .silence]
      let (reach, answer) = (
        Int.random(in: 0..<3, using: &random) > 0, answers.randomElement(using: &random)!
      )
      rig.phone.at(time) { phone in
        MainActor.assumeIsolated {
          if number < 50 { return phone.crash() }
          phone.fake.network.isReachable = reach
          server.answer = answer
        }
      }
    }
    rig.phone.run(until: day.end)
    rig.fake.network.isReachable = true
    server.answer = .status(200)
    rig.phone.openApplication()
    rig.run(for: .minutes(62))
    try expectAll(rig, server, since: start, "seed \(seed)")
  }

  /// The process ends between line, journal and answer. Events do not always start it again, so a person
  /// opens the app now and then.
  @Test(arguments: Seeds.few(4)) func `none lost when its process ends in the midst of its work`(seed: Int)
    throws
  {
    let day = Town.day()
    let (rig, server) = try reporting(day, seed: UInt64(seed))
    let start = rig.phone.now
    var random = SeededGenerator(seed: UInt64(seed))
    var ends = 0
    var next = start
    // A process first notes its requests to the phone: always ended there, it would never get a position.
    var passed = 0
    rig.fake.onWritten = { [unowned rig] in
      guard rig.phone.now >= next else { return }
      passed -= 1
      guard passed < 0 else { return }
      passed = Int.random(in: 0..<4, using: &random)
      next = rig.phone.now + .seconds(Double.random(in: 20...600, using: &random))
      ends += 1
      rig.end()
    }
    var look = start
    while look < day.end {
      look = look + .minutes(10)
      rig.phone.run(until: look)
      rig.phone.openApplication()
      rig.run(for: .seconds(5))
      rig.phone.leaveApplication()
    }
    rig.fake.onWritten = {}
    rig.phone.openApplication()
    // The last failure may be retried only after an hour.
    rig.run(for: .minutes(62))
    #expect(ends > 20, "seed \(seed)")
    // An application that ends so often gets few positions.
    try expectAll(rig, server, since: start, atLeast: 20, "seed \(seed)")
  }

  // MARK: The files

  private func within(_ body: @MainActor (URL) throws -> Void) throws {
    let rig = try AppRig(Town.day())
    rig.phone.openApplication()
    var failure: (any Error)?
    rig.phone.perform { _ in
      MainActor.assumeIsolated {
        do { try body(rig.folder.appendingPathComponent("Own")) } catch { failure = error }
      }
    }
    if let failure { throw failure }
  }

  @Test func `what waits is bounded, and the oldest goes`() throws {
    try within { folder in
      let outbox = Outbox(folder: folder)
      let line = [UInt8](repeating: 65, count: (64 << 10) / 4)
      for _ in 0..<(4 * (100 + 20)) { try outbox.append(line) }
      #expect(outbox.count == 100)
      let oldest = try #require(outbox.oldest())
      #expect(oldest.lastPathComponent.hasPrefix("21-"))
      #expect(try Data(contentsOf: oldest).count == 64 << 10)
    }
  }

  @Test func `nothing is written behind a line that was cut, nor behind what is being sent`() throws {
    try within { folder in
      let outbox = Outbox(folder: folder)
      try outbox.append([1, 2])
      let first = try #require(outbox.oldest())
      try outbox.append([3])
      #expect(outbox.count == 2)
      #expect([UInt8](try Data(contentsOf: first)) == [1, 2])
      let again = Outbox(folder: folder)
      try again.append([4])
      #expect(again.count == 3)
      try again.remove(first)
      #expect(again.oldest().map { $0.lastPathComponent.hasPrefix("2-") } == true)
      try again.clear()
      #expect(again.count == 0 && again.oldest() == nil)
    }
  }
}
