import AlarmEngine
import Geometry
import PhoneHost
import TestSupport
import Testing

@Suite("A watch that is killed at any moment")
struct SurvivalTests {
  /// Positions in the order of their arrival, with edits and answers in between.
  private func story(_ seed: Int) -> (zones: [Zone], inputs: [(PhoneInput, Instant)]) {
    let journey = RandomJourney(seed: UInt64(seed))
    var random = SeededGenerator(seed: UInt64(seed) &+ 77)
    var told: [(PhoneInput, Instant)] = [
      (.started(.person, KilledPhone.capabilities, lastKnown: nil), AlarmStory.start)
    ]
    var now = AlarmStory.start
    for fix in journey.fixes.sorted(by: { $0.receivedAt < $1.receivedAt }) {
      now = max(now + .milliseconds(1), fix.receivedAt)
      // Marked as requested: others may be ignored, depending on the policy's requests since the process
      // began.
      told.append((.positions([fix], ofRequest: true), now))
      switch random.next() % 20 {
      case 0:
        now = now + .seconds(3)
        var settings = Settings.phone
        if random.next() % 2 == 0 { settings.change(.defaultRadius, to: Double(random.next() % 90) + 10) }
        told.append((.zones(journey.zones.filter { _ in random.next() % 5 != 0 }, settings), now))
      case 1:
        now = now + .seconds(1)
        told.append((.command(random.next() % 3 == 0 ? .deactivate : .activate), now))
      case 2:
        now = now + .seconds(20)
        told.append((.woke, now))
      case 3: told.append((.motion(.allCases[Int(random.next() % 6)]), now))
      default: break
      }
    }
    // Events due by then are reported then, with or without a relaunch.
    return (journey.zones, told.flatMap { [$0, (.woke, $0.1)] })
  }

  @Test(arguments: Seeds.few(12))
  func `none of what is owed is lost, and nothing that was told is told again`(seed: Int) {
    let (zones, inputs) = story(seed)
    var whole = KilledPhone(zones: zones)
    for (input, now) in inputs { whole.tell(input, at: now) }
    #expect(whole.launches == 1)
    #expect(whole.shown.values.allSatisfy { $0.count == 1 })

    var random = SeededGenerator(seed: UInt64(seed) &+ 5)
    var killed = KilledPhone(zones: zones)
    for (input, now) in inputs {
      if random.next() % 2 == 0 { killed.stepsToLive = Int(random.next() % 4) }
      killed.tell(input, at: now)
      killed.stepsToLive = nil
    }
    #expect(killed.launches > 20)
    #expect(Set(killed.shown.keys) == Set(whole.shown.keys))
    var doubled: Set<Instant> = []
    for (number, events) in killed.shown {
      #expect(Set(events) == Set(whole.shown[number] ?? []), "number \(number)")
      if events.count > 1 { doubled.insert(events[0].learnedAt) }
    }
    // Only events that were shown, but not yet noted as shown, are repeated, with the same number.
    #expect(doubled.count < killed.launches)
    #expect(killed.host.timeline.states.map { $0.zone } == whole.host.timeline.states.map { $0.zone })
    #expect(killed.host.kept.ringing == whole.host.kept.ringing)
  }

  @Test func `killed at its n-th step, for every n, it goes on as if it had not been`() {
    let (zones, inputs) = story(3)
    var whole = KilledPhone(zones: zones)
    for (input, now) in inputs.prefix(40) { whole.tell(input, at: now) }
    for step in 0..<50 {
      var killed = KilledPhone(zones: zones)
      killed.stepsToLive = step
      for (input, now) in inputs.prefix(40) { killed.tell(input, at: now) }
      #expect(killed.launches == 2, "step \(step)")
      #expect(Set(killed.shown.keys) == Set(whole.shown.keys), "step \(step)")
      #expect(killed.host.kept.ringing == whole.host.kept.ringing, "step \(step)")
    }
  }

  @Test func `after hundreds of entries a snapshot takes the journal's place`() {
    let (zones, inputs) = story(1)
    var phone = KilledPhone(zones: zones)
    var most = 0
    for round in 0..<8 {
      for (input, now) in inputs {
        guard case .positions(let fixes, let ofRequest) = input else { continue }
        let later = TimeSpan.hours(Double(round))
        let moved = fixes.map {
          Fix(
            position: $0.position, accuracy: $0.accuracy, measuredAt: $0.measuredAt + later,
            receivedAt: $0.receivedAt + later)
        }
        phone.tell(.positions(moved, ofRequest: ofRequest), at: now + later)
        most = max(most, phone.journal.count)
      }
    }
    #expect(most > 20_000)
    #expect(phone.journal.count < most)
    #expect(most <= 256 << 10)
    let before = phone.host.kept.ringing
    phone.relaunch(at: AlarmStory.start + .hours(9))
    #expect(phone.host.kept.lastNumber > 100)
    #expect(before.allSatisfy { old in phone.host.kept.ringing.contains { $0.alarm == old.alarm } })
  }

  @Test func `zones that come as a command are watched with the settings that stand`() {
    let (zones, inputs) = story(2)
    var phone = KilledPhone(zones: [])
    phone.tell(inputs[0].0, at: inputs[0].1)
    phone.tell(.command(.replaceZones(WatchedZones(zones))), at: inputs[0].1 + .seconds(1))
    #expect(Set(phone.host.timeline.zones.map { $0.id }) == Set(zones.map { $0.id }))
    phone.relaunch(at: inputs[0].1 + .seconds(2))
    #expect(Set(phone.host.timeline.zones.map { $0.id }) == Set(zones.map { $0.id }))
    #expect(phone.host.kept.settings == .phone)
  }
}
