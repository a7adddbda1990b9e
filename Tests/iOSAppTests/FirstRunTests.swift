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
@Suite("The report of an iPhone's first run", .serialized)
struct FirstRunTests {
  private final class Answer: @unchecked Sendable { var text = "" }

  /// As the page gets it.
  private func report(_ rig: AppRig) throws -> [String: Any] {
    let answer = Answer()
    rig.on { app in app.reportFirstRun { answer.text = $0 } }
    rig.run(for: .seconds(1))
    #expect(answer.text.hasPrefix(#"{"report":"proximity first run","#))
    let json = try JSONSerialization.jsonObject(with: Data(answer.text.utf8))
    return try #require(json as? [String: Any], "\(answer.text.prefix(300))")
  }

  private func happened(_ report: [String: Any]) throws -> Set<String> {
    let steps = try #require(report["steps"] as? [[String: Any]])
    #expect(steps.compactMap { $0["step"] as? Int } == Array(1...10))
    for step in steps {
      #expect((step["happened"] as? Bool) == ((step["at_ms"] as? Int ?? 0) > 0), "\(step)")
    }
    return Set(steps.filter { $0["happened"] as? Bool == true }.compactMap { $0["name"] as? String })
  }

  /// To the zone, home again, and there once more.
  private let journey = Journey(
    from: Town.home, at: Town.morning,
    legs: [
      .stand(.minutes(5)), .go(to: Town.place(600), .metresPerSecond(1.4), .walking), .stand(.minutes(10)),
      .go(to: Town.home, .metresPerSecond(1.4), .walking), .stand(.minutes(20)),
      .go(to: Town.place(600), .metresPerSecond(1.4), .walking), .stand(.minutes(30)),
    ])
  private let there = [Town.zone(7, "Grandmother", 600)]
  private static let arrival = Town.morning + .seconds(300 + 500 / 1.4)

  @Test func `at first nothing has happened but the report, and it needs no journal`() throws {
    let rig = try AppRig(journey, parameters: .ideal)
    rig.phone.openApplication()
    rig.run(for: .seconds(1))
    let report = try report(rig)
    #expect(try happened(report) == ["report"])
    #expect(report["ios"] as? String == "26.1" && report["maker"] as? String == "Apple")
    #expect(report["journal"] != nil || report["journal_fault"] != nil)
  }

  @Test func `a walk is in it, without any place or name, and outlives the process`() throws {
    let rig = try AppRig(journey, parameters: .ideal)
    rig.setUp(there)
    rig.phone.run(until: Self.arrival + .minutes(1))
    rig.end()
    rig.run(for: .minutes(1))
    rig.phone.openApplication()
    #expect(rig.permissions.contains("watching"))
    let report = try report(rig)
    #expect(try happened(report).isSuperset(of: ["page", "allowed", "rang", "stopped", "report"]))
    let base64 = try #require(report["journal"] as? String)
    let journal = try #require(Data(base64Encoded: base64))
    #expect(journal.range(of: Data("Grandmother".utf8)) == nil)
    var fixes = 0
    for case .journal(let bytes) in try JournalExport.read([UInt8](journal)).parts {
      for case .inputs(let inputs) in Journal.read(bytes).entries.map(\.entry.content) {
        for case .fix(let fix) in inputs {
          fixes += 1
          #expect(fix.position.distance(to: PlaceMove.target).metres < 5000)
        }
      }
    }
    #expect(fixes > 5)
  }

  @Test func `the test alarm counts when its system alarm was stopped`() throws {
    let rig = try AppRig(journey, parameters: .ideal)
    rig.setUp(there)
    rig.phone.openApplication()
    _ = rig.post(["op": "test", "seconds": 20], to: "proximityPhone")
    rig.phone.leaveApplication()
    rig.run(for: .seconds(30))
    #expect(try !happened(try report(rig)).contains("test"))
    let trial = try #require(rig.fake.systemAlarms.sounding.first)
    rig.fake.systemAlarms.stop(trial)
    rig.phone.openApplication()
    rig.run(for: .seconds(1))
    #expect(try happened(try report(rig)).contains("test"))
  }

  @Test func `a system alarm that a person ended comes back, and both are timed`() throws {
    let rig = try AppRig(journey, parameters: .ideal)
    rig.answer = nil
    rig.setUp(there)
    rig.phone.run(until: Self.arrival + .seconds(30))
    let before = try happened(try report(rig))
    #expect(before.contains("rang") && !before.contains("cameBack"))
    rig.fake.systemAlarms.stop(try #require(rig.fake.systemAlarms.sounding.first))
    rig.run(for: .minutes(1))
    let report = try report(rig)
    #expect(try happened(report).contains("cameBack"))
    let alarms = try #require(report["system_alarms"] as? [[String: Int64]])
    #expect(alarms.count == 2)
    for alarm in alarms {
      let (planned, alerted) = (try #require(alarm["planned_ms"]), try #require(alarm["alerted_ms"]))
      #expect((0...1000).contains(alerted - planned), "\(alarm)")
    }
  }

  @Test func `system alarms keep the cycle that was set, within its limits`() throws {
    let rig = try AppRig(journey, parameters: .ideal)
    rig.answer = nil
    rig.setUp(there)
    rig.phone.openApplication()
    func cycle(_ seconds: Any?) -> Int? {
      let body: [String: Any] = ["op": "systemAlarmCycle", "seconds": seconds ?? NSNull()]
      return rig.post(body, to: "proximityPhone").answer as? Int
    }
    #expect(cycle(nil) == 10, "the default")
    #expect(cycle(1) == 10)
    #expect(cycle(1e300) == 600)
    #expect(cycle(Double.nan) == 600 && cycle("x") == 600, "it is only asked for")
    #expect(cycle(120) == 120 && cycle(nil) == 120)
    rig.phone.leaveApplication()
    rig.phone.run(until: Self.arrival + .seconds(30))
    rig.fake.systemAlarms.stop(try #require(rig.fake.systemAlarms.sounding.first))
    rig.run(for: .minutes(5))
    let rung = rig.fake.systemAlarms.rung
    #expect(rung.count == 2)
    #expect((rung[1].time - rung[0].time).seconds >= 119, "\(rung)")
  }

  @Test func `of two zones that ring together neither waits for the other's system alarm`() throws {
    let rig = try AppRig(journey, parameters: .ideal)
    rig.answer = nil
    rig.setUp(there + [Town.zone(8, "Neighbour", 600)])
    rig.phone.run(until: Self.arrival + .seconds(30))
    let rung = rig.fake.systemAlarms.rung
    try #require(rung.count == 2)
    #expect((rung[1].time - rung[0].time).seconds < 2, "\(rung)")
  }

  /// The process ends, and the next one cannot read its files until the phone is unlocked.
  private func unlocked(opened: Bool) throws -> Set<String> {
    let rig = try AppRig(journey, parameters: .ideal)
    rig.setUp(there)
    let snapshot = rig.folder.appendingPathComponent("Data/snapshot")
    let aside = rig.folder.appendingPathComponent("aside")
    rig.phone.crash()
    try FileManager.default.moveItem(at: snapshot, to: aside)
    try FileManager.default.createDirectory(at: snapshot, withIntermediateDirectories: false)
    rig.phone.openApplication()
    rig.phone.leaveApplication()
    try FileManager.default.removeItem(at: snapshot)
    try FileManager.default.moveItem(at: aside, to: snapshot)
    rig.phone.perform { _ in
      NotificationCenter.default.post(
        name: UIApplication.protectedDataDidBecomeAvailableNotification, object: nil)
    }
    rig.run(for: .seconds(1))
    if opened {
      rig.phone.openApplication()
      rig.phone.leaveApplication()
    }
    rig.phone.run(until: Self.arrival + .minutes(1))
    return try happened(try report(rig))
  }

  @Test func `an alarm after the first unlock counts where nobody opened the app`() throws {
    #expect(try unlocked(opened: false).isSuperset(of: ["rang", "unlocked"]))
    let opened = try unlocked(opened: true)
    #expect(opened.contains("rang") && !opened.contains("unlocked"))
  }

  @Test func `the warning counts when it is touched`() throws {
    let rig = try AppRig(journey, parameters: .ideal)
    rig.setUp(there)
    rig.phone.perform { $0.forceQuit() }
    rig.run(for: .hours(30))
    #expect(rig.fake.notificationCentre.standing.contains("silence"))
    rig.fake.notificationCentre.answer(
      "silence", UNNotificationDefaultActionIdentifier, on: rig.phone)
    rig.run(for: .seconds(1))
    #expect(try happened(try report(rig)).contains("silence"))
  }

  @Test func `a trouble that is over counts`() throws {
    let rig = try AppRig(journey, parameters: .ideal)
    rig.setUp(there)
    rig.phone.change { $0.lowPower = true }
    rig.run(for: .seconds(5))
    #expect(try !happened(try report(rig)).contains("trouble"))
    rig.phone.change { $0.lowPower = false }
    rig.run(for: .seconds(5))
    #expect(try happened(try report(rig)).contains("trouble"))
  }
}
