import Geometry
import TestSupport
import Testing

@testable import AlarmEngine

@Suite("Reminders")
struct ReminderTests {
  @Test func `S200: the list is empty at first`() {
    let list = ReminderList()
    #expect(list.reminders.isEmpty && list.nearby.isEmpty && list.snoozed.isEmpty && list.nextWake == nil)
  }

  @Test func `S204 S205 S206: a reminder has items and several places, each once`() throws {
    let twice = try Reminder(
      id: milk, title: "Groceries", items: [.init("milk"), .init("bread")],
      places: [place(0, "A"), place(500, "B"), place(0, "A")])
    #expect(twice.places == [place(0, "A"), place(500, "B")])
    #expect(twice.radius == .metres(150))
    var list = ReminderList()
    list.tell(.add(twice))
    #expect(list.reminders == [twice])
  }

  @Test(arguments: [49.9, 5000.1, -150])
  func `a radius beyond what is allowed is refused as given`(metres: Double) {
    #expect(throws: ReminderError.radiusOutOfRange(given: .metres(metres))) {
      try Reminder(id: milk, title: "x", radius: .metres(metres))
    }
  }

  @Test func `S207 S219: near any of its places it is announced once, for the nearest`() {
    var list = groceries(places: [place(0, "A"), place(40, "B")])
    #expect(list.walk(to: 400, at: 0) == [])
    let effects = list.walk(to: 149, at: 60)
    #expect(told(effects) == ["notify B", "nearby B A"])
    #expect(told(list.walk(to: 100, at: 90)) == [])
  }

  @Test func `S219: at 151 m it is silent, at 149 m it is announced`() {
    var list = groceries()
    #expect(told(list.walk(to: 151, at: 0)) == [])
    #expect(told(list.walk(to: 149, at: 60)) == ["notify A", "nearby A"])
  }

  @Test func `a coarse fix inside waits for a second one that agrees, at least 10 s later`() {
    var list = groceries()
    #expect(told(list.walk(to: 100, at: 0, error: 200)) == [])
    #expect(told(list.walk(to: 100, at: 5, error: 200)) == [])
    #expect(told(list.walk(to: 100, at: 10, error: 200)) == ["notify A", "nearby A"])
  }

  @Test func `a coarse fix inside between others outside is not announced`() {
    var list = groceries()
    for (at, metres) in [200.0, 100, 200, 100, 200].enumerated() {
      #expect(told(list.walk(to: metres, at: Double(at) * 30, error: 100)) == [])
    }
  }

  @Test func `a fix that states no accuracy counts as one of 100 m`() {
    var list = groceries()
    let position = place(50, "").coordinate
    let fix = Fix(position: position, accuracy: .unstated, measuredAt: start)
    #expect(told(list.step(.fix(fix))) == [])
    let second = Fix(position: position, accuracy: .unstated, measuredAt: start + .seconds(20))
    #expect(told(list.step(.fix(second))) == ["notify A", "nearby A"])
  }

  @Test func `the clock set back two hours: a place is announced all the same, a snooze grows no longer`() {
    var list = groceries()
    #expect(told(list.walk(to: 400, at: 7200)) == [])
    _ = list.step(.clockJumped(by: .hours(-2), at: start + .seconds(10)))
    #expect(told(list.walk(to: 149, at: 60)) == ["notify A", "nearby A"])
    let until = start + .hours(1)
    _ = list.step(.command(.snooze(milk, until: until), at: start + .seconds(61)))
    _ = list.step(.clockJumped(by: .hours(-2), at: start + .seconds(62) - .hours(2)))
    #expect(list.nextWake == until - .hours(2))
    // The new clock is past the end of the snooze.
    let effects = list.step(.clockJumped(by: .hours(2), at: start + .seconds(63)))
    #expect(told(effects) == ["notify A", "nearby A"])
  }

  @Test func `a new visit is announced anew`() {
    var list = groceries()
    #expect(told(list.walk(to: 100, at: 0)) == ["notify A", "nearby A"])
    #expect(told(list.walk(to: 400, at: 60)) == ["withdraw", "nearby"])
    #expect(told(list.walk(to: 100, at: 120)) == ["notify A", "nearby A"])
  }

  @Test func `going from branch to branch is one visit`() {
    var list = groceries(places: [place(0, "A"), place(400, "B")])
    #expect(told(list.walk(to: 0, at: 0)) == ["notify A", "nearby A"])
    #expect(told(list.walk(to: 260, at: 60)) == ["nearby B A"])
    #expect(told(list.walk(to: 400, at: 120)) == ["nearby B"])
    #expect(told(list.walk(to: 800, at: 180)) == ["withdraw", "nearby"])
  }

  @Test func `S211: a completed reminder is withdrawn and stays quiet`() {
    var list = groceries()
    list.walk(to: 100, at: 0)
    #expect(told(list.tell(.complete(milk), at: 10)) == ["withdraw", "nearby"])
    #expect(told(list.walk(to: 400, at: 60)) == [])
    #expect(told(list.walk(to: 100, at: 120)) == [])
    #expect(list.reminders[0].state == .completed)
  }

  @Test func `W19: again next time, with nothing done, once the place is left`() {
    var list = groceries(repeats: true)
    list.walk(to: 100, at: 0)
    list.tell(.toggleItem(milk, index: 0), at: 5)
    #expect(list.reminders[0].items[0].done)
    #expect(told(list.tell(.complete(milk), at: 10)) == ["withdraw", "nearby"])
    #expect(told(list.walk(to: 90, at: 20)) == [])
    #expect(list.reminders[0].state == .completed && list.reminders[0].items[0].done)
    #expect(told(list.walk(to: 400, at: 60)) == [])
    #expect(list.reminders[0].state == .active && !list.reminders[0].items[0].done)
    #expect(told(list.walk(to: 100, at: 120)) == ["notify A", "nearby A"])
  }

  @Test func `S212 S214: a snoozed reminder is withdrawn and comes back, at once if still near`() {
    var list = groceries()
    list.walk(to: 100, at: 0)
    #expect(told(list.tell(.snooze(milk, until: start + .minutes(30)), at: 10)) == ["withdraw", "nearby"])
    #expect(list.snoozed.map { $0.until } == [start + .minutes(30)])
    #expect(list.nextWake == start + .minutes(30))
    #expect(told(list.walk(to: 90, at: 60)) == [])
    #expect(told(list.step(.advance(to: start + .seconds(1799.999)))) == [])
    #expect(told(list.step(.advance(to: start + .minutes(30)))) == ["notify A", "nearby A"])
    #expect(list.snoozed.isEmpty && list.nextWake == nil)
  }

  @Test func `a snooze that ends far away is silent until the next visit`() {
    var list = groceries()
    list.walk(to: 100, at: 0)
    list.tell(.snooze(milk, until: start + .minutes(1)), at: 10)
    #expect(told(list.walk(to: 500, at: 50)) == [])
    #expect(told(list.walk(to: 500, at: 70)) == [])
    #expect(told(list.walk(to: 100, at: 90)) == ["notify A", "nearby A"])
  }

  @Test func `a snooze that ends when the phone was not heard of for a day waits for the next fix`() {
    var list = groceries()
    list.walk(to: 100, at: 0)
    list.tell(.snooze(milk, until: start + .hours(48)), at: 10)
    #expect(told(list.step(.advance(to: start + .hours(48)))) == ["nearby A"])
    #expect(told(list.walk(to: 100, at: 48 * 3600 + 60)) == ["notify A"])
  }

  @Test func `S215: a snoozed or completed reminder can be restarted at any time`() {
    var list = groceries()
    list.walk(to: 100, at: 0)
    list.tell(.snooze(milk, until: start + .hours(1)), at: 10)
    #expect(told(list.tell(.restart(milk), at: 20)) == ["notify A", "nearby A"])
    list.tell(.complete(milk), at: 30)
    #expect(told(list.tell(.restart(milk), at: 40)) == ["notify A", "nearby A"])
  }

  @Test func `a reminder added, or moved, to where the phone stands is announced at once`() throws {
    var list = ReminderList()
    list.walk(to: 0, at: 0)
    let far = try Reminder(id: milk, title: "x", places: [place(5000, "F")])
    #expect(told(list.tell(.add(far), at: 10)) == [])
    let here = try Reminder(id: milk, title: "x", places: [place(5000, "F"), place(20, "A")])
    #expect(told(list.tell(.edit(here), at: 20)) == ["notify A", "nearby A"])
    var renamed = here
    renamed.title = "y"
    #expect(told(list.tell(.edit(renamed), at: 30)) == [])
    #expect(told(list.tell(.edit(far), at: 40)) == ["withdraw", "nearby"])
  }

  @Test func `a removed reminder takes its notification along`() {
    var list = groceries()
    list.walk(to: 100, at: 0)
    #expect(told(list.tell(.remove(milk), at: 10)) == ["withdraw", "nearby"])
    #expect(list.reminders.isEmpty)
  }

  @Test func `commands that fit nothing are refused by name`() throws {
    var list = groceries()
    let other = ReminderID(rawValue: 99)
    for command in [
      ReminderList.Command.remove(other), .complete(other), .restart(other), .snooze(other, until: start),
      .toggleItem(other, index: 0), .edit(try Reminder(id: other, title: "x")),
    ] {
      #expect(list.tell(command) == [.refused(other, .unknownReminder)])
    }
    #expect(list.tell(.add(list.reminders[0])) == [.refused(milk, .idTaken)])
    for item in [-1, 1, Int.max] {
      #expect(
        list.tell(.toggleItem(milk, index: item)) == [.refused(milk, .noSuchItem(given: item, count: 1))])
    }
  }
}

@Suite("Fixes that reminders ignore")
struct ReminderFixTests {
  private func fix(_ metres: Double, _ seconds: Double, accuracy: Double = 10, late: Double = 0) -> Fix {
    Fix(
      position: place(metres, "").coordinate, accuracy: .radius(.metres(accuracy)),
      measuredAt: start + .seconds(seconds), receivedAt: start + .seconds(seconds + late))
  }

  @Test func `an older fix, or the same again, is not newer`() {
    var list = groceries()
    #expect(list.step(.fix(fix(400, 60))) == [])
    for seconds in [60, 59, -1000.0] {
      let old = fix(100, seconds)
      #expect(list.step(.fix(old)) == [.ignored(old, .notNewer)])
    }
  }

  @Test func `time that passed does not make a fix old`() {
    var list = groceries()
    _ = list.step(.advance(to: start + .seconds(60)))
    #expect(told(list.step(.fix(fix(100, 50)))) == ["notify A", "nearby A"])
  }

  @Test func `invalid, coarse and future fixes are ignored by name`() {
    var list = groceries()
    let invalid = fix(100, 10, accuracy: -1)
    #expect(list.step(.fix(invalid)) == [.ignored(invalid, .invalidAccuracy)])
    let coarse = fix(100, 20, accuracy: 1001)
    #expect(list.step(.fix(coarse)) == [.ignored(coarse, .tooCoarse)])
    let future = fix(100, 3600, late: -601)
    #expect(list.step(.fix(future)) == [.ignored(future, .fromTheFuture)])
    #expect(told(list.step(.fix(fix(100, 30)))) == ["notify A", "nearby A"])
  }

  @Test func `one outlier announces nothing; the next that agrees with it is believed`() {
    var list = groceries()
    _ = list.step(.fix(fix(20_000, 0)))
    let outlier = fix(100, 10)
    #expect(list.step(.fix(outlier)) == [.ignored(outlier, .outlier)])
    #expect(list.step(.fix(fix(20_000, 20))) == [])
    let again = fix(100, 30)
    #expect(list.step(.fix(again)) == [.ignored(again, .outlier)])
    #expect(told(list.step(.fix(fix(110, 40)))) == ["notify A", "nearby A"])
  }
}

@Suite("Snooze choices")
struct ReminderSnoozeTests {
  private let berlin = [
    Schedule.Offset(from: Instant(millisecondsSince1970: 1_774_746_000_000), seconds: 7200),  // 2026-03-29
    Schedule.Offset(from: Instant(millisecondsSince1970: 1_792_890_000_000), seconds: 3600),  // 2026-10-25
  ]

  @Test func `S213: half an hour, one hour, three hours, a week`() {
    let spans = [ReminderSnooze.halfAnHour, .oneHour, .threeHours, .oneWeek].map {
      ($0.until(from: start, offsets: berlin) - start).seconds
    }
    #expect(spans == [1800, 3600, 10_800, 604_800])
  }

  @Test func `S213: tomorrow is 9:00 on the next day by local clocks`() {
    // Saturday 2026-10-24, 23:30 and Sunday 0:30 in Berlin; the clocks go back in that night.
    let saturday = Instant(millisecondsSince1970: 1_792_877_400_000)
    let sunday9 = Instant(millisecondsSince1970: 1_792_915_200_000)  // 8:00 UTC
    #expect(ReminderSnooze.tomorrowMorning.until(from: saturday, offsets: berlin) == sunday9)
    #expect(
      ReminderSnooze.tomorrowMorning.until(from: saturday + .hours(1), offsets: berlin) == sunday9
        + .hours(24))
  }

  @Test func `with no offsets tomorrow is that of UTC`() {
    let until = ReminderSnooze.tomorrowMorning.until(
      from: Instant(millisecondsSince1970: 86_400_000 - 1), offsets: [])
    #expect(until == Instant(millisecondsSince1970: 86_400_000 + 9 * 3_600_000))
  }
}

let milk = ReminderID(rawValue: 1)
let start = Instant(millisecondsSince1970: 1_790_000_000_000)
private let origin = Coordinate(latitude: .degrees(52), longitude: .degrees(13))

/// A place `metres` north-east of the origin.
func place(_ metres: Double, _ name: Text) -> Reminder.Place {
  .init(
    name: name,
    coordinate: Geodesic.destination(from: origin, azimuth: .degrees(45), distance: .metres(metres)))
}

/// One reminder with one item.
func groceries(places: [Reminder.Place] = [place(0, "A")], repeats: Bool = false) -> ReminderList {
  let reminder = try? Reminder(
    id: milk, title: "Groceries", items: [.init("milk")], places: places, repeats: repeats)
  return ReminderList([reminder].compactMap { $0 })
}

/// The effects as words.
func told(_ effects: [ReminderList.Effect]) -> [String] {
  effects.map {
    switch $0 {
    case .notify(_, let place, _): "notify \(place.name)"
    case .withdraw: "withdraw"
    case .nearbyChanged(let places): (["nearby"] + places.map { $0.place.name.string }).joined(separator: " ")
    case .ignored(_, let reason): "ignored \(reason)"
    case .refused(_, let reason): "refused \(reason)"
    }
  }
}

extension ReminderList {
  @discardableResult
  mutating func walk(to metres: Double, at seconds: Double, error: Double = 10) -> [Effect] {
    step(
      .fix(
        Fix(
          position: place(metres, "").coordinate, accuracy: .radius(.metres(error)),
          measuredAt: start + .seconds(seconds))))
  }
  @discardableResult
  mutating func tell(_ command: Command, at seconds: Double = 0) -> [Effect] {
    step(.command(command, at: start + .seconds(seconds)))
  }
}
