import AlarmEngine
import Crypto
import Formats
import Foundation

/// The private half of a publisher's key: whoever has it can publish in the publisher's name.
public struct PackKey: Sendable {
  private let key: Curve25519.Signing.PrivateKey

  /// A new one, by the system's generator.
  public init() { key = Curve25519.Signing.PrivateKey() }

  /// - Parameter bytes: 32, as ``bytes`` gives them.
  /// - Throws: `PackKeyError.length`.
  public init(bytes: [UInt8]) throws(PackKeyError) {
    guard bytes.count == ZonePack.keyLength,
      let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
    else { throw .length(given: bytes.count, allowed: ZonePack.keyLength) }
    self.key = key
  }

  /// To be kept where nobody else reads.
  public var bytes: [UInt8] { Array(key.rawRepresentation) }
  public var publicKey: [UInt8] { Array(key.publicKey.rawRepresentation) }

  /// All zones as a signed file.
  ///
  /// - Parameter head: its key and its digest are set here.
  /// - Precondition: `entries` ascend by id; texts are within their lengths.
  /// - Throws: `.tooManyZones`, `.tooLarge`.
  public func seal(_ head: ZonePack.Head, whole entries: [ZonePack.Entry]) throws(PackError) -> [UInt8] {
    try seal(ZonePack(head: head, content: .whole(entries)), digest: PackDigest.of(entries))
  }

  /// The changes since an earlier version as a signed file.
  ///
  /// - Parameter entries: all zones at the version of `head`, of which the digest is made.
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
    // It fails only where the system has no random numbers left, which is no state to go on in.
    guard let signature = try? key.signature(for: bytes) else {
      preconditionFailure("Ed25519 signs any bytes")
    }
    return bytes + signature
  }
}

/// Why a file is no private key.
public enum PackKeyError: Error, Hashable, Sendable {
  case length(given: Int, allowed: Int)

  public var message: String {
    switch self {
    case .length(let given, let allowed): "a key of \(given) bytes found, \(allowed) allowed"
    }
  }
}

/// The hashes that a pack holds.
public enum PackDigest {
  public static func of(_ entries: [ZonePack.Entry]) -> [UInt8] {
    Array(SHA256.hash(data: ZonePack.zoneBytes(entries)))
  }

  /// By which people and files tell keys apart.
  public static func keyID(of publicKey: [UInt8]) -> [UInt8] {
    Array(SHA256.hash(data: publicKey).prefix(PackLayout.keyIDLength))
  }
}
