import Geometry
import TestSupport
import Testing

@testable import AlarmEngine

@Suite("Snapshots of reminders")
struct ReminderSnapshotTests {
  /// The list after a restart: of the reminders as they are stored, and the snapshot.
  private func revived(_ list: ReminderList) throws -> ReminderList {
    var revived = ReminderList(list.reminders)
    #expect(try revived.restore(list.snapshot()) == [])
    return revived
  }

  @Test(arguments: Seeds.few(40))
  func `a list that is revived at every step does the same as one that is not`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var kept = groceries(places: [place(0, "A"), place(400, "B")])
    var revived = kept
    var seconds = 0.0
    for _ in 0..<60 {
      seconds += Double.random(in: 1...300, using: &random)
      let input: ReminderList.Input
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        input = .command(
          .snooze(milk, until: start + .seconds(seconds + Double.random(in: 0...900, using: &random))),
          at: start + .seconds(seconds))
      case 1: input = .advance(to: start + .seconds(seconds))
      default:
        input = .fix(
          Fix(
            position: place(Double.random(in: -200...800, using: &random), "").coordinate,
            accuracy: .radius(.metres(Double.random(in: 0...300, using: &random))),
            measuredAt: start + .seconds(seconds),
            receivedAt: start + .seconds(seconds + (Bool.random(using: &random) ? 0 : 1000))))
      }
      let effects = kept.step(input)
      #expect(revived.step(input) == effects, "seed \(seed)")
      revived = try self.revived(revived)
    }
  }

  @Test func `bytes that end early, go on or are of another version change nothing`() throws {
    var list = groceries()
    list.walk(to: 100, at: 0)
    let bytes = list.snapshot()
    for count in 1..<bytes.count {
      var other = groceries()
      #expect(throws: FieldError.self) { try other.restore(Array(bytes.prefix(count))) }
      #expect(other == groceries())
    }
    for wrong in [bytes + [0], [9] + bytes.dropFirst()] {
      var other = groceries()
      #expect(throws: FieldError.self) { try other.restore(wrong) }
      #expect(other == groceries())
    }
    #expect(ReminderList().snapshot() == [])
  }

  @Test func `changed bytes never trap`() throws {
    var list = groceries()
    list.walk(to: 100, at: 0)
    list.walk(to: 420, at: 60, error: 200)
    let bytes = list.snapshot()
    for index in bytes.indices {
      for value in [0, 1, 2, 127, 255] as [UInt8] {
        var wrong = bytes
        wrong[index] = value
        var other = groceries()
        _ = try? other.restore(wrong)
        _ = other.walk(to: 100, at: 120)
      }
    }
  }

  @Test func `an announced reminder that is gone is named, and a place that is gone is left`() throws {
    var list = groceries()
    list.walk(to: 100, at: 0)
    let bytes = list.snapshot()
    var none = ReminderList()
    #expect(try none.restore(bytes) == [milk])
    var moved = groceries(places: [place(5000, "F")])
    #expect(try moved.restore(bytes) == [])
    #expect(!moved.isNear(milk))
    #expect(told(moved.step(.advance(to: start + .seconds(1)))) == ["withdraw"])
  }

  @Test func `a fix that comes late changes what is near and announces nothing`() throws {
    var list = groceries()
    func late(_ metres: Double, at seconds: Double, by: TimeSpan) -> [ReminderList.Effect] {
      list.step(
        .fix(
          Fix(
            position: place(metres, "").coordinate, accuracy: .radius(.metres(10)),
            measuredAt: start + .seconds(seconds), receivedAt: start + .seconds(seconds) + by)))
    }
    #expect(told(late(100, at: 0, by: ReminderList.timely + .milliseconds(1))) == ["nearby A"])
    #expect(told(list.step(.advance(to: start + .minutes(20)))) == [])
    #expect(list.isNear(milk))
    #expect(told(late(100, at: 1200, by: ReminderList.timely)) == ["notify A"])
  }

  @Test func `a completed one that repeats waits for a position before it begins anew`() throws {
    let reminder = try Reminder(
      id: milk, title: "Groceries", places: [place(0, "A")], repeats: true, state: .completed)
    var list = ReminderList([reminder])
    _ = list.step(.advance(to: start))
    #expect(list.reminders[0].state == .completed)
    list.walk(to: 5000, at: 10)
    #expect(list.reminders[0].state == .active)
  }
}
