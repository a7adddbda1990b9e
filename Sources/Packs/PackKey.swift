import AlarmEngine
import Cryptography
import Formats
import Foundation
import PAD

/// A publisher's private key; its holder can publish in the publisher's name.
public struct PackKey: Sendable {
  private let key: Ed25519.PrivateKey
  /// The changes that led to this key, the earliest first; included in each pack that it signs.
  public let changes: [PackKeyChange]

  /// Makes a new key with the system's random generator.
  public init() {
    key = Ed25519.PrivateKey()
    changes = []
  }

  /// - Parameter bytes: 32, as ``bytes`` gives them.
  /// - Throws: `PackKeyError`.
  public init(bytes: [UInt8], changes: [PackKeyChange] = []) throws(PackKeyError) {
    guard let key = Ed25519.PrivateKey(bytes) else {
      throw .length(given: bytes.count, allowed: ZonePack.keyLength)
    }
    guard changes.count <= ZonePack.maximumKeyChanges,
      PackKeyChange.lead(changes, to: key.publicKey), changes.allSatisfy(\.isSigned)
    else { throw .otherChanges }
    self.key = key
    self.changes = changes
  }

  /// Returns the successor of this key, with the statement of it signed by this one.
  ///
  /// The statement's time is always later than the previous ones, whatever the clock shows.
  /// - Parameter bytes: the new private key; nil makes one.
  /// - Throws: `PackKeyError`: also `.otherChanges` for a key that was used before.
  public func successor(bytes: [UInt8]? = nil, at now: Instant) throws(PackKeyError) -> PackKey {
    let new = try bytes.map { bytes throws(PackKeyError) in try PackKey(bytes: bytes) } ?? PackKey()
    let time = changes.last.map { max(now, $0.changedAt + .milliseconds(1)) } ?? now
    let change = PackKeyChange(
      old: publicKey, new: new.publicKey, changedAt: time,
      signature: signature(of: PackKeyChange.signedBytes(old: publicKey, new: new.publicKey, at: time)))
    return try PackKey(
      bytes: new.bytes, changes: (changes + [change]).suffix(ZonePack.maximumKeyChanges))
  }

  /// True if a follower of `other` accepts packs signed by this key.
  public func follows(_ other: [UInt8]) -> Bool {
    other == publicKey || changes.contains { $0.old == other }
  }

  /// The private key, to be kept secret.
  public var bytes: [UInt8] { key.bytes }
  public var publicKey: [UInt8] { key.publicKey }

  /// Returns all zones as a signed file.
  ///
  /// - Parameter head: the data of the collection; its key, key changes and digest are set here.
  /// - Precondition: `entries` ascend by id; texts are within their lengths.
  /// - Throws: `.tooManyZones`, `.tooLarge`.
  public func seal(_ head: ZonePack.Head, whole entries: [ZonePack.Entry]) throws(PackError) -> [UInt8] {
    try seal(ZonePack(head: head, content: .whole(entries)), digest: PackDigest.of(entries))
  }

  /// Returns the changes since an earlier version as a signed file.
  ///
  /// - Parameter entries: all zones at the version of `head`; the digest covers them.
  public func seal(
    _ head: ZonePack.Head, since version: PackVersion, changed: [ZonePack.Entry], removed: [ZoneID],
    of entries: [ZonePack.Entry]
  ) throws(PackError) -> [UInt8] {
    try seal(
      ZonePack(head: head, content: .changes(since: version, changed: changed, removed: removed)),
      digest: PackDigest.of(entries))
  }

  private func seal(_ unsigned: ZonePack, digest: [UInt8]) throws(PackError) -> [UInt8] {
    var pack = unsigned
    pack.head.publicKey = publicKey
    pack.head.keyChanges = changes
    pack.head.digest = digest
    let count =
      switch pack.content {
      case .whole(let entries): entries.count
      case .changes(_, let changed, let removed): max(changed.count, removed.count)
      }
    guard count <= ZonePack.maximumZones else {
      throw .tooManyZones(found: count, allowed: ZonePack.maximumZones)
    }
    let bytes = pack.signedBytes(keyID: PackDigest.keyID(of: publicKey))
    guard bytes.count + ZonePack.signatureLength <= ZonePack.maximumBytes else {
      throw .tooLarge(bytes: bytes.count + ZonePack.signatureLength, allowed: ZonePack.maximumBytes)
    }
    return bytes + signature(of: bytes)
  }

  func signature(of bytes: [UInt8]) -> [UInt8] { key.signature(of: bytes) }
}

/// The reason why a file is no valid private key.
public enum PackKeyError: Error, Hashable, Sendable {
  case length(given: Int, allowed: Int)
  /// The key changes do not lead to this key, or one is not signed by the key before.
  case otherChanges

  public var message: String {
    switch self {
    case .length(let given, let allowed): "a key of \(given) bytes found, \(allowed) allowed"
    case .otherChanges: "changes of the key that do not lead to this key, each signed by the one before"
    }
  }
}

extension PackKeyChange {
  /// True if the old key has signed the change.
  public var isSigned: Bool { Ed25519.isSignature(signature, of: signedBytes, by: old) }
}

/// The hashes that a pack holds.
public enum PackDigest {
  public static func of(_ entries: [ZonePack.Entry]) -> [UInt8] {
    SHA256.hash(ZonePack.zoneBytes(entries))
  }

  /// Returns the id by which people and files tell keys apart.
  public static func keyID(of publicKey: [UInt8]) -> [UInt8] {
    Array(SHA256.hash(publicKey).prefix(PackLayout.keyIDLength))
  }
}
