import AlarmEngine
import Cryptography
import Formats
import PAD

/// A pack that was checked: all zones of one collection at one version.
public struct HeldPack: Hashable, Sendable {
  public private(set) var head: ZonePack.Head
  /// Ascending by id.
  public private(set) var entries: [ZonePack.Entry]

  /// Checks a whole pack from its first byte to its last.
  ///
  /// - Parameter key: the public key that it must be signed by, or that has named the one it is signed by as its successor;
  ///   nil takes whichever it names, which then says only that nobody has changed it.
  /// - Throws: why it is refused.
  public init(_ bytes: [UInt8], signedBy key: [UInt8]? = nil) throws(PackError) {
    let pack = try Self.checked(bytes, signedBy: key)
    guard case .whole(let entries) = pack.content else {
      throw .otherBase(found: Self.base(of: pack), held: nil)
    }
    guard PackDigest.of(entries) == pack.head.digest else { throw .otherZones }
    head = pack.head
    self.entries = entries
  }

  /// Goes on to a later version: by all its zones, or by the changes since the one that is held. Where the publisher has
  /// changed the key, the new one is followed from then on, and the earlier one no more.
  ///
  /// - Returns: whether the zones are others than before. They are the same where it was only made anew.
  /// - Throws: why it is refused; nothing has changed then.
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
    // One version has one state.
    guard pack.head.version > head.version || isSame else { throw .otherZones }
    // Of one version made twice the later counts: somebody may send the earlier once more.
    if pack.head.version > head.version || pack.head.madeAt >= head.madeAt { head = pack.head }
    entries = next
    return !isSame
  }

  private static func checked(_ bytes: [UInt8], signedBy key: [UInt8]?) throws(PackError) -> ZonePack {
    let sealed = try SealedPack(bytes)
    let found = sealed.pack.head.publicKey
    // First the words that help: a pack of somebody else's is no forged one.
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
