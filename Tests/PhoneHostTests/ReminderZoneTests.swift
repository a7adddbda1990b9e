import AlarmEngine
import Geometry
import PhoneHost
import TestSupport
import Testing

@Suite("Reminders in a phone's watch")
struct ReminderZoneTests {
  private func reminder(_ places: [(Text, Double)], id: UInt64 = 3, state: Reminder.State = .active)
    -> Reminder
  {
    do {
      return try Reminder(
        id: ReminderID(rawValue: id), title: "Shopping",
        items: [.init("milk"), .init("eggs", done: true), .init("bread")],
        places: places.map { .init(name: $0.0, coordinate: AlarmStory.place(east: $0.1)) },
        radius: .metres(100),
        state: state)
    } catch { preconditionFailure("no reminder") }
  }

  /// Walks from 500 m west of the origin to 500 m east of it and back, ten metres a step.
  private static func walk() -> [Fix] {
    ((0...100).map { Double($0) * 10 - 500 } + (0...100).map { 500 - Double($0) * 10 }).enumerated().map {
      step, east in
      let time = AlarmStory.start + .seconds(Double(step) * 8 + 1)
      return Fix(
        position: AlarmStory.place(east: east), accuracy: .radius(.metres(6)), measuredAt: time,
        receivedAt: time)
    }
  }

  private func told(_ phone: KilledPhone) -> [Event] {
    phone.shown.sorted { $0.key < $1.key }.flatMap { $0.value.prefix(1) }
  }

  private func phone(_ reminders: [Reminder], zones: [Zone] = []) -> KilledPhone {
    var phone = KilledPhone(zones: [])
    phone.tell(.started(.person, KilledPhone.capabilities, lastKnown: nil), at: AlarmStory.start)
    phone.tell(
      .zones(zones + ReminderZone.zones(of: reminders, near: AlarmStory.origin), .phone), at: AlarmStory.start
    )
    return phone
  }

  @Test func `near a branch it is told once a visit what stands on the list, and nothing rings`() throws {
    var phone = phone([reminder([("Market hall", 0)])])
    for fix in Self.walk() {
      phone.tell(.positions([fix], ofRequest: true), at: fix.receivedAt)
      #expect(phone.host.kept.ringing.isEmpty)
    }
    let events = told(phone)
    #expect(events.count == 2, "\(events)")
    for event in events {
      guard case .notice(let id) = event.kind else {
        Issue.record("\(event)")
        continue
      }
      let notice = try #require(phone.host.timeline.watched.zone(id)?.notice)
      #expect(notice.title == "Shopping")
      #expect(notice.text == "Market hall: milk, bread")
    }
    // A reminder's alarm needs no answer and so does not repeat: there is nothing to wake for.
    #expect(phone.host.timeline.nextDue.map { $0 > AlarmStory.start + .hours(1) } ?? true)
  }

  @Test func `two branches side by side are one visit, and a zone there rings all the same`() {
    var phone = phone(
      [reminder([("Market hall", 0), ("Kiosk", 40)])], zones: [AlarmStory.circle("Cliff", radius: 60, id: 9)])
    for fix in Self.walk().prefix(101) { phone.tell(.positions([fix], ofRequest: true), at: fix.receivedAt) }
    let events = told(phone)
    #expect(events.count { if case .notice = $0.kind { true } else { false } } == 1, "\(events)")
    #expect(events.count { $0.zone == ZoneID(rawValue: 9) } >= 1)
    #expect(events.allSatisfy { if case .notice = $0.kind { true } else { $0.zone == ZoneID(rawValue: 9) } })
  }

  @Test func `killed at its n-th step, for every n, a reminder is told once`() {
    let fixes = Self.walk().dropFirst(30).prefix(25)
    for step in 0..<70 {
      var phone = phone([reminder([("Market hall", 0)])])
      phone.stepsToLive = step
      for fix in fixes { phone.tell(.positions([fix], ofRequest: true), at: fix.receivedAt) }
      let shown = told(phone)
      #expect(shown.count == 1, "step \(step): \(shown)")
      #expect(phone.host.kept.ringing.isEmpty, "step \(step)")
    }
  }

  @Test func `ticking an item off, or the list itself, brings nothing anew`() throws {
    var phone = phone([reminder([("Market hall", 0)])])
    for fix in Self.walk().prefix(50) { phone.tell(.positions([fix], ofRequest: true), at: fix.receivedAt) }
    #expect(told(phone).count == 1)
    var shorter = reminder([("Market hall", 0)])
    shorter.items[0].done = true
    let now = AlarmStory.start + .seconds(420)
    phone.tell(.zones(ReminderZone.zones(of: [shorter], near: nil), .phone), at: now)
    #expect(phone.host.timeline.zones.map { $0.notice?.text } == ["Market hall: bread"])
    phone.relaunch(at: now)
    #expect(phone.host.timeline.zones.map { $0.notice?.text } == ["Market hall: bread"])
    phone.tell(.zones([], .phone), at: now + .seconds(1))
    #expect(told(phone).count == 1, "\(told(phone))")
    #expect(phone.host.timeline.zones.isEmpty)
  }

  @Test func `only what is to be done has places, the nearest where there are many`() {
    let done = [
      reminder([("A", 0)], id: 1, state: .completed),
      reminder([("B", 0)], id: 2, state: .snoozed(until: AlarmStory.start)),
      reminder([], id: 3),
    ]
    #expect(ReminderZone.zones(of: done, near: nil).isEmpty)
    let many = reminder((0..<1500).map { ("Branch", Double(1500 - $0) * 20) })
    let zones = ReminderZone.zones(of: [many], near: AlarmStory.origin)
    #expect(zones.count == 1000 && Set(zones.map { $0.id }).count == 1000)
    #expect(zones.allSatisfy { ReminderZone.isOne($0) })
    #expect(zones.first?.outline == .locations([AlarmStory.place(east: 20)]))
  }

  @Test func `a zone that says that it is a reminder's rings all the same`() {
    let forged = ReminderZone.zones(of: [reminder([("Market hall", 0)])], near: nil)[0]
    let cleaned = ReminderZone.without(forged)
    #expect(!ReminderZone.isOne(cleaned) && cleaned.id == forged.id && cleaned.notice == forged.notice)
    let own = AlarmStory.circle()
    #expect(ReminderZone.without(own) == own)
  }
}
