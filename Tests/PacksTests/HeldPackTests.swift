import AlarmEngine
import Formats
import Packs
import TestSupport
import Testing

@Suite("Following a pack")
struct HeldPackTests {
  private func sealed(_ count: Int, version: Int64 = 5, seed: UInt64 = 1) throws -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return try PackSamples.key.seal(
      PackSamples.head(version: version), whole: PackSamples.entries(count, &generator))
  }

  @Test(arguments: Seeds.few(3))
  func `a changed bit anywhere is refused`(seed: Int) throws {
    let bytes = try sealed(1, seed: UInt64(seed))
    _ = try HeldPack(bytes, signedBy: PackSamples.key.publicKey)
    for at in bytes.indices {
      var changed = bytes
      changed[at] ^= 1 << UInt8((at &* 7 &+ seed) & 7)
      #expect(throws: PackError.self, "byte \(at) of \(bytes.count), seed \(seed)") {
        _ = try HeldPack(changed)
      }
    }
  }

  @Test func `a forged pack is told from somebody else's`() throws {
    let bytes = try sealed(2)
    let other = PackKey()
    var generator = SeededGenerator(seed: 1)
    let theirs = try other.seal(PackSamples.head(), whole: PackSamples.entries(2, &generator))
    _ = try HeldPack(theirs)
    let expected = PackSamples.key.publicKey
    #expect(throws: PackError.otherKey(found: other.publicKey, expected: expected)) {
      _ = try HeldPack(theirs, signedBy: expected)
    }
    var held = try HeldPack(bytes)
    #expect(throws: PackError.otherKey(found: other.publicKey, expected: expected)) { try held.take(theirs) }
    // The right key is named, but the signature is another key's.
    let forged = Array(bytes.dropLast(64)) + theirs.suffix(64)
    #expect(throws: PackError.wrongSignature) { _ = try HeldPack(forged) }
  }

  @Test(arguments: Seeds.few(20))
  func `changes lead from one version to the next, and nothing else does`(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let all = PackSamples.entries(10, &generator)
    let old = all.filter { _ in Bool.random(using: &generator) }
    let new = all.filter { _ in Bool.random(using: &generator) }
    let (changed, removed) = ZonePack.changes(from: old, to: new)
    let key = PackSamples.key
    let first = try key.seal(PackSamples.head(version: 5), whole: old)
    let step = try key.seal(
      PackSamples.head(version: 8), since: PackSamples.version(5), changed: changed, removed: removed, of: new
    )
    var held = try HeldPack(first)
    #expect(try held.take(step) == (old != new), "seed \(seed)")
    #expect(held.entries == new && held.head.version == PackSamples.version(8))
    // The same step again is not too old, but does not fit the held version.
    #expect(
      throws: PackError.otherBase(found: PackSamples.version(5), held: PackSamples.version(8))
    ) { try held.take(step) }
    #expect(throws: PackError.older(found: PackSamples.version(5), held: PackSamples.version(8))) {
      try held.take(first)
    }
    #expect(held.entries == new, "what was refused has changed nothing")
    #expect(try held.take(try key.seal(PackSamples.head(version: 9), whole: old)) == (old != new))
  }

  @Test func `changes whose result was not signed are refused`() throws {
    var generator = SeededGenerator(seed: 4)
    let all = PackSamples.entries(4, &generator)
    var held = try HeldPack(try PackSamples.key.seal(PackSamples.head(), whole: Array(all.prefix(2))))
    // Made for a holder of another state of that version.
    let step = try PackSamples.key.seal(
      PackSamples.head(version: 6), since: PackSamples.version(5), changed: [all[3]], removed: [], of: all)
    #expect(throws: PackError.otherZones) { try held.take(step) }
    #expect(held.entries.count == 2)
    #expect(throws: PackError.otherZones, "one version has one state") {
      try held.take(try PackSamples.key.seal(PackSamples.head(), whole: all))
    }
    #expect(throws: PackError.otherBase(found: PackSamples.version(5), held: nil)) { _ = try HeldPack(step) }
  }

  @Test func `made anew, the same version lasts longer; the earlier one sent once more changes nothing`()
    throws
  {
    var generator = SeededGenerator(seed: 4)
    let all = PackSamples.entries(2, &generator)
    let later = PackSamples.head(madeAt: PackSamples.made + .hours(24))
    let first = try PackSamples.key.seal(PackSamples.head(), whole: all)
    let again = try PackSamples.key.seal(
      later, since: PackSamples.version(5), changed: [], removed: [], of: all)
    var held = try HeldPack(first)
    #expect(try held.take(again) == false)
    #expect(held.head.renewBy == later.renewBy)
    #expect(try held.take(first) == false)
    #expect(held.head.renewBy == later.renewBy)
  }

  @Test func `another collection of the same publisher is refused`() throws {
    var held = try HeldPack(try sealed(1))
    var head = PackSamples.head(version: 6)
    head.collection = 7
    let other = try PackSamples.key.seal(head, whole: [])
    #expect(throws: PackError.otherCollection(found: 7, expected: 0xfeed_0000_0000_0001)) {
      try held.take(other)
    }
  }

  @Test func `a key is kept as 32 bytes, and nothing else is one`() throws {
    let key = PackKey()
    #expect(try PackKey(bytes: key.bytes).publicKey == key.publicKey)
    #expect(throws: PackKeyError.length(given: 31, allowed: 32)) { _ = try PackKey(bytes: Array(1...31)) }
    #expect(PackDigest.keyID(of: key.publicKey).count == 8)
  }
}
