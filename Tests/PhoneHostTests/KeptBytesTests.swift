import AlarmEngine
import Geometry
import TestSupport
import Testing

@testable import PhoneHost

@Suite("Bytes that outlive a process")
struct KeptBytesTests {
  private func entries(_ seed: Int) -> [JournalEntry] {
    let journey = RandomJourney(seed: UInt64(seed))
    var entries: [JournalEntry] = []
    for fix in journey.fixes.prefix(20) {
      entries.append(JournalEntry(.inputs([.fix(fix)]), at: fix.receivedAt))
    }
    let at = AlarmStory.start
    let alarm = AlarmID(rawValue: 9)
    let commands: [Command] = [
      .activate, .deactivate, .close(alarm), .sleep(alarm), .sleepUntil(alarm, at), .acknowledgeInside(alarm),
      .acknowledgeForToday(alarm, until: at),
    ]
    entries += commands.map { JournalEntry(.inputs([.command($0, at: at)]), at: at) }
    var random = SeededGenerator(seed: UInt64(seed))
    let zones = (0..<5).map { _ in ZoneSamples.zone(&random) }
    var settings = Settings.phone
    settings.change(.maximumSpeed, to: 12)
    entries += [
      JournalEntry(.timePassed, at: at), JournalEntry(.clockJumped(by: .seconds(-90)), at: at),
      JournalEntry(.told(7), at: at), JournalEntry(.zones(zones, settings), at: at),
      JournalEntry(.noted(Self.notes), at: at), JournalEntry(.noted([]), at: at),
      JournalEntry(.edition(1 << 53), at: at),
    ]
    return entries
  }

  static let notes: [WatchNote] = {
    let fence = Fence(
      id: FenceID(rawValue: 3), center: AlarmStory.origin, radius: .metres(250), onEntry: false)
    let session = Session(accuracy: .tenMetres, distanceFilter: .metres(25), mayPause: true)
    return [
      .started(.reboot), .stopped, .session(session, interval: .seconds(5)),
      .session(Session(accuracy: .best), interval: nil), .session(.wakingOnMotion, interval: nil),
      .sessionEnded,
      .requested(.kilometre, within: .seconds(30)), .requestEnded(isAnswered: true),
      .requestEnded(isAnswered: false), .fences(laid: [fence], removed: [FenceID(rawValue: 9)]),
      .fenceEntered(fence.id), .fenceExited(fence.id), .fenceFailed(fence.id), .wake(AlarmStory.start),
      .wake(Instant(millisecondsSince1970: -1)), .wake(nil), .woke, .significantChanges(true), .visits(false),
      .motionWatched(true), .motion(.driving, since: AlarmStory.start), .motion(.still, since: nil),
      .motion(.unknown, since: Instant(millisecondsSince1970: -1)), .liveUpdates(areResting: true),
      .positionSource(.mixed), .battery(BatteryLevel(share: 0.37, isCharging: true)!),
    ]
  }()

  private func bytes(_ entries: [JournalEntry]) -> [UInt8] {
    entries.enumerated().flatMap { Journal.bytes(of: $1, number: UInt64($0 + 1)) }
  }

  @Test(arguments: Seeds.few(4)) func `every entry is read back as it was written`(seed: Int) {
    let entries = entries(seed)
    let read = Journal.read(bytes(entries))
    #expect(!read.isCut)
    #expect(read.entries.map { $0.entry } == entries)
    #expect(read.entries.map { $0.number } == (1...UInt64(entries.count)).map { $0 })
  }

  @Test func `cut off anywhere, the whole entries before are read`() {
    let entries = entries(1)
    let whole = bytes(entries)
    var ends: [Int] = []
    for (at, entry) in entries.enumerated() {
      ends.append((ends.last ?? 0) + Journal.bytes(of: entry, number: UInt64(at + 1)).count)
    }
    for length in 0..<whole.count {
      let read = Journal.read(Array(whole.prefix(length)))
      #expect(read.entries.count == ends.count { $0 <= length })
      #expect(read.isCut == !(length == 0 || ends.contains(length)))
    }
  }

  @Test(arguments: Seeds.few(4)) func `of a damaged journal only the damaged entry is missing`(seed: Int) {
    let entries = entries(1)
    let whole = bytes(entries)
    var begins: [Int] = []
    for (at, entry) in entries.enumerated().reversed() {
      begins.insert(
        (begins.first ?? whole.count) - Journal.bytes(of: entry, number: UInt64(at + 1)).count, at: 0)
    }
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<300 {
      var damaged = whole
      let place = Int(random.next() % UInt64(damaged.count))
      damaged[place] ^= UInt8(1 + random.next() % 255)
      let hit = begins.lastIndex { $0 <= place }
      let read = Journal.read(damaged)
      #expect(read.isCut == (hit == entries.count - 1))
      #expect(read.isDamaged == !read.isCut)
      #expect(read.entries.map { $0.number } == (1...UInt64(entries.count)).filter { Int($0) - 1 != hit })
      #expect(read.entries.map { $0.entry } == entries.indices.filter { $0 != hit }.map { entries[$0] })
    }
  }

  private func kept() -> KeptWatch {
    let journey = RandomJourney(seed: 4)
    var host = PhoneHost(
      beginning: Timeline(device: DeviceID(rawValue: 5), settings: .phone, zones: journey.zones),
      policy: CertifiedWatch())
    for fix in journey.fixes {
      _ = host.handle(.positions([fix], ofRequest: true), at: PhoneTime(now: fix.receivedAt, uptime: nil))
    }
    _ = host.handle(
      .edition(12), at: PhoneTime(now: journey.fixes.last?.receivedAt ?? AlarmStory.start, uptime: nil))
    var kept = host.kept
    kept.compact(at: AlarmStory.start + .hours(2))
    return kept
  }

  @Test func `a snapshot is read back, and anything else is refused`() throws {
    let kept = kept()
    #expect(!kept.untold.isEmpty)
    let bytes = WatchSnapshot.bytes(of: kept)
    let read = try WatchSnapshot.read(bytes)
    #expect(read.untold == kept.untold)
    #expect(read.lastNumber == kept.lastNumber)
    #expect(read.lastEntry == kept.lastEntry)
    #expect(read.edition == 12)
    #expect(read.timeline.snapshot() == kept.timeline.snapshot())
    #expect(WatchSnapshot.bytes(of: read) == bytes)
    for length in 0..<bytes.count {
      #expect(throws: DataError.self) { try WatchSnapshot.read(Array(bytes.prefix(length))) }
    }
    var random = SeededGenerator(seed: 1)
    for _ in 0..<500 {
      var damaged = bytes
      damaged[Int(random.next() % UInt64(bytes.count))] ^= UInt8(1 + random.next() % 255)
      #expect(throws: DataError.self) { try WatchSnapshot.read(damaged) }
    }
  }

  @Test func `a platform's bytes are answered, and those that are none change nothing`() throws {
    var isDamaged = true
    var phone = PhoneBytes(snapshot: [], journal: [], device: DeviceID(rawValue: 3), isDamaged: &isDamaged)
    #expect(!isDamaged)
    var start = DataWriter()
    start.instant(AlarmStory.start)
    start.span(.seconds(5))
    start.byte(1)
    start.byte(0)
    start.byte(1)
    start.byte(255 - 32 - 64)
    start.byte(0)
    start.half(100)
    start.number(100_000)
    start.span(.hours(24))
    start.flag(false)
    for length in 0..<start.bytes.count {
      #expect(Array(phone.handle(Array(start.bytes.prefix(length))).prefix(5)) == [0, 0, 0, 1, 0])
    }
    #expect(Array(phone.handle(start.bytes + [0]).prefix(6)) == [0, 0, 0, 1, 0, 2])
    #expect(phone.host.kept.lastEntry == 0)
    let answer = phone.handle(start.bytes)
    // The first command of an installation is the snapshot from which the next launch starts.
    var reader = DataReader(answer[...])
    let count = try reader.count(ofAtLeast: 1)
    #expect(count > 1)
    #expect(try reader.byte() == 2)
    let snapshot = try reader.blob()
    let again = PhoneBytes(
      snapshot: snapshot, journal: [], device: DeviceID(rawValue: 4), isDamaged: &isDamaged)
    #expect(!isDamaged)
    #expect(again.host.timeline.device == DeviceID(rawValue: 3))
    _ = PhoneBytes(snapshot: [1, 2, 3], journal: [], device: DeviceID(rawValue: 4), isDamaged: &isDamaged)
    #expect(isDamaged)
  }

  @Test func `kept settings that are not allowed count as the nearest that are`() throws {
    func read(_ seconds: Int64, _ numbers: [Double]) throws -> Settings {
      var writer = DataWriter()
      for _ in 0..<6 { writer.span(.milliseconds(seconds)) }
      for number in numbers { writer.number(number) }
      var reader = DataReader(writer.bytes[...])
      return try reader.settings()
    }
    let fields: [RangedField] = [
      .alarmCycle, .defaultSleep, .repeatHorizon, .signalTimeout, .defaultRadius, .unstatedAccuracy,
      .dangerMargin, .maximumSpeed,
    ]
    let least = try read(-1, [-5, -5, -5, -5])
    #expect(fields.map { $0.value(in: least) } == fields.map { $0.allowed.lowerBound })
    let most = try read(.max, [1e300, 1e300, 1e300, 1e300])
    #expect(fields.map { $0.value(in: most) } == fields.map { $0.allowed.upperBound })
    #expect(throws: DataError.outOfRange) { try read(60_000, [50, .nan, 50, 45]) }
    #expect(throws: DataError.endsEarly) { try read(60_000, [50, 50, 50]) }
    var kept = Settings.phone
    kept.change(.alarmCycle, to: 3600)
    var writer = DataWriter()
    writer.settings(kept)
    var reader = DataReader(writer.bytes[...])
    #expect(try reader.settings() == kept)
  }

  @Test(arguments: Seeds.few(3)) func `no bytes of a platform trap`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var isDamaged = false
    var phone = PhoneBytes(snapshot: [], journal: [], device: DeviceID(rawValue: 3), isDamaged: &isDamaged)
    for _ in 0..<3000 {
      var bytes = DataWriter()
      bytes.instant(AlarmStory.start + .seconds(Double(random.next() % 100_000)))
      bytes.span(.seconds(-1))
      bytes.byte(UInt8(random.next() % 17))
      for _ in 0..<(random.next() % 80) {
        bytes.byte(UInt8(truncatingIfNeeded: random.next() % 7 == 0 ? random.next() : 0))
      }
      #expect(phone.handle(bytes.bytes).count >= 4)
    }
  }
}
