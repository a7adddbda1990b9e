import AlarmEngine
import Geometry
import TestSupport
import Testing

@Suite("Fields of zones and reminders")
struct FieldsTests {
  static func record(of zone: Zone) -> SyncRecord {
    var record = SyncRecord()
    record.edit(to: zone.fields, at: HybridTime(time: Instant(millisecondsSince1970: 1), counter: 0, node: 1))
    return record
  }

  @Test(arguments: Seeds.few(60))
  func `every zone reads back equal`(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var zone = ZoneSamples.zone(&generator)
    #expect(try Zone(id: zone.id, record: Self.record(of: zone)) == zone, "seed \(seed)")
    // Values that no file can hold.
    zone.change { $0.name = Text(utf8: (0..<9).map { _ in .random(in: 0...255, using: &generator) }) }
    zone.change { $0.priority = .random(in: .min ... .max, using: &generator) }
    zone.change { $0.unknownRows = [[], [Text(utf8: [0xff]), .empty]] }
    #expect(try Zone(id: zone.id, record: Self.record(of: zone)) == zone, "seed \(seed)")
    // Values that are refused, but shown unchanged if they are already stored.
    var draft = zone.draft
    draft.outline = .locations([])
    draft.sleepTime = .milliseconds(.random(in: .min ... .max, using: &generator))
    draft.size = .metres(-generator.double(in: 0...1e290))
    draft.trigger = .dwell(.milliseconds(.min))
    var record = SyncRecord()
    record.edit(
      to: draft.fields, at: HybridTime(time: Instant(millisecondsSince1970: 1), counter: 0, node: 1))
    #expect(ZoneDraft.stored(id: zone.id, record: record).draft == draft, "seed \(seed)")
  }

  @Test func `a ring that ends where it began, twice, keeps its vertices`() throws {
    let places = [(0, 0), (0, 1), (1, 1), (0, 0), (0, 0)].map {
      Coordinate(latitude: .degrees($0.0), longitude: .degrees($0.1))
    }
    let ring = try Ring(places)
    #expect(ring.vertices.first == ring.vertices.last)
    var zone = ZoneSamples.plain
    zone.change { $0.outline = .area(Polygon(parts: [.init(outer: ring)], edges: .lonLat)) }
    #expect(try Zone(id: zone.id, record: Self.record(of: zone)) == zone)
  }

  @Test(arguments: Seeds.few(30))
  func `changed bytes give another zone or an error, never a trap`(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let zone = ZoneSamples.zone(&generator)
    let time = HybridTime(time: Instant(millisecondsSince1970: 1), counter: 0, node: 1)
    for (field, value) in zone.fields {
      for _ in 0..<10 {
        var changed = value
        if Bool.random(using: &generator) || changed.isEmpty {
          changed = Array(changed.prefix(Int.random(in: 0...changed.count, using: &generator)))
        } else {
          changed[Int.random(in: changed.indices, using: &generator)] = .random(
            in: 0...255, using: &generator)
        }
        var record = Self.record(of: zone)
        record.set(
          FieldRegister(
            field: field, value: changed,
            editedAt: HybridTime(
              time: time.time + .milliseconds(1), counter: 0, node: 1)))
        if let read = try? Zone(id: zone.id, record: record) {
          _ = try? read.shape(defaultRadius: .metres(50))
        }
      }
    }
  }

  @Test func `a zone without an outline is none`() {
    #expect(throws: FieldError.missing(field: ZoneField.outline.rawValue)) {
      try Zone(id: ZoneID(rawValue: 1), record: SyncRecord())
    }
  }

  @Test(arguments: Seeds.few(20))
  func `every reminder reads back equal`(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let states: [Reminder.State] = [
      .active, .completed,
      .snoozed(
        until: Instant(
          millisecondsSince1970: .random(in: -62_135_596_800_000...253_402_300_799_999, using: &generator))),
    ]
    let reminder = try Reminder(
      id: ReminderID(rawValue: 3), title: Text(utf8: [0xc3, UInt8(seed & 255)]),
      items: (0..<seed % 4).map { .init(Text("item \($0)"), done: $0 % 2 == 0) },
      places: (0..<seed % 3).map { .init(name: Text("\($0)"), coordinate: ZoneSamples.place(&generator)) },
      radius: .metres(generator.double(in: 50...5000)), repeats: .random(using: &generator),
      state: states.randomElement(using: &generator) ?? .active)
    var record = SyncRecord()
    record.edit(
      to: reminder.fields, at: HybridTime(time: Instant(millisecondsSince1970: 1), counter: 0, node: 1))
    #expect(try Reminder(id: reminder.id, record: record) == reminder, "seed \(seed)")
  }
}
