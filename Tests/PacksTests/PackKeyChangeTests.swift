import AlarmEngine
import Formats
import TestSupport
import Testing

@testable import Packs

@Suite("A publisher's change of key")
struct PackKeyChangeTests {
  private static func key(_ seed: UInt8) -> PackKey {
    guard let key = try? PackKey(bytes: [UInt8](repeating: seed, count: 32)) else {
      preconditionFailure("32 bytes are a key")
    }
    return key
  }
  private static let time = PackSamples.made
  private let first = Self.key(1)

  private func pack(_ key: PackKey, version: Int64 = 6, zones: Int = 1) throws -> [UInt8] {
    var generator = SeededGenerator(seed: 7)
    return try key.seal(
      PackSamples.head(version: version), whole: PackSamples.entries(zones, &generator))
  }

  @Test func `a follower goes on by the key that the followed one has named, and by the former no more`()
    throws
  {
    let second = try first.successor(at: Self.time)
    var held = try HeldPack(try pack(first, version: 5))
    #expect(try held.take(try pack(second, version: 7)) == false)
    #expect(held.head.publicKey == second.publicKey)
    #expect(held.head.keyChanges.map(\.old) == [first.publicKey])
    #expect(held.head.keyChanges.map(\.changedAt) == [Self.time])
    // A later pack by a holder of the former key.
    #expect(throws: PackError.otherKey(found: first.publicKey, expected: second.publicKey)) {
      try held.take(try pack(first, version: 9))
    }
    // The former key cannot name another successor by now either.
    let thief = try first.successor(at: Self.time + .hours(1))
    #expect(throws: PackError.otherKey(found: thief.publicKey, expected: second.publicKey)) {
      try held.take(try pack(thief, version: 9))
    }
    #expect(held.head.publicKey == second.publicKey && held.head.version == PackSamples.version(7))
  }

  @Test func `one who comes late passes over several keys, also by a link that names the first`() throws {
    let third = try first.successor(at: Self.time).successor(at: Self.time + .hours(1))
    var held = try HeldPack(try pack(first, version: 5))
    #expect(try held.take(try pack(third)) == false)
    #expect(held.head.publicKey == third.publicKey)
    let new = try HeldPack(try pack(third), signedBy: first.publicKey)
    #expect(new.head.keyChanges.count == 2)
    #expect(third.follows(first.publicKey) && third.follows(third.publicKey))
    #expect(!third.follows(Self.key(9).publicKey) && !first.follows(third.publicKey))
  }

  @Test func `changes alone carry it too, and of one version made twice the later key counts`() throws {
    var generator = SeededGenerator(seed: 7)
    let entries = PackSamples.entries(1, &generator)
    let second = try first.successor(at: Self.time)
    var held = try HeldPack(try pack(first, version: 6))
    let later = PackSamples.head(version: 6, madeAt: PackSamples.made + .hours(1))
    let step = try second.seal(later, since: PackSamples.version(6), changed: [], removed: [], of: entries)
    #expect(try held.take(step) == false)
    #expect(held.head.publicKey == second.publicKey)
  }

  @Test func `a key that nobody has named is refused`() throws {
    let other = try Self.key(9).successor(at: Self.time)
    var held = try HeldPack(try pack(first, version: 5))
    #expect(throws: PackError.otherKey(found: other.publicKey, expected: first.publicKey)) {
      try held.take(try pack(other))
    }
    #expect(
      PackError.otherKey(found: [1], expected: [2]).message.contains("has not named it as its successor"))
  }

  @Test func `a statement that the former key has not signed is refused`() throws {
    // Made by a thief with another key, who knows the public half of the first.
    let thief = Self.key(9)
    let real = try first.successor(at: Self.time).changes[0]
    for signature in [real.signature, thief.changesSigned(first.publicKey, at: Self.time)] {
      let forged = PackKeyChange(
        old: first.publicKey, new: thief.publicKey, changedAt: Self.time, signature: signature)
      #expect(!forged.isSigned)
      #expect(throws: PackKeyError.otherChanges) {
        _ = try PackKey(bytes: thief.bytes, changes: [forged])
      }
      // A change that none of our keys signs, in a pack that is signed all the same.
      let bytes = try Self.sealed(by: thief, with: [forged])
      var held = try HeldPack(try pack(first, version: 5))
      let refused = PackError.forgedKeyChange(from: first.publicKey, to: thief.publicKey)
      #expect(throws: refused) { try held.take(bytes) }
      #expect(throws: refused) { _ = try HeldPack(bytes, signedBy: first.publicKey) }
      #expect(throws: refused) { _ = try HeldPack(bytes) }
      #expect(refused.message.contains("is not signed by the key"))
    }
    #expect(real.isSigned)
  }

  /// A pack without zones in the form of docs/packs.md, with arbitrary key changes.
  private static func sealed(by key: PackKey, with changes: [PackKeyChange], count: Int? = nil) throws
    -> [UInt8]
  {
    var head = PackSamples.head(version: 8)
    head.publicKey = key.publicKey
    head.digest = PackDigest.of([])
    let plain = ZonePack(head: head, content: .whole([])).signedBytes(
      keyID: PackDigest.keyID(of: key.publicKey))
    var bytes = plain
    bytes[7] = 2
    // Inserted before the number of removed zones and the number of zones.
    bytes.insert(
      contentsOf: [0, 0, 0, UInt8(count ?? changes.count)] + changes.flatMap(\.bytes), at: bytes.count - 8)
    return bytes + key.signature(of: bytes)
  }

  @Test func `what no writer makes is refused`() throws {
    let second = try first.successor(at: Self.time)
    let third = try second.successor(at: Self.time + .hours(1))
    func refusal(_ key: PackKey, _ changes: [PackKeyChange], count: Int? = nil) throws -> PackError? {
      let bytes = try Self.sealed(by: key, with: changes, count: count)
      do throws(PackError) {
        _ = try HeldPack(bytes)
        return nil
      } catch { return error }
    }
    #expect(try refusal(third, third.changes) == nil)
    func expectMalformed(_ key: PackKey, _ changes: [PackKeyChange], count: Int? = nil) throws {
      guard case .malformed(what: .keyChanges, at: _)? = try refusal(key, changes, count: count) else {
        Issue.record("\(changes.count) changes are taken")
        return
      }
    }
    try expectMalformed(first, [])  // Without any the format is the plain one.
    try expectMalformed(first, [], count: 17)
    try expectMalformed(third, [third.changes[0]])  // They lead to another key.
    try expectMalformed(third, third.changes.reversed())
    try expectMalformed(third, [third.changes[1], third.changes[1]])
    // Repeated in somebody else's pack.
    try expectMalformed(Self.key(9), second.changes)
    // Back to a key that was used before, and two changes at one time.
    let back = second.signedChange(to: first.publicKey, at: Self.time + .hours(2))
    try expectMalformed(first, second.changes + [back])
    let same = second.signedChange(to: third.publicKey, at: Self.time)
    try expectMalformed(third, second.changes + [same])
    #expect(throws: PackKeyError.otherChanges) { _ = try second.successor(bytes: first.bytes, at: Self.time) }
  }

  @Test func `a statement has one form, and a changed or missing byte is refused`() throws {
    let second = try first.successor(at: Self.time)
    let change = second.changes[0]
    #expect(change.bytes.count == 144)
    #expect(try PackKeyChange(change.bytes[...]) == change)
    for length in 0..<change.bytes.count {
      #expect(throws: PackError.malformed(what: .keyChanges, at: length)) {
        _ = try PackKeyChange(change.bytes[..<length])
      }
    }
    for at in change.bytes.indices {
      var changed = change.bytes
      changed[at] ^= 1 << UInt8(at & 7)
      if let read = try? PackKeyChange(changed[...]) {
        #expect(read.bytes == changed && !read.isSigned, "byte \(at)")
      }
    }
    var late = change.bytes
    for at in 72..<80 { late[at] = 0x7f }
    #expect(throws: PackError.malformed(what: .keyChanges, at: 72)) { _ = try PackKeyChange(late[...]) }
  }

  @Test func `a changed bit anywhere, and a cut anywhere, are refused`() throws {
    let second = try first.successor(at: Self.time)
    let bytes = try pack(second)
    #expect(bytes[7] == 2)
    #expect(try pack(first)[7] == 1, "programs of before read what they read before")
    _ = try HeldPack(bytes, signedBy: first.publicKey)
    for at in bytes.indices {
      var changed = bytes
      changed[at] ^= 1 << UInt8((at &* 3) & 7)
      #expect(throws: PackError.self, "byte \(at)") { _ = try HeldPack(changed) }
      #expect(throws: PackError.self, "\(at) bytes") { _ = try HeldPack(Array(bytes[..<at])) }
    }
  }

  @Test func `written and read back; the oldest of many is dropped`() throws {
    var key = first
    for number in 0..<20 { key = try key.successor(at: Self.time + .hours(Double(number))) }
    #expect(key.changes.count == ZonePack.maximumKeyChanges)
    let bytes = try pack(key)
    let read = try SealedPack(bytes)
    #expect(read.pack.head.keyChanges == key.changes)
    #expect(read.pack.signedBytes(keyID: read.keyID) == Array(read.signed))
    #expect(throws: PackError.otherKey(found: key.publicKey, expected: first.publicKey)) {
      _ = try HeldPack(bytes, signedBy: first.publicKey)
    }
    #expect(try PackKey(bytes: key.bytes, changes: key.changes).publicKey == key.publicKey)
  }

  @Test func `a clock that was set back makes no statement earlier than the one before`() throws {
    let third = try first.successor(at: Self.time).successor(at: Self.time + .hours(-9))
    #expect(third.changes[1].changedAt > third.changes[0].changedAt)
    _ = try HeldPack(try pack(third), signedBy: first.publicKey)
  }
}

extension PackKey {
  fileprivate func signedChange(to new: [UInt8], at time: Instant) -> PackKeyChange {
    PackKeyChange(
      old: publicKey, new: new, changedAt: time,
      signature: signature(of: PackKeyChange.signedBytes(old: publicKey, new: new, at: time)))
  }

  /// This key's signature for a change from another key to this one.
  fileprivate func changesSigned(_ old: [UInt8], at time: Instant) -> [UInt8] {
    signature(of: PackKeyChange.signedBytes(old: old, new: publicKey, at: time))
  }
}
