import Geometry
import TestSupport
import Testing

@testable import AlarmEngine

@Suite("Nearby")
struct NearbyPlaceTests {
  @Test func `S209 S210: nearest first, with the place to go to`() {
    var list = groceries(places: [place(100, "far"), place(20, "near"), place(1000, "away")])
    list.walk(to: 0, at: 0)
    #expect(list.nearby.map { $0.place } == [place(20, "near"), place(100, "far")])
    #expect(abs(list.nearby[0].distance.metres - 20) < 1e-3)
  }

  @Test func `equal distances are in the order of the reminders' ids`() throws {
    let ids = [5, 3, 9].map { ReminderID(rawValue: $0) }
    let reminders = try ids.map { try Reminder(id: $0, title: "x", places: [place(0, "A")]) }
    var list = ReminderList(reminders)
    let effects = list.walk(to: 10, at: 0)
    #expect(list.nearby.map { $0.reminder.rawValue } == [3, 5, 9])
    #expect(told(effects) == ["notify A", "notify A", "notify A", "nearby A A A"])
  }

  @Test func `S220: a shop stays nearby until it is 150 m farther than the border at which it was announced`()
  {
    var list = groceries()
    #expect(told(list.walk(to: 140, at: 0)) == ["notify A", "nearby A"])
    for (count, metres) in [151.0, 200, 250, 299].enumerated() {
      #expect(told(list.walk(to: metres, at: 30 + Double(count) * 30)) == [], "\(metres) m")
    }
    #expect(told(list.walk(to: 311, at: 300)) == ["withdraw", "nearby"])
  }

  @Test func `S220: where the error leaves it open, the second fix beyond the border takes the shop away`() {
    var list = groceries()
    list.walk(to: 140, at: 0)
    #expect(told(list.walk(to: 305, at: 60)) == [])
    #expect(told(list.walk(to: 305, at: 65)) == [])
    #expect(told(list.walk(to: 295, at: 66)) == [])
    #expect(told(list.walk(to: 305, at: 67)) == [])
    #expect(told(list.walk(to: 305, at: 77)) == ["withdraw", "nearby"])
  }

  @Test func `what was announced before a restart of the app is not announced again`() {
    var before = groceries()
    before.walk(to: 100, at: 0)
    var after = ReminderList(before.reminders, nearby: before.nearby)
    #expect(after.nearby == before.nearby)
    #expect(told(after.walk(to: 110, at: 60)) == [])
    #expect(told(after.walk(to: 500, at: 120)) == ["withdraw", "nearby"])
    let stranger = NearbyPlace(reminder: milk, place: place(7, "gone"), distance: .metres(5))
    #expect(ReminderList(before.reminders, nearby: [stranger]).nearby.isEmpty)
  }

  /// A noisy walk to and fro: at any error up to 20 m there is at most one notification for each true visit.
  @Test(arguments: 0..<20)
  func `S220: standing at the border with noise announces once`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var list = groceries()
    var notified = 0
    for second in stride(from: 0.0, to: 3600, by: 10) {
      let effects = list.walk(to: 150 + random.normal() * 14, at: second, error: 20)
      notified += effects.filter { if case .notify = $0 { true } else { false } }.count
    }
    #expect(notified == 1, "seed \(seed)")
  }

  @Test(arguments: 0..<5)
  func `a thousand places are judged as a plain loop judges them`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var reminders: [Reminder] = []
    for id in 0..<20 {
      let places = (0..<50).map { number in
        Reminder.Place(
          name: Text("\(number)"),
          coordinate: Coordinate(
            latitude: .degrees(random.double(in: 51.98...52.02)),
            longitude: .degrees(random.double(in: 179.97...180.03))))
      }
      reminders.append(try Reminder(id: .init(rawValue: UInt64(id)), title: "x", places: places))
    }
    for _ in 0..<3 {
      let here = Coordinate(
        latitude: .degrees(random.double(in: 51.98...52.02)),
        longitude: .degrees(random.double(in: 179.97...180.03)))
      var list = ReminderList(reminders)
      _ = list.step(.fix(Fix(position: here, accuracy: .radius(.metres(10)), measuredAt: start)))
      var near: [(Distance, ReminderID)] = []
      for reminder in reminders {
        for place in reminder.places where here.distance(to: place.coordinate) <= reminder.radius {
          near.append((here.distance(to: place.coordinate), reminder.id))
        }
      }
      near.sort { $0 < $1 }
      #expect(list.nearby.map { $0.reminder } == near.map { $0.1 }, "seed \(seed)")
      #expect(list.nearby.map { $0.distance } == near.map { $0.0 }, "seed \(seed)")
    }
  }

  /// After every event: a notification is shown for a reminder exactly while it is active and near a place.
  @Test(arguments: 0..<20)
  func `a notification stands while an active reminder is near, and only then`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var list = groceries(places: [place(0, "A"), place(600, "B")], repeats: seed % 2 == 0)
    var stands = false
    var position = 0.0
    for count in 0..<400 {
      let second = Double(count) * 30
      var effects: [ReminderList.Effect] = []
      switch Int.random(in: 0..<8, using: &random) {
      case 0: effects = list.tell(.complete(milk), at: second)
      case 1: effects = list.tell(.restart(milk), at: second)
      case 2:
        let until = start + .seconds(second + random.double(in: -60...600))
        effects = list.tell(.snooze(milk, until: until), at: second)
      case 3: effects = list.step(.advance(to: start + .seconds(second)))
      default:
        position = min(1500, max(-500, position + random.double(in: -300...300)))
        effects = list.walk(to: position, at: second, error: random.double(in: 5...150))
      }
      for effect in effects {
        if case .notify = effect {
          #expect(!stands, "seed \(seed), step \(count)")
          stands = true
        }
        if case .withdraw = effect {
          #expect(stands, "seed \(seed), step \(count)")
          stands = false
        }
      }
      #expect(stands == !list.nearby.isEmpty, "seed \(seed), step \(count)")
    }
  }
}
