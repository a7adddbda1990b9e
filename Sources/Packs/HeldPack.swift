import AlarmEngine
import Cryptography
import Formats
import PAD

/// A verified pack: all zones of one collection at one version.
public struct HeldPack: Hashable, Sendable {
  public private(set) var head: ZonePack.Head
  /// Ascending by id.
  public private(set) var entries: [ZonePack.Entry]

  /// Verifies a whole pack from its first byte to its last.
  ///
  /// - Parameter key: the public key that must have signed the pack, or that has named the signing key as its
  ///   successor; nil accepts the key stated in the pack, which proves only that the pack is unchanged.
  /// - Throws: the reason for a refusal.
  public init(_ bytes: [UInt8], signedBy key: [UInt8]? = nil) throws(PackError) {
    let pack = try Self.checked(bytes, signedBy: key)
    guard case .whole(let entries) = pack.content else {
      throw .otherBase(found: Self.base(of: pack), held: nil)
    }
    guard PackDigest.of(entries) == pack.head.digest else { throw .otherZones }
    head = pack.head
    self.entries = entries
  }

  /// Updates to a later version, by all its zones or by the changes since the held one. If the publisher has
  /// changed the key, only the new one is followed from then on.
  ///
  /// - Returns: whether the zones have changed. They have not if the same state was only signed anew.
  /// - Throws: the reason for a refusal; nothing is changed then.
  @discardableResult
  public mutating func take(_ bytes: [UInt8]) throws(PackError) -> Bool {
    let pack = try Self.checked(bytes, signedBy: head.publicKey)
    guard pack.head.collection == head.collection else {
      throw .otherCollection(found: pack.head.collection, expected: head.collection)
    }
    guard pack.head.version >= head.version else {
      throw .older(found: pack.head.version, held: head.version)
    }
    let next: [ZonePack.Entry]
    switch pack.content {
    case .whole(let all): next = all
    case .changes(let since, let changed, let removed):
      guard since == head.version else { throw .otherBase(found: since, held: head.version) }
      next = ZonePack.applying(changed: changed, removed: removed, to: entries)
    }
    guard PackDigest.of(next) == pack.head.digest else { throw .otherZones }
    let isSame = next == entries
    // A version has exactly one set of zones.
    guard pack.head.version > head.version || isSame else { throw .otherZones }
    // The later of two packs of one version counts, since the earlier may be sent again.
    if pack.head.version > head.version || pack.head.madeAt >= head.madeAt { head = pack.head }
    entries = next
    return !isSame
  }

  private static func checked(_ bytes: [UInt8], signedBy key: [UInt8]?) throws(PackError) -> ZonePack {
    let sealed = try SealedPack(bytes)
    let found = sealed.pack.head.publicKey
    // Checked first for the more helpful error: a pack of another publisher is not a forged one.
    let changes = sealed.pack.head.keyChanges
    if let key, key != found, !changes.contains(where: { $0.old == key }) {
      throw .otherKey(found: found, expected: key)
    }
    guard sealed.keyID == PackDigest.keyID(of: found) else { throw .malformed(what: .keyID, at: 11) }
    guard Ed25519.isSignature(Array(sealed.signature), of: Array(sealed.signed), by: found) else {
      throw .wrongSignature
    }
    if let forged = changes.first(where: { !$0.isSigned }) {
      throw .forgedKeyChange(from: forged.old, to: forged.new)
    }
    return sealed.pack
  }

  private static func base(of pack: ZonePack) -> PackVersion {
    switch pack.content {
    case .whole: pack.head.version
    case .changes(let since, _, _): since
    }
  }
}
