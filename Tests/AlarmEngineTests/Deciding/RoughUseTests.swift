import AlarmEngine
import Geometry
import TestSupport
import Testing

@Suite("Values that were read, in use")
struct RoughUseTests {
  private static func extreme(_ zone: Zone, _ random: inout SeededGenerator) -> ZoneDraft {
    var zone = zone.draft
    for _ in 0...(random.next() % 3) {
      let time = TimeSpan.milliseconds(random.extremeInteger())
      let length = Distance.metres(random.extremeNumber())
      switch random.next() % 10 {
      case 0: zone.sleepTime = time
      case 1: zone.leadTime = time
      case 2: zone.trigger = random.next() % 2 == 0 ? .dwell(time) : .leave(after: time)
      case 3: zone.notice = Notice(title: "Title", text: "Text", cap: time)
      case 4: zone.size = length
      case 5: zone.inset = length
      case 6: zone.alertDistance = length
      case 7: zone.floor = length
      case 8: zone.ceiling = length
      default: zone.priority = Int32(truncatingIfNeeded: random.extremeInteger())
      }
    }
    return zone
  }

  @Test(arguments: Seeds.few(30)) func `zones of any numbers are watched or refused`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let zones = (0..<3).compactMap { _ in try? Zone(Self.extreme(ZoneSamples.compactZone(&random), &random)) }
    var use = RoughUse(seed: UInt64(seed))
    #expect(use.problem(with: zones) == nil, "seed \(seed)")
  }

  @Test(arguments: Seeds.few(30)) func `records of any bytes, as far as they can be read`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var zones: [Zone] = []
    for _ in 0..<3 {
      let zone = Self.extreme(ZoneSamples.compactZone(&random), &random)
      var record = SyncRecord()
      record.edit(
        to: zone.fields, at: HybridTime(time: Instant(millisecondsSince1970: 1), counter: 0, node: 1))
      for field in zone.fields where random.next() % 4 == 0 && field.value.count >= 8 {
        var value = field.value
        let at = Int(random.next() % UInt64(value.count - 7))
        let word = random.next() % 2 == 0 ? UInt64(bitPattern: random.extremeInteger()) : random.next()
        for place in 0..<8 { value[at + place] = UInt8(truncatingIfNeeded: word >> UInt64(8 * place)) }
        record.set(
          FieldRegister(
            field: field.field, value: value,
            editedAt: HybridTime(time: Instant(millisecondsSince1970: 2), counter: 0, node: 1)))
      }
      guard let bytes = try? SyncRecord(bytes: record.bytes) else { continue }
      let stored = ZoneDraft.stored(id: zone.id, record: bytes)
      let read = try? Zone(id: zone.id, record: bytes)
      #expect((stored.fault == nil) == (read != nil), "seed \(seed)")
      if let read { zones.append(read) }
    }
    var use = RoughUse(seed: UInt64(seed))
    #expect(use.problem(with: zones) == nil, "seed \(seed)")
  }

  @Test(arguments: Seeds.few(20)) func `reminders of any numbers`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var reminders: [Reminder] = []
    for number in 0..<3 {
      let until = Instant(millisecondsSince1970: random.extremeInteger())
      let reminder = try? Reminder(
        id: ReminderID(rawValue: UInt64(number)), title: "Milk",
        places: [.init(name: "Shop", coordinate: random.awkwardCoordinate())],
        radius: .metres(random.extremeNumber()), repeats: number == 1, state: .snoozed(until: until))
      guard let reminder else { continue }
      var record = SyncRecord()
      record.edit(
        to: reminder.fields, at: HybridTime(time: Instant(millisecondsSince1970: 1), counter: 0, node: 1))
      let stored = Reminder.stored(id: reminder.id, record: record)
      #expect((stored.fault == nil) == Instant.allowed.contains(until), "seed \(seed)")
      reminders.append(stored.reminder)
    }
    var use = RoughUse(seed: UInt64(seed))
    #expect(use.problem(with: [], reminders: reminders) == nil, "seed \(seed)")
  }

  @Test(arguments: Seeds.few(20)) func `settings at the ends of their ranges`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var settings = Settings.phone
    for field in RangedField.allCases where random.next() % 3 == 0 {
      settings.change(
        field, to: random.next() % 2 == 0 ? field.allowed.lowerBound : field.allowed.upperBound)
    }
    let zones = (0..<2).map { _ in ZoneSamples.compactZone(&random) }
    var use = RoughUse(seed: UInt64(seed), settings: settings)
    #expect(use.problem(with: zones) == nil, "seed \(seed)")
  }

  @Test(arguments: Seeds.few(6)) func `snapshots with any eight bytes replaced go on or are refused`(
    seed: Int
  ) {
    var random = SeededGenerator(seed: UInt64(seed))
    let place = Coordinate(latitude: .degrees(47.5), longitude: .degrees(11))
    let zones = WatchedZones(
      [Trigger.enter(passingCounts: true), .leave(), .dwell(.minutes(1))].enumerated().map {
        number, trigger in
        Zone.valid(
          id: ZoneID(rawValue: UInt64(number + 1)), name: "Zone", size: .metres(100),
          outline: .locations([place]), trigger: trigger, assurance: number == 2 ? .safety : .normal)
      })
    let device = DeviceID(rawValue: 1)
    let start = Instant(millisecondsSince1970: 1_795_000_000_000)
    var timeline = Timeline(device: device, settings: .phone, watched: zones)
    for second in 0..<3 {
      timeline.insert([
        .fix(
          Fix(
            position: place, accuracy: .radius(.metres(5)), measuredAt: start + .seconds(Double(second * 5))))
      ])
    }
    timeline.forget(keeping: Int(random.next() % 3))
    let body = Array(timeline.snapshot().dropLast(8))
    for _ in 0..<60 {
      var bytes = body
      let at = 17 + Int(random.next() % UInt64(bytes.count - 24))
      let word =
        random.next() % 2 == 0
        ? UInt64(bitPattern: random.extremeInteger()) : random.extremeNumber().bitPattern
      for place in 0..<8 { bytes[at + place] = UInt8(truncatingIfNeeded: word >> UInt64(8 * place)) }
      let restored = try? Timeline(
        snapshot: SnapshotForge.sealed(bytes), device: device, settings: .phone,
        zones: { $0 == zones.revision ? zones : nil })
      guard var restored else { continue }
      for second in 0..<3 {
        let time = start + .seconds(Double(100 + second))
        restored.insert([.fix(Fix(position: place, accuracy: .unstated, measuredAt: time))])
        _ = restored.surroundings(at: time).nearest(3, to: place)
        _ = restored.timeToEntry(of: ZoneID(rawValue: 1))
      }
      restored.advance(to: start + .hours(1))
      _ = restored.snapshot()
    }
  }
}
