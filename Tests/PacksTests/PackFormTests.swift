import AlarmEngine
import Formats
import PAD
import Packs
import TestSupport
import Testing

@Suite("The form of a pack")
struct PackFormTests {
  @Test(arguments: Seeds.few(20))
  func `what is written is read back, whole and as changes`(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let entries = PackSamples.entries(Int.random(in: 0...12, using: &generator), &generator)
    let whole = try PackSamples.key.seal(PackSamples.head(), whole: entries)
    let read = try SealedPack(whole)
    #expect(read.pack.content == .whole(entries), "seed \(seed)")
    var head = PackSamples.head()
    head.digest = PackDigest.of(entries)
    #expect(read.pack.head == head)
    #expect(SealedPack.looksLikeOne(whole))
    #expect(read.pack.signedBytes(keyID: read.keyID) == Array(read.signed), "one pack, one form")

    let later = PackSamples.entries(3, &generator)
    let gone = entries.map(\.id).filter { _ in Bool.random(using: &generator) }
    let changes = try PackSamples.key.seal(
      PackSamples.head(version: 9), since: PackSamples.version(5), changed: later, removed: gone, of: later)
    #expect(
      try SealedPack(changes).pack.content
        == .changes(since: PackSamples.version(5), changed: later, removed: gone))
  }

  @Test(arguments: Seeds.few(20))
  func `a zone keeps all that can be published`(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let zone = ZoneSamples.zone(&generator)
    var expected = zone.draft
    expected.messages = []
    expected.unknownRows = []
    let published = try ZonePack.Entry(publishing: zone).zone()
    #expect(published.draft == expected, "seed \(seed)")
    let text = String(decoding: ZonePack.Entry(publishing: zone).pad, as: UTF8.self)
    #expect(!text.contains("555 0100"), "contacts are nobody's business")
  }

  @Test(arguments: Seeds.few(10))
  func `a file that is cut off anywhere is refused`(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let bytes = try PackSamples.key.seal(PackSamples.head(), whole: PackSamples.entries(2, &generator))
    for length in 0..<bytes.count {
      #expect(throws: PackError.self, "\(length) of \(bytes.count) bytes, seed \(seed)") {
        _ = try HeldPack(Array(bytes[..<length]))
      }
    }
    #expect(throws: PackError.self) { _ = try HeldPack(bytes + [0]) }
  }

  @Test func `what is wrong is said`() throws {
    var generator = SeededGenerator(seed: 1)
    let entries = PackSamples.entries(2, &generator)
    let bytes = try PackSamples.key.seal(PackSamples.head(), whole: entries)
    func refusal(_ bytes: [UInt8]) -> PackError? {
      do throws(PackError) {
        _ = try SealedPack(bytes)
        return nil
      } catch { return error }
    }
    func with(_ at: Int, _ value: UInt8) -> [UInt8] {
      var changed = bytes
      changed[at] = value
      return changed
    }
    #expect(refusal([]) == .notAPack)
    #expect(refusal(Array("AlertZoneStart,,,".utf8)) == .notAPack)
    #expect(refusal(Array("PRX".utf8)) == .cutOff(at: 3))
    #expect(refusal(Array(bytes[..<200])) == .cutOff(at: 200))
    #expect(refusal(bytes + [7]) == .bytesLeftOver(at: bytes.count - 64, count: 1))
    #expect(refusal(with(7, 3)) == .unknownFormat(found: 3, known: 2))
    #expect(refusal(with(8, 3)) == .malformed(what: .kind, at: 8))
    #expect(refusal(with(9, 1)) == .malformed(what: .reserved, at: 9))
    // A version of 0, and one that JavaScript cannot hold.
    var zero = bytes
    for at in 59..<67 { zero[at] = 0 }
    #expect(refusal(zero) == .malformed(what: .version, at: 59))
    #expect(refusal(with(59, 0xff)) == .malformed(what: .version, at: 59))
    #expect(refusal(with(74, 1)) == .malformed(what: .base, at: 67), "a whole pack has no base")
    // A renewal time before the time of making.
    var early = bytes
    for at in 83..<91 { early[at] = 0 }
    #expect(refusal(early) == .malformed(what: .times, at: 83))
    // A length beyond the end of the file allocates no memory.
    #expect(refusal(with(123, 0xff)) == .malformed(what: .text, at: 123))
    let name = "Ćuk quarry".utf8.count
    #expect(refusal(with(127, 0xff)) == .malformed(what: .text, at: 127), "no UTF-8, \(name) bytes of name")
    #expect(
      PackError.older(found: PackSamples.version(3), held: PackSamples.version(5)).message.contains("older"))
  }

  @Test func `zones out of order, twice, and in both lists are refused`() throws {
    var generator = SeededGenerator(seed: 3)
    let entries = PackSamples.entries(2, &generator)
    let bytes = try PackSamples.key.seal(
      PackSamples.head(), since: PackSamples.version(4), changed: entries, removed: [], of: entries)
    let sealed = try SealedPack(bytes)
    // Gives the second zone the first one's id.
    let second = bytes.count - 64 - entries[1].pad.count - 12
    var twice = bytes
    for at in 0..<8 { twice[second + at] = bytes[second - entries[0].pad.count - 12 + at] }
    #expect(throws: PackError.malformed(what: .order, at: second)) { _ = try SealedPack(twice) }
    #expect(sealed.pack.head.version > PackSamples.version(4))
    let both = try PackSamples.key.seal(
      PackSamples.head(), since: PackSamples.version(4), changed: entries, removed: [entries[0].id],
      of: entries)
    #expect(throws: PackError.self) { _ = try SealedPack(both) }
    // Changes since a future version.
    let ahead = try PackSamples.key.seal(
      PackSamples.head(), since: PackSamples.version(6), changed: entries, removed: [], of: entries)
    #expect(throws: PackError.malformed(what: .base, at: 67)) { _ = try SealedPack(ahead) }
  }

  @Test(arguments: Seeds.few(50))
  func `changes from one state to another make the other`(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let all = PackSamples.entries(12, &generator)
    func state() -> [ZonePack.Entry] {
      all.filter { _ in Bool.random(using: &generator) }.map { entry in
        Bool.random(using: &generator) ? entry : ZonePack.Entry(id: entry.id, pad: entry.pad + [10])
      }
    }
    let (old, new) = (state(), state())
    let (changed, removed) = ZonePack.changes(from: old, to: new)
    #expect(ZonePack.applying(changed: changed, removed: removed, to: old) == new, "seed \(seed)")
    for entry in changed { #expect(!old.contains(entry)) }
  }

  @Test func `versions go up whatever the clock does`() {
    let early = Instant(millisecondsSince1970: 1000)
    #expect(PackVersion(after: nil, at: early).number == 1000)
    #expect(PackVersion(after: PackSamples.version(5000), at: early).number == 5001)
    #expect(PackVersion(after: PackSamples.version(5), at: early).number == 1000)
    #expect(PackVersion(after: nil, at: Instant(millisecondsSince1970: -5)).number == 1)
    #expect(PackVersion(0) == nil && PackVersion(1 << 53) == nil && PackVersion((1 << 53) - 1) != nil)
  }

  @Test func `a zone that does not say its id is told by its id`() {
    let entry = ZonePack.Entry(
      id: ZoneID(rawValue: 7), pad: Array("AlertZoneStart,,,\nAlertZoneEnd,,,\n".utf8))
    #expect(throws: PackError.unreadableZone(ZoneID(rawValue: 7))) { _ = try entry.zone() }
  }
}
