import AlarmEngine

/// A publisher's statement that a new key replaces the old one, signed by the old key.
///
/// Each later pack contains it. This module has no cryptography: the module `Packs` signs and verifies.
public struct PackKeyChange: Hashable, Sendable {
  /// Ed25519, 32 bytes, as `new` is.
  public let old: [UInt8]
  public let new: [UInt8]
  /// The time of the change by the publisher's clock.
  public let changedAt: Instant
  /// The old key's signature of ``signedBytes(old:new:at:)``.
  public let signature: [UInt8]

  /// - Precondition: keys and signature have their lengths.
  public init(old: [UInt8], new: [UInt8], changedAt: Instant, signature: [UInt8]) {
    precondition(old.count == ZonePack.keyLength && new.count == ZonePack.keyLength, "a key has 32 bytes")
    precondition(signature.count == ZonePack.signatureLength, "a signature has 64 bytes")
    self.old = old
    self.new = new
    self.changedAt = changedAt
    self.signature = signature
  }

  /// Parses a statement strictly; its signature is not verified.
  /// - Throws: `.malformed(what: .keyChanges, …)`, with the offset of the first wrong byte.
  public init(_ bytes: ArraySlice<UInt8>) throws(PackError) {
    func part(_ from: Int, _ count: Int) -> [UInt8] {
      Array(bytes[bytes.startIndex + from..<bytes.startIndex + from + count])
    }
    guard bytes.count == Self.length else { throw .malformed(what: .keyChanges, at: bytes.count) }
    let start = Self.magic + [Self.format]
    if let wrong = zip(bytes, start).enumerated().first(where: { $1.0 != $1.1 })?.offset {
      throw .malformed(what: .keyChanges, at: wrong)
    }
    old = part(8, ZonePack.keyLength)
    new = part(40, ZonePack.keyLength)
    let milliseconds = part(72, 8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    changedAt = Instant(millisecondsSince1970: milliseconds)
    guard Instant.allowed.contains(changedAt), changedAt.millisecondsSince1970 == milliseconds else {
      throw .malformed(what: .keyChanges, at: 72)
    }
    signature = part(80, ZonePack.signatureLength)
  }

  /// Returns the bytes that the old key signs.
  public static func signedBytes(old: [UInt8], new: [UInt8], at time: Instant) -> [UInt8] {
    let milliseconds = UInt64(bitPattern: time.millisecondsSince1970)
    let clock = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: milliseconds >> $0) }
    return magic + [format] + old + new + clock
  }

  public var signedBytes: [UInt8] { Self.signedBytes(old: old, new: new, at: changedAt) }
  public var bytes: [UInt8] { signedBytes + signature }

  /// True if statements, the earliest first, lead from key to key up to `key`: no key twice, each later than
  /// the previous one.
  public static func lead(_ changes: [PackKeyChange], to key: [UInt8]) -> Bool {
    guard let last = changes.last else { return true }
    let keys = changes.map(\.old) + [last.new]
    return last.new == key && Set(keys).count == keys.count
      && zip(changes, changes.dropFirst()).allSatisfy { $0.new == $1.old && $0.changedAt < $1.changedAt }
  }

  static let length = 80 + ZonePack.signatureLength
  private static let magic = Array("PRXKEYC".utf8)
  private static let format: UInt8 = 1
}
