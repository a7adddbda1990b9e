import AlarmEngine
import Foundation
import Geometry
import TestSupport
import Testing

@testable import PhoneHost

@Suite("A journal for other people")
struct MovedJournalTests {
  // MARK: The same decisions

  /// A decision of the watch, without ids and places.
  private struct Decision: Equatable {
    let kind: String
    let time: Int64
    let told: Int64
  }

  /// Does the watch again as its reader does, from each state that was saved.
  private func decisions(_ export: [UInt8]) throws -> [Decision] {
    var watch: KeptWatch?
    var all: [Decision] = []
    for part in try JournalExport.read(export).parts {
      switch part {
      case .snapshot(let bytes): watch = try WatchSnapshot.read(bytes)
      case .journal(let bytes):
        let read = Journal.read(bytes)
        #expect(!read.isCut)
        var here = try #require(watch)
        for (number, entry) in read.entries {
          let told = here.apply(entry)
          #expect(here.lastEntry == number)
          for each in told {
            all.append(
              Decision(
                kind: "\(each.number) \(Self.name(of: each.event))",
                time: each.event.time.millisecondsSince1970, told: entry.at.millisecondsSince1970))
          }
        }
        watch = here
      }
    }
    return all
  }

  private static func name(of event: Event) -> String {
    switch event.kind {
    case .alarm(let report): "alarm \(report.cause)"
    case .repeat: "repeat"
    case .cleared(_, let why): "cleared \(why)"
    case .missedSignal: "missed signal"
    case .perhaps: "perhaps"
    case .notice: "notice"
    case .proposal(let proposal): "proposal of \(proposal.lines.count)"
    case .ignored: "ignored"
    }
  }

  private func moved(_ export: [UInt8], turn: Double = 123.4, lift: Double = 77.25) throws -> [UInt8] {
    try MovedJournal.bytes(of: export, turn: .degrees(turn), lift: .metres(lift))
  }

  @Test(arguments: Seeds.few(4))
  func `replayed from the moved journal, the same is told at the same times`(seed: Int) throws {
    let journey = RandomJourney(seed: UInt64(seed), fixes: 300)
    var journal = WrittenJournal(at: AlarmStory.start - .seconds(5), zones: journey.zones)
    var random = SeededGenerator(seed: UInt64(seed))
    for fix in journey.fixes.sorted(by: { $0.receivedAt < $1.receivedAt }) {
      journal.measure([fix])
      // A person answers in one way or another.
      if let alarm = journal.host.kept.ringing.first?.alarm, random.next() % 8 == 0 {
        let answers: [Command] = [.acknowledgeInside(alarm), .sleep(alarm), .close(alarm)]
        journal.tell(.command(answers[Int(random.next() % 3)]), at: fix.receivedAt)
      }
      if random.next() % 60 == 0 { journal.relaunch(at: fix.receivedAt) }
    }
    let (before, after) = (
      try decisions(journal.export), try decisions(try moved(journal.export, turn: Double(seed) * 80))
    )
    #expect(before.count > 20)
    try #require(before.map(\.kind) == after.map(\.kind))
    for (one, other) in zip(before, after) {
      #expect(one.told == other.told && abs(one.time - other.time) <= 1, "\(one) \(other)")
    }
  }

  @Test func `a history whose beginning is gone is moved as well, and still rings`() throws {
    let zones = [AlarmStory.circle("Bakery")]
    var journal = WrittenJournal(at: AlarmStory.start, zones: zones)
    for walk in 0..<8 {
      journal.measure(WrittenJournal.walk(from: AlarmStory.start + .hours(Double(walk + 1))))
    }
    let parts = journal.parts
    try #require(parts.count >= 4, "two snapshots, each with what follows")
    let cut = JournalExport.bytes(of: Array(parts.dropFirst(2)))
    let (before, after) = (try decisions(cut), try decisions(try moved(cut)))
    #expect(before.contains { $0.kind.contains("alarm") })
    #expect(before == after)
  }

  // MARK: Nothing of the person's is left

  private static let texts: [Text] = [
    "Grandmother's house", "Climbing wall", "Family", "my-own-sound", "Ann-Kathrin", "Dad", "+436641234567",
    "Bring a rope", "Opening times", "Ring twice", "https://example.org/climb", "wall.png", "Europe/Vienna",
    "MyRow", "secret row", "Shopping at Hofer", "oat milk",
  ]

  private func personal() throws -> WrittenJournal {
    var house = AlarmStory.circle("Grandmother's house", radius: 120, id: 0x1122_3344_5566_7788).draft
    house.category = "Family"
    house.soundName = "my-own-sound"
    house.messages = [
      Message(
        yourMoniker: "Ann-Kathrin", toMoniker: "Dad", contactNumber: "+436641234567",
        supplement: "Bring a rope")
    ]
    house.schedule = Schedule(
      windows: [.init(weekdays: .everyDay, opens: 0, closes: 1440)], timeZone: "Europe/Vienna",
      offsets: [.init(from: AlarmStory.start - .hours(24), seconds: 7200)])
    house.unknownRows = [["MyRow", "secret row"]]
    var wall = AlarmStory.circle("Climbing wall", id: 0x8877_6655_4433_2211).draft
    wall.outline = .path([AlarmStory.place(east: 900), AlarmStory.place(east: 900, north: 250)])
    wall.floor = .metres(612.5)
    wall.notice = Notice(
      title: "Opening times", text: "Ring twice", link: "https://example.org/climb", image: "wall.png")
    let reminder = try Reminder(
      id: ReminderID(rawValue: 3), title: "Shopping at Hofer", items: [.init("oat milk")],
      places: [.init(name: "Hofer", coordinate: AlarmStory.place(east: 350, north: 20))],
      radius: .metres(100), state: .active)
    let zones =
      [try Zone(house), try Zone(wall)]
      + ReminderZone.zones(of: [reminder], near: AlarmStory.origin)
    var journal = WrittenJournal(device: 0x0bad_cafe_0bad_f00d, at: AlarmStory.start, zones: zones)
    journal.measure(
      WrittenJournal.walk().enumerated().map { step, fix in
        Fix(
          position: fix.position, accuracy: fix.accuracy, measuredAt: fix.measuredAt,
          receivedAt: fix.receivedAt, speed: .metresPerSecond(1), course: .degrees(90.25),
          altitude: Altitude(metres: 611.75, error: 4, reference: .seaLevel))
      })
    if let alarm = journal.host.kept.ringing.first?.alarm {
      journal.tell(.command(.acknowledgeInside(alarm)), at: AlarmStory.start + .minutes(20))
    }
    journal.relaunch(at: AlarmStory.start + .minutes(21))
    for number in 1...7 {
      journal.measure(
        WrittenJournal.walk().map {
          let time = $0.measuredAt + .hours(Double(number))
          return Fix(position: $0.position, accuracy: $0.accuracy, measuredAt: time, receivedAt: time)
        })
    }
    return journal
  }

  private static func bytes(_ number: UInt64) -> [[UInt8]] {
    let big = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
    return [big, big.reversed()]
  }

  /// The first bytes of a double. The last ones vary; two places a metre apart share the first four.
  private static func beginnings(_ number: Double) -> [[UInt8]] {
    let big = bytes(number.bitPattern)[0]
    return [Array(big.prefix(5)), Array(big.prefix(5).reversed())]
  }

  private static func holds(_ bytes: [UInt8], _ piece: [UInt8]) -> Bool {
    Data(bytes).range(of: Data(piece)) != nil
  }

  @Test func `no coordinate, height, name, id or text of the person is left in the bytes`() throws {
    let journal = try personal()
    let (before, after) = (journal.export, try moved(journal.export))
    try #require(journal.parts.count > 2)
    for text in Self.texts {
      #expect(Self.holds(before, text.utf8), "\(text) is not in the journal at all")
      #expect(!Self.holds(after, text.utf8), "\(text)")
    }
    var ids = [0x1122_3344_5566_7788, 0x8877_6655_4433_2211, 0x0bad_cafe_0bad_f00d] as [UInt64]
    ids += journal.told.compactMap { $0.told.event.ring?.alarm.rawValue }
    #expect(ids.count > 4)
    for id in ids {
      #expect(!Self.bytes(id).contains { Self.holds(after, $0) }, "\(id)")
    }
    for id in ids.prefix(3) { #expect(Self.bytes(id).contains { Self.holds(before, $0) }, "\(id)") }
    let walk = WrittenJournal.walk()
    let numbers =
      walk.flatMap { [$0.position.latitude.degrees, $0.position.longitude.degrees] }
      + [900.0, 350].map { AlarmStory.place(east: $0).longitude.degrees } + [612.5, 611.75, 90.25]
    for number in Set(numbers) {
      #expect(Self.beginnings(number).contains { Self.holds(before, $0) }, "\(number) was not there")
      #expect(!Self.beginnings(number).contains { Self.holds(after, $0) }, "\(number)")
    }
    // All places lie in the Atlantic.
    for part in try JournalExport.read(after).parts {
      guard case .journal(let bytes) = part else { continue }
      for case .inputs(let inputs) in Journal.read(bytes).entries.map(\.entry.content) {
        for case .fix(let fix) in inputs {
          #expect(fix.position.distance(to: PlaceMove.target).metres < 2000)
          #expect(fix.altitude.map { abs($0.height.metres - 689) < 0.01 } ?? true)
        }
      }
    }
    let (here, there) = (try decisions(before), try decisions(after))
    #expect(here == there)
    for kind in ["alarm", "notice", "proposal of 1"] { #expect(here.contains { $0.kind.contains(kind) }) }
  }

  @Test func `zones have numbers for names, reminders stay reminders`() throws {
    let after = try moved(try personal().export)
    var zones: [Zone] = []
    for part in try JournalExport.read(after).parts {
      guard case .journal(let bytes) = part else { continue }
      for case .zones(let all, _) in Journal.read(bytes).entries.map(\.entry.content) { zones = all }
    }
    #expect(zones.map(\.name) == ["Zone 2", "Zone 1", "Zone 3"])
    #expect(zones.map(ReminderZone.isOne) == [false, false, true])
    #expect(zones.map(\.id.rawValue) == [2, 1, 3])
    #expect(zones[1].floor == .metres(612.5 + 77.25))
  }

  // MARK: Malformed journals

  @Test func `bytes that are no journal are refused with a sentence`() throws {
    for bytes in [[], Array("{}".utf8), Array("PXW1".utf8), [0, 0, 0, 3]] {
      #expect(throws: MovedJournal.Refusal.noJournal) { try moved(bytes) }
    }
    for bytes in [
      JournalExport.mark, JournalExport.bytes(of: [.snapshot([1, 2]), .journal([9, 9])]),
      JournalExport.mark + [7, 0, 0, 0, 0],
    ] {
      #expect(throws: MovedJournal.Refusal.nothingReadable) { try moved(bytes) }
    }
    #expect("\(MovedJournal.Refusal.nothingReadable.sentence)".contains("nothing of it can be read"))
  }

  @Test func `of a damaged journal the readable part is moved, and nothing traps`() throws {
    let export = try personal().export
    let whole = try decisions(try moved(export)).count
    var random = SeededGenerator(seed: 5)
    for _ in 0..<30 {
      var bytes = export
      if random.next() % 2 == 0 {
        bytes.removeLast(Int(random.next() % UInt64(bytes.count - 4)))
      } else {
        bytes[4 + Int(random.next() % UInt64(bytes.count - 4))] ^= UInt8(1 + random.next() % 255)
      }
      do {
        let after = try moved(bytes)
        #expect(try JournalExport.read(after).parts.count <= JournalExport.read(export).parts.count)
        for text in Self.texts.prefix(3) { #expect(!Self.holds(after, text.utf8)) }
      } catch { #expect(error as? MovedJournal.Refusal == .nothingReadable) }
    }
    #expect(whole > 3)
  }
}

extension Event {
  fileprivate var ring: AlarmReport? { if case .alarm(let report) = kind { report } else { nil } }
}
