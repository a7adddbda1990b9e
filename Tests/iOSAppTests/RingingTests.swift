import AlarmEngine
import AppleTwins
import Foundation
import Geometry
import PhoneSimulator
import Testing

@testable import ProximityApp

@MainActor
@Suite("The iOS app rings", .serialized)
struct RingingTests {
  private func walk(_ metres: Double = 600) -> Journey {
    Journey(
      from: Town.home, at: Town.morning,
      legs: [
        .stand(.minutes(5)), .go(to: Town.place(metres), .metresPerSecond(1.4), .walking),
        .stand(.minutes(30)),
      ])
  }
  private let there = [Town.zone(7, "There", 600)]

  @Test func `by notification, by system alarm and by its own sound, once, with the phone locked`() throws {
    let rig = try AppRig(walk(), parameters: .ideal)
    rig.setUp(there)
    rig.phone.run(until: walk().end)
    #expect(rig.rings.count == 1)
    let ring = try #require(rig.rings.first)
    #expect(ring.isTimeSensitive && ring.isLoud && !ring.replaces)
    #expect(ring.title == "There")
    let entry = Town.morning + .seconds(300 + 500 / 1.4)
    #expect(abs((ring.time - entry).seconds) < 15)
    #expect(rig.twin.systemAlarms.rung.count == 1)
    #expect(rig.twin.systemAlarms.sounding == [], "the answer ends it")
    #expect(rig.twin.sounding.count == 1)
    let heard = try #require(rig.twin.sounding.first)
    #expect(heard.ended == ring.time + .seconds(5))
  }

  @Test func `a zone's own sound is that of its notification, its system alarm and the app`() throws {
    let rig = try AppRig(walk(), parameters: .ideal)
    let bundle = rig.folder.appendingPathComponent("Bundle")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    try Data([1]).write(to: bundle.appendingPathComponent("Klaxon.wav"))
    rig.setUp([
      .valid(
        id: ZoneID(rawValue: 7), name: "There", size: .metres(100), soundName: "Klaxon",
        outline: .locations([Town.place(600)]))
    ])
    rig.phone.run(until: walk().end)
    #expect(rig.rings.count == 1)
    #expect(rig.twin.sounding.first?.file.lastPathComponent == "Klaxon.wav")
  }

  @Test func `in the person's language`() throws {
    let rig = try AppRig(walk(), parameters: .ideal)
    rig.phone.change { $0.languages = ["pt-BR", "de-AT", "en"] }
    rig.setUp(there)
    rig.phone.run(until: walk().end)
    #expect(rig.rings.first?.body == "Du bist da.")
  }

  @Test func `without system alarms on an iPhone before iOS 26`() throws {
    let rig = try AppRig(walk(), system: 18, parameters: .ideal)
    rig.setUp(there)
    rig.phone.run(until: walk().end)
    #expect(rig.rings.count == 1)
    #expect(rig.twin.systemAlarms.rung == [])
    #expect(rig.twin.sounding.count == 1)
  }

  @Test func `again and again under one notification and one system alarm while nobody answers`() throws {
    let rig = try AppRig(walk(), parameters: .ideal)
    rig.answer = nil
    rig.setUp(there)
    rig.phone.run(until: walk().end)
    #expect(rig.rings.count > 3)
    #expect(Set(rig.rings.map(\.id)).count == 1)
    #expect(rig.rings.dropFirst().allSatisfy { $0.replaces })
    #expect(rig.twin.systemAlarms.rung.count == 1)
    #expect(rig.twin.systemAlarms.sounding.count == 1)
  }

  @Test func `on after its system alarm was stopped by a button of the phone`() throws {
    let rig = try AppRig(walk(), parameters: .ideal)
    rig.answer = nil
    rig.setUp(there)
    rig.phone.run(until: Town.morning + .seconds(300 + 500 / 1.4 + 30))
    let alarm = try #require(rig.twin.systemAlarms.sounding.first)
    rig.twin.systemAlarms.stop(alarm)
    rig.phone.run(until: walk().end)
    #expect(rig.twin.systemAlarms.rung.count > 1, "the next repeat sounds again")
    #expect(rig.twin.systemAlarms.sounding.count == 1)
  }

  @Test func `a person who lets it sleep is asked again`() throws {
    let rig = try AppRig(walk(), parameters: .ideal)
    rig.answer = "sleep"
    rig.setUp(there)
    rig.phone.run(until: walk().end)
    #expect(rig.rings.count >= 2)
    #expect(rig.twin.systemAlarms.sounding == [])
  }

  @Test func `an alarm that was stopped just when the process ended is quiet from its next start on`() throws
  {
    let rig = try AppRig(walk(), parameters: .ideal)
    rig.setUp(there)
    rig.reaction = .seconds(7)
    rig.twin.onWritten = { [unowned rig] in
      guard let ring = rig.rings.first, rig.phone.now == ring.time + rig.reaction else { return }
      rig.end()
    }
    rig.phone.run(until: Town.morning + .seconds(300 + 500 / 1.4 + 60))
    #expect(rig.twin.systemAlarms.sounding.count == 1, "nobody was there to end it")
    rig.phone.openApplication()
    rig.run(for: .seconds(5))
    #expect(rig.twin.systemAlarms.sounding == [])
    #expect(rig.rings.count == 1)
  }
}
