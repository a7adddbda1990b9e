import AlarmEngine
import AppleFakes
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
    #expect(rig.fake.systemAlarms.rung.count == 1)
    #expect(rig.fake.systemAlarms.sounding == [], "the answer ends it")
    #expect(rig.fake.sounding.count == 1)
    let heard = try #require(rig.fake.sounding.first)
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
    #expect(rig.fake.sounding.first?.file.lastPathComponent == "Klaxon.wav")
  }

  /// Apple's players accept 16-bit RIFF WAVE, and notifications accept sounds of up to 30 s.
  @Test func `with a tone of 27 s that is loud to its end`() {
    let wave = [UInt8](MainActor.assumeIsolated { AlarmTone.wave })
    func number(_ place: Int, _ bytes: Int) -> Int {
      wave[place..<place + bytes].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    #expect(wave[..<4].elementsEqual("RIFF".utf8) && wave[8..<16].elementsEqual("WAVEfmt ".utf8))
    #expect(number(4, 4) == wave.count - 8 && number(40, 4) == wave.count - 44)
    let rate = number(24, 4)
    #expect(number(40, 4) == 27 * rate * 2)
    // Checks each second of it.
    for second in 0..<27 {
      let first = 44 + 2 * second * rate
      let loudest = (0..<rate).map { Int16(truncatingIfNeeded: number(first + 2 * $0, 2)) }.max()
      #expect(loudest! > 28_000, "second \(second)")
    }
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
    #expect(rig.fake.systemAlarms.rung == [])
    #expect(rig.fake.sounding.count == 1)
  }

  @Test func `again and again under one notification and one system alarm while nobody answers`() throws {
    let rig = try AppRig(walk(), parameters: .ideal)
    rig.answer = nil
    rig.setUp(there)
    rig.phone.run(until: walk().end)
    #expect(rig.rings.count > 3)
    #expect(Set(rig.rings.map(\.id)).count == 1)
    #expect(rig.rings.dropFirst().allSatisfy { $0.replaces })
    #expect(rig.fake.systemAlarms.rung.count == 1)
    #expect(rig.fake.systemAlarms.sounding.count == 1)
  }

  @Test func `on after its system alarm was stopped by a button of the phone`() throws {
    let rig = try AppRig(walk(), parameters: .ideal)
    rig.answer = nil
    rig.setUp(there)
    rig.phone.run(until: Town.morning + .seconds(300 + 500 / 1.4 + 30))
    let alarm = try #require(rig.fake.systemAlarms.sounding.first)
    rig.fake.systemAlarms.stop(alarm)
    rig.phone.run(until: walk().end)
    #expect(rig.fake.systemAlarms.rung.count > 1, "the next repeat sounds again")
    #expect(rig.fake.systemAlarms.sounding.count == 1)
  }

  @Test func `on after its notification was swiped away, which is shown again without a sound`() throws {
    let rig = try AppRig(walk(), parameters: .ideal)
    rig.answer = nil
    rig.setUp(there)
    rig.phone.run(until: Town.morning + .seconds(300 + 500 / 1.4 + 17))
    let former = try #require(rig.rings.last)
    let swipe = "com.apple.UNNotificationDismissActionIdentifier"
    #expect(rig.fake.notificationCentre.answer(former.id, swipe, on: rig.phone))
    rig.run(for: .milliseconds(100))
    let again = try #require(rig.rings.last)
    #expect(again.time > former.time && again.id == former.id && !again.isLoud && !again.replaces)
    #expect(again.title == "There" && again.body == former.body)
    #expect(rig.fake.systemAlarms.sounding.count == 1, "a swipe closes nothing")
    rig.phone.run(until: walk().end)
    #expect(try #require(rig.rings.last).isLoud, "the next repeat is heard")
    #expect(rig.fake.notificationCentre.answer(former.id, "stop", on: rig.phone))
    rig.run(for: .milliseconds(100))
    #expect(rig.fake.systemAlarms.sounding == [])
    #expect(!rig.fake.notificationCentre.standing.contains(former.id))
  }

  @Test func `with Stop, Sleep and Close in this order, and a closed alarm comes back by itself`() throws {
    let rig = try AppRig(walk(), parameters: .ideal)
    rig.answer = "close"
    rig.setUp(there)
    rig.phone.run(until: walk().end)
    let category = rig.fake.notificationCentre.categories.first { $0.identifier == "alarm" }
    #expect(category?.actions.map(\.title) == ["Stop", "Sleep", "Close"])
    #expect(rig.rings.count > 3)
    #expect(rig.rings.allSatisfy { !$0.replaces }, "each was taken away by its answer")
  }

  @Test func `a person who lets it sleep is asked again`() throws {
    let rig = try AppRig(walk(), parameters: .ideal)
    rig.answer = "sleep"
    rig.setUp(there)
    rig.phone.run(until: walk().end)
    #expect(rig.rings.count >= 2)
    #expect(rig.fake.systemAlarms.sounding == [])
  }

  @Test func `an alarm that was stopped just when the process ended is quiet from its next start on`() throws
  {
    let rig = try AppRig(walk(), parameters: .ideal)
    rig.setUp(there)
    rig.reaction = .seconds(7)
    rig.fake.onWritten = { [unowned rig] in
      guard let ring = rig.rings.first, rig.phone.now == ring.time + rig.reaction else { return }
      rig.end()
    }
    rig.phone.run(until: Town.morning + .seconds(300 + 500 / 1.4 + 60))
    #expect(rig.fake.systemAlarms.sounding.count == 1, "nobody was there to end it")
    rig.phone.openApplication()
    rig.run(for: .seconds(5))
    #expect(rig.fake.systemAlarms.sounding == [])
    #expect(rig.rings.count == 1)
  }

  // MARK: How it sounds

  private func choose(_ rig: AppRig, untilClosed: Bool, rising: Bool) {
    rig.phone.openApplication()
    let posted = rig.post(
      ["op": "sounding", "isUntilClosed": untilClosed, "isRising": rising], to: "proximityPhone")
    #expect(posted.refusal == nil)
    rig.phone.leaveApplication()
  }

  /// The stretches in which something was audible, in seconds from the ring.
  private func heard(_ rig: AppRig) throws -> [ClosedRange<Double>] {
    let ring = try #require(rig.rings.first)
    var all: [ClosedRange<Double>] = []
    for sounding in rig.fake.sounding {
      var since: Instant?
      for (at, volume) in sounding.volumes {
        if volume > 0 {
          since = since ?? at
        } else if let began = since {
          all.append((began - ring.time).seconds...(at - ring.time).seconds)
          since = nil
        }
      }
      let end = sounding.ended ?? rig.phone.now
      if let since { all.append((since - ring.time).seconds...(end - ring.time).seconds) }
    }
    return all
  }

  @Test func `with pauses between repeats in which silence plays on`() throws {
    let rig = try AppRig(walk(), parameters: .ideal)
    rig.answer = nil
    rig.setUp(there)
    rig.phone.run(until: Town.morning + .seconds(300 + 500 / 1.4 + 120))
    let heard = try heard(rig)
    #expect(heard.count > 3)
    #expect(heard[0] == 0...5)
    for stretch in heard.dropFirst() {
      #expect((2.5...15).contains(stretch.upperBound - stretch.lowerBound))
    }
    for (former, next) in zip(heard, heard.dropFirst()) { #expect(next.lowerBound > former.upperBound) }
    #expect(rig.fake.sounding.count == 1 && rig.fake.sounding[0].ended == nil)
    #expect(rig.fake.sounding[0].volumes.allSatisfy { [0, 1].contains($0.volume) })
  }

  @Test func `until closed, where a person wants that, also in the next process`() throws {
    let rig = try AppRig(walk(), parameters: .ideal)
    rig.reaction = .seconds(100)
    rig.setUp(there)
    choose(rig, untilClosed: true, rising: false)
    rig.phone.crash()
    rig.phone.openApplication()
    rig.run(for: .seconds(5))
    rig.phone.leaveApplication()
    rig.phone.run(until: walk().end)
    let heard = try heard(rig)
    #expect(rig.rings.count > 2, "over repeats")
    #expect(heard.first == 0...100)
  }

  @Test func `from soft to full within 20 seconds`() throws {
    let rig = try AppRig(walk(), parameters: .ideal)
    rig.reaction = .seconds(60)
    rig.setUp(there)
    choose(rig, untilClosed: true, rising: true)
    rig.phone.run(until: walk().end)
    let ring = try #require(rig.rings.first)
    let rising = try #require(rig.fake.sounding.first).volumes.filter { $0.volume > 0 }
    #expect(rising.first?.at == ring.time && rising.first?.volume == 0.1)
    #expect(rising.last?.volume == 1)
    #expect(rising.last.map { $0.at - ring.time } == .seconds(20))
    #expect(rising.count == 41)
    for (former, next) in zip(rising, rising.dropFirst()) {
      #expect(abs(next.volume / former.volume - Float(1.0593)) < 0.001, "the 40th root of ten")
    }
    #expect(rig.fake.sounding.first?.ended == ring.time + rig.reaction)
  }

  @Test func `as it is said, in true and false`() throws {
    let rig = try AppRig(walk(), parameters: .ideal)
    rig.setUp(there)
    rig.phone.openApplication()
    #expect(rig.post(["op": "sounding", "isUntilClosed": true], to: "proximityPhone").refusal != nil)
  }
}
