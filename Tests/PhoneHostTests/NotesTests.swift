import AlarmEngine
import Geometry
import TestSupport
import Testing

@testable import PhoneHost

@Suite("What the journal holds of what a phone was asked for")
struct NotesTests {
  /// A drive past a zone and so far that fences are enough, with timers, crossings and unanswered requests.
  private func story(_ phone: inout KilledPhone, killing random: inout SeededGenerator?) {
    var now = AlarmStory.start
    func tell(_ input: PhoneInput) {
      if random != nil { if random!.next() % 2 == 0 { phone.stepsToLive = Int(random!.next() % 5) } }
      phone.tell(input, at: now)
      phone.stepsToLive = nil
    }
    tell(.started(.person, KilledPhone.capabilities, lastKnown: nil))
    for step in 0..<110 {
      now = now + .seconds(30)
      let fix = Fix(
        position: AlarmStory.place(east: Double(step) * 400 - 3000), accuracy: .radius(.metres(8)),
        measuredAt: now, receivedAt: now)
      if step % 7 == 3 {
        tell(.requestFailed)
      } else {
        tell(.positions([fix], ofRequest: true))
      }
      if !phone.fences.isEmpty { tell(.fenceState(.movement, inside: true)) }
      // Each fence that is left at once delays the next one longer, so that the last ones stay.
      if step < 70 {
        if step % 5 == 1, let id = phone.fences.first?.id { tell(.fenceExited(id)) }
        if step % 11 == 5, let id = phone.fences.last?.id { tell(.fenceFailed(id)) }
      }
      now = now + .seconds(1)
      tell(.woke)
    }
  }

  private var zones: [Zone] {
    [AlarmStory.circle("Bakery"), AlarmStory.circle("Market", radius: 300, id: 2)]
  }

  @Test func `what stands by the journal is what the phone was asked for`() {
    var phone = KilledPhone(zones: zones)
    var never: SeededGenerator?
    story(&phone, killing: &never)
    let read = ReadNotes(phone.past + [phone.journal])
    #expect(read.requests == phone.requests && read.requests > 5)
    #expect(read.launches == 1)
    #expect(read.everLaid.count > 1)
    #expect(read.session == phone.session)
    #expect(read.wake == phone.wake)
    #expect(Set(read.fences.values).isSubset(of: phone.fences) && !read.fences.isEmpty)
  }

  @Test(arguments: Seeds.few(8))
  func `killed anywhere, the phone was asked for nothing that the journal lacks`(
    seed: Int
  ) {
    var phone = KilledPhone(zones: zones)
    var random: SeededGenerator? = SeededGenerator(seed: UInt64(seed) &+ 41)
    story(&phone, killing: &random)
    #expect(phone.launches > 20)
    let read = ReadNotes(phone.past + [phone.journal])
    // A request may be noted, and the process killed before it reached the phone.
    #expect(read.requests >= phone.requests && phone.requests > 5)
    #expect(read.session == phone.session)
    #expect(read.wake == phone.wake)
    #expect(Set(phone.fences).isSuperset(of: read.fences.values))
  }

  @Test func `a launch passes notes over, and they bring no snapshot about before their bytes do`() throws {
    var phone = KilledPhone(zones: zones)
    phone.tell(.started(.person, KilledPhone.capabilities, lastKnown: nil), at: AlarmStory.start)
    let before = phone.host.timeline.snapshot()
    for second in 1...1200 {
      phone.tell(.fenceExited(FenceID(rawValue: 77)), at: AlarmStory.start + .seconds(Double(second)))
    }
    #expect(phone.past.isEmpty, "a snapshot came after fewer bytes than fill a journal")
    #expect(phone.host.kept.lastEntry >= 1200)
    let last = phone.host.kept.lastEntry
    phone.relaunch(at: AlarmStory.start + .seconds(1201))
    #expect(phone.host.kept.lastEntry > last)
    #expect(phone.host.timeline.snapshot() == before)
    var most = 0
    for second in 1202...12_000 {
      phone.tell(.fenceExited(FenceID(rawValue: 77)), at: AlarmStory.start + .seconds(Double(second)))
      most = max(most, phone.journal.count)
    }
    #expect(!phone.past.isEmpty && most <= PhoneHost<CertifiedWatch>.mostBytes + 4096, "\(most)")
  }

  @Test func `a wake time that no clock can say makes no journal unreadable`() {
    var phone = KilledPhone(zones: zones)
    let last = Instant.allowed.upperBound
    phone.tell(.started(.person, KilledPhone.capabilities, lastKnown: nil), at: last - .seconds(1))
    #expect(phone.wake.map { $0 > last } ?? false, "\(String(describing: phone.wake))")
    #expect(!Journal.read(phone.journal).isCut)
    #expect(ReadNotes([phone.journal]).wake == last)
  }

  /// The notes of all journals, each with its time, in seconds since the beginning.
  private func notes(_ phone: KilledPhone) -> [(at: Double, note: WatchNote)] {
    (phone.past + [phone.journal]).flatMap { Journal.read($0).entries }.flatMap { _, entry in
      guard case .noted(let notes) = entry.content else { return [] as [(Double, WatchNote)] }
      return notes.map { ((entry.at - AlarmStory.start).seconds, $0) }
    }
  }

  @Test func `words of motion and rest are noted with the times that the phone states`() {
    var phone = KilledPhone(zones: zones)
    func at(_ seconds: Double) -> Instant { AlarmStory.start + .seconds(seconds) }
    phone.tell(.started(.person, KilledPhone.capabilities, lastKnown: nil), at: at(0))
    phone.tell(.motion(.still, since: at(9)), at: at(40))
    phone.tell(.liveUpdates(areResting: true), at: at(50))
    phone.tell(.liveUpdates(areResting: false), at: at(60))
    phone.tell(.motion(.walking), at: at(61))
    // No clock says this: it would make the entry unreadable.
    phone.tell(.motion(.driving, since: Instant(millisecondsSince1970: .max)), at: at(62))
    let read = notes(phone).filter { note in
      switch note.note {
      case .motion, .liveUpdates: true
      default: false
      }
    }
    #expect(read.map { $0.at } == [40, 50, 60, 61, 62])
    #expect(
      read.map { $0.note } == [
        .motion(.still, since: at(9)), .liveUpdates(areResting: true), .liveUpdates(areResting: false),
        .motion(.walking, since: nil), .motion(.driving, since: nil),
      ])
  }

  @Test func `the battery is noted each quarter of an hour, and when charging begins or ends`() {
    var phone = KilledPhone(zones: zones)
    phone.tell(.started(.person, KilledPhone.capabilities, lastKnown: nil), at: AlarmStory.start)
    for minute in 0..<60 {
      let level = BatteryLevel(share: 1 - Double(minute) / 100, isCharging: (20..<22).contains(minute))!
      phone.tell(.battery(level), at: AlarmStory.start + .minutes(Double(minute)))
      // A source that stays is noted once for each process.
      phone.tell(.positionSource(.satellites), at: AlarmStory.start + .minutes(Double(minute)))
    }
    phone.relaunch(at: AlarmStory.start + .hours(1))
    phone.tell(.positionSource(.network), at: AlarmStory.start + .hours(1))
    phone.tell(.positionSource(.satellites), at: AlarmStory.start + .hours(1))
    let read = notes(phone)
    #expect(
      read.compactMap { at, note -> Double? in if case .battery = note { at / 60 } else { nil } }
        == [0, 15, 20, 22, 37, 52])
    #expect(
      read.compactMap { _, note -> PositionSource? in
        if case .positionSource(let source) = note { source } else { nil }
      }
        == [.satellites, .network, .satellites])
  }

  @Test func `what is not written so is damage, and stops no reader`() {
    let fence = Fence(
      id: FenceID(rawValue: 3), center: Coordinate(latitude: .degrees(1), longitude: .degrees(170)),
      radius: .metres(250))
    let notes: [WatchNote] = [
      .session(Session(accuracy: .best), interval: nil), .fences(laid: [fence], removed: []),
    ]
    let good = Journal.bytes(of: JournalEntry(.noted(notes), at: AlarmStory.start), number: 1)
    #expect(Journal.read(good).entries.map { $0.entry.content } == [.noted(notes)])
    // A distance of -5 m and a longitude of 190°, each with a valid checksum.
    for (number, place) in [(-5.0, 31), (190.0, 69)] {
      var bytes = good
      var writer = DataWriter()
      writer.number(number)
      bytes.replaceSubrange(place..<(place + 8), with: writer.bytes)
      let sum = Checksum.of(bytes[8...])
      for at in 0..<4 { bytes[4 + at] = UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * at)) }
      #expect(bytes != good)
      let read = Journal.read(bytes)
      #expect(read.isCut && read.entries.isEmpty, "\(number)")
    }
  }

  @Test func `a journal of a version that noted nothing is read as it was`() {
    // An entry as written before there were notes: FNV-1a and the bytes of kind 1, time passed, by hand.
    let old: [UInt8] = [
      0, 0, 0, 17, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0x9e, 0x80, 0, 0, 0, 1,
    ]
    var bytes = old
    let sum = Checksum.of(old[8...])
    for at in 0..<4 { bytes[4 + at] = UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * at)) }
    let read = Journal.read(bytes)
    #expect(!read.isCut)
    #expect(read.entries.map { $0.number } == [1])
    #expect(read.entries.map { $0.entry.content } == [.timePassed])
  }
}
