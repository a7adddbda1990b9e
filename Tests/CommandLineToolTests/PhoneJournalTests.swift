import AlarmEngine
import CommandLineSupport
import CommandLineTestSupport
import Foundation
import Geometry
import PhoneHost
import TestSupport
import Testing

@testable import CommandLineTool

@Suite("replay and explain of a phone's journal")
struct PhoneJournalTests {
  private let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func written(_ change: (inout WrittenJournal) -> Void = { _ in }) -> WrittenJournal {
    var journal = WrittenJournal(at: AlarmStory.start, zones: [AlarmStory.circle("Bakery")])
    change(&journal)
    journal.measure(WrittenJournal.walk())
    return journal
  }

  private func file(_ bytes: [UInt8], _ name: String = "phone.journal") throws -> String {
    let file = folder.url.appendingPathComponent(name)
    try Data(bytes).write(to: file)
    return file.path
  }

  @Test func `a journal is replayed without zones, and agrees with the phone`() throws {
    let path = try file(written().export)
    let captured = CapturedConsole()
    #expect(captured.run("replay", path) == 0, "\(captured.messages)")
    #expect(captured.lines.contains { $0.contains("Bakery  ALARM") }, "\(captured.output)")
    #expect(captured.lines.contains("On the phone: 1 alarm"))
    #expect(captured.lines.contains { $0.contains("shown at once") })
    #expect(!captured.output.contains("Differences on the phone"))
  }

  @Test func `what replay tells of a journal is what the phone told`() throws {
    for seed in UInt64(1)...6 {
      let journey = RandomJourney(seed: seed)
      var journal = WrittenJournal(at: AlarmStory.start - .seconds(5), zones: journey.zones)
      for (number, fix) in journey.fixes.sorted(by: { $0.receivedAt < $1.receivedAt }).enumerated() {
        journal.measure([fix])
        if number % 40 == 20 { journal.relaunch(at: fix.receivedAt) }
      }
      let captured = CapturedConsole()
      let status = captured.run("replay", try file(journal.export), "--json")
      #expect([0, 1].contains(status), "\(captured.messages)")
      #expect(!captured.messages.contains("ran another version"), "\(captured.messages)")
      #expect(!captured.messages.contains("missing"), "\(captured.messages)")
      #expect(!captured.messages.contains("the phone did not ring"), "\(captured.messages)")
      let there = Set(journal.told.compactMap { $0.told.event.ring?.alarm.description })
      let here = there.filter { alarm in
        captured.lines.contains { $0.contains("\"event\":\"alarm\"") && $0.contains(alarm) }
      }
      let taken = captured.messages.split(separator: "\n").count { $0.contains("it should not have rung") }
      #expect(
        here.count <= there.count && there.count <= here.count + taken, "seed \(seed)\n\(captured.messages)")
      #expect(
        captured.lines.allSatisfy { line in
          !line.contains("\"event\":\"alarm\"") || there.contains { line.contains($0) }
        })
    }
  }

  @Test func `zones that are named take the place of the journal's`() throws {
    let zones = try folder.file("other.pad", Sample.circle("Other", 0, 0))
    let captured = CapturedConsole()
    #expect(captured.run("replay", try file(written().export), "--zones", zones) == 0, "\(captured.messages)")
    #expect(captured.output.contains("81 fixes through 1 zone: 0 alarms"))
    #expect(!captured.output.contains("On the phone"))
  }

  @Test func `an answer and other settings on the way count as they did on the phone`() throws {
    let journal = written { journal in
      journal.measure(Array(WrittenJournal.walk().prefix(45)))
      let now = AlarmStory.start + .seconds(441)
      if let alarm = journal.host.kept.ringing.first?.alarm {
        journal.tell(.command(.acknowledgeInside(alarm)), at: now)
      }
      var settings = Settings.phone
      settings.change(.maximumSpeed, to: 20)
      journal.tell(.zones([AlarmStory.circle("Bakery", radius: 120)], settings), at: now + .seconds(1))
      journal.tell(.clockJumped(by: .milliseconds(5)), at: now + .seconds(2))
    }
    let path = try file(journal.export)
    let captured = CapturedConsole()
    let status = captured.run("replay", path)
    #expect(status == 0, "\(captured.output)\(captured.messages)")
    #expect(captured.output.contains("1 alarm,"), "\(captured.output)")
    // Events before the change can be explained too.
    let ring = try #require(journal.told.first { $0.told.event.ring != nil }?.told.event.time)
    let explained = CapturedConsole()
    #expect(
      explained.run("explain", path, "--zone", "Bakery", "--at", rfc3339(ring)) == 0, "\(explained.messages)")
    #expect(explained.output.contains("It first rang at"), "\(explained.output)")
    #expect(explained.output.contains("On the phone: rang, decided at"), "\(explained.output)")
  }

  @Test func `explain tells which positions the phone had, and that it had not rung`() throws {
    let path = try file(written().export)
    let captured = CapturedConsole()
    #expect(captured.run("explain", path, "--zone", "Bakery", "--at", "2026-06-01T00:01:05Z") == 0)
    #expect(captured.output.contains("On the phone: it had not rung by then."), "\(captured.output)")
    #expect(
      captured.output.contains(
        "Positions: the last at 2026-06-01T00:01:00.000Z, 5 s before; the next 5 s after."))
  }

  @Test
  func `a ring that was not shown, one that came late and one decided otherwise are told, with status 1`()
    throws
  {
    let silent = CapturedConsole()
    #expect(silent.run("replay", try file(written { $0.shows = false }.export)) == 1)
    #expect(
      silent.output.contains("Bakery: the phone decided at")
        && silent.output.contains("never recorded that it did"))

    // The system delivered the positions ten minutes late.
    var late = WrittenJournal(at: AlarmStory.start, zones: [AlarmStory.circle("Bakery")])
    late.measure(
      WrittenJournal.walk().map {
        Fix(
          position: $0.position, accuracy: $0.accuracy, measuredAt: $0.measuredAt,
          receivedAt: $0.measuredAt + .minutes(10))
      })
    let told = CapturedConsole()
    #expect(told.run("replay", try file(late.export)) == 1)
    #expect(
      told.output.contains("Bakery: the phone rang at") && told.output.contains("10 min"), "\(told.output)")

    // Another version delivered one more event.
    var other = written()
    let last = try #require(other.told.last?.told.number)
    _ = other.host
    var bytes = other.parts
    let number = other.host.kept.lastEntry + 1
    bytes.append(
      .journal(
        Journal.bytes(of: JournalEntry(.told(last + 3), at: AlarmStory.start + .hours(1)), number: number)))
    other.relaunch(at: AlarmStory.start + .hours(2))
    let counted = CapturedConsole()
    #expect(counted.run("replay", try file(JournalExport.bytes(of: bytes))) == 1)
    #expect(counted.output.contains("the phone ran another version"), "\(counted.output)")
    let explained = CapturedConsole()
    #expect(
      explained.run(
        "explain", try file(JournalExport.bytes(of: bytes)), "--zone", "Bakery", "--at",
        "2026-06-01T00:10:00Z")
        == 1)
    #expect(explained.output.contains("Difference on the phone: "))
  }

  @Test func `what cannot be read ends with words and status 3, what is cut with status 1`() throws {
    let export = written().export
    for (bytes, words) in [
      ([], "is empty"), (Array(export.prefix(9)), "is damaged"),
      (JournalExport.mark + [2, 255, 255, 255, 255], "is damaged"),
      (Array("PXJ1 hello".utf8), "is damaged"), (Array("hello".utf8), "is damaged"),
    ] as [([UInt8], String)] {
      for command in ["replay", "explain"] {
        let captured = CapturedConsole()
        let more = command == "explain" ? ["--zone", "x", "--at", "2026-06-01T00:01:05Z"] : []
        #expect(Proximity.run([command, try file(bytes)] + more, on: captured.console) == 3)
        #expect(captured.messages.contains(words), "\(captured.messages)")
      }
    }
    let cut = CapturedConsole()
    #expect(cut.run("replay", try file(Array(export.dropLast(30)))) == 1)
    #expect(cut.messages.contains("cut short or damaged"), "\(cut.messages)")
  }

  @Test func `a track without zones is said to need some`() throws {
    let track = try folder.file("walk.gpx", Sample.walk())
    let captured = CapturedConsole()
    #expect(captured.run("replay", track) == 2)
    #expect(captured.messages.contains("--zones is missing"))
    let two = CapturedConsole()
    #expect(two.run("replay", try file(written().export), track) == 2)
    #expect(two.messages.contains("--zones is missing"))
  }

  /// A walk on which the phone gave less than was requested, with times in seconds from its start.
  private func asked() -> [UInt8] {
    let fences = [1, 2].map {
      Fence(id: FenceID(rawValue: $0), center: AlarmStory.origin, radius: .metres(300))
    }
    let session = WatchNote.session(Session(accuracy: .best), interval: .seconds(1))
    let steps: [(Double, JournalEntry.Content)] = [
      (0, .zones([AlarmStory.circle("Bakery")], .phone)),
      (
        0, .noted([.started(.person), session, .fences(laid: fences, removed: []), .wake(second(60))])
      ),
      (10, position(10)), (400, position(400)), (401, .noted([.woke])),
      (410, .noted([.requested(.hundredMetres, within: .seconds(30))])),
      (440, .noted([.requestEnded(isAnswered: false)])),
      (450, .noted([.requested(.hundredMetres, within: .seconds(30))])),
      (460, .noted([.requestEnded(isAnswered: true)])), (460, position(460)),
      (470, .noted([.fenceExited(FenceID(rawValue: 1))])),
      (480, .noted([.fences(laid: [], removed: [FenceID(rawValue: 1)])])),
      (490, .noted([.fenceEntered(FenceID(rawValue: 1))])),
      (500, position(500)), (550, position(550)),
      (600, .noted([.fenceEntered(FenceID(rawValue: 1)), .fenceExited(FenceID(rawValue: 0xab))])),
      (601, .noted([.fenceFailed(FenceID(rawValue: 2)), .requested(.best, within: .seconds(60))])),
      (700, .noted([.started(.relaunch)])), (701, position(701)),
    ]
    return steps.enumerated().flatMap { number, step in
      Journal.bytes(of: JournalEntry(step.1, at: second(step.0)), number: UInt64(number + 1))
    }
  }
  private func second(_ seconds: Double) -> Instant { AlarmStory.start + .seconds(seconds) }
  private func position(_ seconds: Double) -> JournalEntry.Content {
    .inputs([
      .fix(
        Fix(
          position: AlarmStory.place(east: 5000), accuracy: .radius(.metres(8)), measuredAt: second(seconds),
          receivedAt: second(seconds)))
    ])
  }

  @Test func `what the phone was asked for is told, and where it answered late or not`() throws {
    let captured = CapturedConsole()
    #expect(captured.run("replay", try file(asked())) == 0, "\(captured.messages)")
    let lines = captured.lines
    let start = try #require(lines.firstIndex(of: "Requests to the phone:"))
    #expect(
      Array(lines[start...]) == [
        "Requests to the phone:", "  app started       2 times",
        "  positions         1 session, 10 min 1 s",
        "  single positions  3 requested, 1 answered, the slowest after 10 s",
        "  fences            2 set, 1 removed, 4 crossings",
        "  wake times        1 requested, at most 5 min 41 s late",
        "Late or missing answers:",
        "  positions every 1 s requested, none received for 6 min 30 s, from 2026-06-01T00:00:10.000Z to 2026-06-01T00:06:40.000Z",
        "  a wake-up requested at 2026-06-01T00:01:00.000Z; the app's next activity came 5 min 41 s later",
        "  positions every 1 s requested, none received for 1 min, from 2026-06-01T00:06:40.000Z to 2026-06-01T00:07:40.000Z",
        "  a position within 30 s requested at 2026-06-01T00:06:50.000Z, none received",
        "  positions every 1 s requested, none received for 2 min 30 s, from 2026-06-01T00:09:10.000Z to 2026-06-01T00:11:40.000Z, when the app was restarted",
        "  fence 1 reported as crossed at 2026-06-01T00:10:00.000Z, but removed at 2026-06-01T00:08:00.000Z",
        "  fence ab reported as crossed at 2026-06-01T00:10:00.000Z, but never set",
        "  fence 2 refused at 2026-06-01T00:10:01.000Z",
        "  a position requested at 2026-06-01T00:10:01.000Z, but the phone ended the app first; the app was restarted at 2026-06-01T00:11:40.000Z",
      ], "\(captured.output)")
  }

  @Test func `explain tells what the phone was asked for at the time, and what it failed to do then`() throws
  {
    let captured = CapturedConsole()
    let path = try file(asked())
    _ = captured.run("explain", path, "--zone", "Bakery", "--at", "2026-06-01T00:06:55Z")
    #expect(
      captured.lines.contains(
        "Requested from the phone: positions every 1 s since 2026-06-01T00:00:00.000Z; one position within 30 s, since 2026-06-01T00:06:50.000Z; 2 fences."
      ), "\(captured.output)")
    #expect(
      captured.lines.contains(
        "The phone: a position within 30 s requested at 2026-06-01T00:06:50.000Z, none received."))
    #expect(!captured.output.contains("6 min 30 s"), "\(captured.output)")
  }

  @Test func `a journal of a version that noted nothing says nothing of what was asked`() throws {
    let entries: [JournalEntry.Content] = [.zones([AlarmStory.circle("Bakery")], .phone), position(10)]
    let bytes = entries.enumerated().flatMap {
      Journal.bytes(of: JournalEntry($1, at: second(10)), number: UInt64($0 + 1))
    }
    let captured = CapturedConsole()
    #expect(captured.run("replay", try file(bytes)) == 0, "\(captured.messages)")
    #expect(!captured.output.contains("Requests to the phone"))
  }

  @Test func `a report is made of a journal, too`() throws {
    let page = folder.path("report.html")
    #expect(CapturedConsole().run("replay", try file(written().export), "--report", page) == 0)
    #expect(try folder.text("report.html").contains("Bakery"))
  }
}
