import AlarmEngine
import Geometry
import TestSupport
import Testing

@Suite("Edits made apart")
struct SyncRecordTests {
  @Test(arguments: Seeds.few(40))
  func `merging is commutative, associative and idempotent`(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let (a, b, c) = (
      SyncSamples.record(&generator), SyncSamples.record(&generator), SyncSamples.record(&generator)
    )
    #expect(merged(a, b) == merged(b, a), "seed \(seed)")
    #expect(merged(merged(a, b), c) == merged(a, merged(b, c)), "seed \(seed)")
    #expect(merged(a, a) == a, "seed \(seed)")
    #expect(merged(merged(a, b), b) == merged(a, b), "seed \(seed)")
  }

  @Test(arguments: Seeds.few(20))
  func `phones that saw the same edits in any order hold the same zone`(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var phones = (1...3).map { Phone(node: UInt64($0), zone: ZoneSamples.zone(&generator)) }
    let start = phones[0].record
    for index in phones.indices { phones[index].record = start }
    var sent: [SyncRecord] = []
    for step in 0..<40 {
      let index = Int.random(in: 0..<3, using: &generator)
      let now = Instant(millisecondsSince1970: Int64(step) * 7 + Int64(index) * 1000)
      if Int.random(in: 0..<8, using: &generator) == 0 {
        phones[index].delete(at: now)
      } else {
        phones[index].edit(to: ZoneSamples.zone(&generator), at: now)
      }
      sent.append(phones[index].record)
      if Bool.random(using: &generator), let news = sent.randomElement(using: &generator) {
        phones[index].receive(news, at: now)
      }
    }
    let all = phones.map { phone in sent.shuffled(using: &generator).reduce(phone.record, merged) }
    #expect(all[0] == all[1] && all[1] == all[2], "seed \(seed)")
    if all[0].exists { _ = try Zone(id: ZoneID(rawValue: 1), record: all[0]) }
  }

  @Test func `edits of different fields both stay, of one field the later`() throws {
    var zone = ZoneSamples.plain
    var walker = Phone(node: 1, zone: zone)
    var office = Phone(node: 2, zone: zone)
    office.record = walker.record
    zone.change { $0.name = "Cliff" }
    walker.edit(to: zone, at: Instant(millisecondsSince1970: 1000))
    var other = ZoneSamples.plain
    other.change { $0.alertDistance = .metres(50) }
    other.change { $0.name = "Edge" }
    office.edit(to: other, at: Instant(millisecondsSince1970: 2000))
    let both = try Zone(id: zone.id, record: merged(walker.record, office.record))
    #expect(both.name == "Edge")
    #expect(both.alertDistance == .metres(50))
  }

  @Test func `a deletion beats earlier edits, a later edit brings the zone back whole`() throws {
    var phone = Phone(node: 1, zone: ZoneSamples.plain)
    var deleted = phone
    deleted.delete(at: Instant(millisecondsSince1970: 5000))
    var zone = ZoneSamples.plain
    zone.change { $0.name = "Renamed" }
    phone.edit(to: zone, at: Instant(millisecondsSince1970: 4000))
    #expect(!merged(phone.record, deleted.record).exists)
    zone.change { $0.priority = 9 }
    phone.edit(to: zone, at: Instant(millisecondsSince1970: 6000))
    let back = merged(deleted.record, phone.record)
    #expect(back.exists)
    #expect(try Zone(id: zone.id, record: back) == zone)
  }

  @Test(arguments: Seeds.few(20))
  func `a record reads back equal, and what is cut or changed is refused or reads as something`(seed: Int)
    throws
  {
    var generator = SeededGenerator(seed: UInt64(seed))
    let record = SyncSamples.record(&generator)
    let bytes = record.bytes
    #expect(try SyncRecord(bytes: bytes) == record)
    for end in 0..<bytes.count {
      #expect(throws: FieldError.self, "seed \(seed), cut at \(end)") {
        try SyncRecord(bytes: Array(bytes[..<end]))
      }
    }
    for _ in 0..<50 {
      var changed = bytes
      changed[Int.random(in: changed.indices, using: &generator)] = .random(in: 0...255, using: &generator)
      if let read = try? SyncRecord(bytes: changed) { #expect(read.bytes == changed, "seed \(seed)") }
    }
  }
}

private func merged(_ a: SyncRecord, _ b: SyncRecord) -> SyncRecord {
  var result = a
  result.merge(b)
  return result
}

private struct Phone {
  var record = SyncRecord()
  var clock: HybridClock

  init(node: UInt64, zone: Zone) {
    clock = HybridClock(node: node)
    record.edit(to: zone.fields, at: clock.tick(at: Instant(millisecondsSince1970: 0)))
  }
  mutating func edit(to zone: Zone, at now: Instant) { record.edit(to: zone.fields, at: clock.tick(at: now)) }
  mutating func delete(at now: Instant) { record.delete(at: clock.tick(at: now)) }
  mutating func receive(_ news: SyncRecord, at now: Instant) {
    if let latest = news.latest { try? clock.receive(latest, at: now) }
    record.merge(news)
  }
}

enum SyncSamples {
  static func record(_ generator: inout SeededGenerator) -> SyncRecord {
    func time() -> HybridTime {
      HybridTime(
        time: Instant(millisecondsSince1970: .random(in: 0...3, using: &generator)),
        counter: .random(in: 0...2, using: &generator), node: .random(in: 1...3, using: &generator))
    }
    let fields = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
      FieldRegister(
        field: .random(in: 1...5, using: &generator),
        value: (0..<Int.random(in: 0...2, using: &generator)).map { _ in .random(in: 0...3, using: &generator)
        },
        editedAt: time())
    }
    return SyncRecord(fields: fields, deletedAt: Bool.random(using: &generator) ? time() : nil)
  }
}

extension ZoneSamples {
  static var plain: Zone {
    Zone.valid(
      id: ZoneID(rawValue: 7), name: "Plain",
      outline: .locations([Coordinate(latitude: .degrees(46), longitude: .degrees(14))]))
  }
}
