import AlarmEngine
import PAD

/// A published collection of zones: all of them, or the changes since an earlier version.
///
/// This module has no cryptography: ``SealedPack`` splits a file into signed bytes and signature, and the
/// module `Packs` signs and verifies. `docs/packs.md` describes the bytes.
public struct ZonePack: Hashable, Sendable {
  /// The data of the whole collection, also in a pack of changes.
  public struct Head: Hashable, Sendable {
    /// Ed25519, 32 bytes.
    public var publicKey: [UInt8]
    /// The collection's id, the same in all its versions.
    public var collection: UInt64
    /// The version, which increases with each change.
    public var version: PackVersion
    public var madeAt: Instant
    /// The time by which followers should ask again; afterwards the pack is out of date.
    public var renewBy: Instant
    public var name: String
    /// The purpose of the collection.
    public var about: String
    /// The publisher's name.
    public var publisher: String
    /// SHA-256 of all the zones at this version, as ``ZonePack/zoneBytes(_:)`` writes them. The result of
    /// applying a pack of changes must match it.
    public var digest: [UInt8]
    /// The changes from earlier keys to this one, the earliest first; at most ``ZonePack/maximumKeyChanges``.
    public var keyChanges: [PackKeyChange]

    public init(
      publicKey: [UInt8], collection: UInt64, version: PackVersion, madeAt: Instant, renewBy: Instant,
      name: String, about: String = "", publisher: String = "",
      digest: [UInt8] = [UInt8](repeating: 0, count: ZonePack.digestLength), keyChanges: [PackKeyChange] = []
    ) {
      self.publicKey = publicKey
      self.collection = collection
      self.version = version
      self.madeAt = madeAt
      self.renewBy = renewBy
      self.name = name
      self.about = about
      self.publisher = publisher
      self.digest = digest
      self.keyChanges = keyChanges
    }
  }

  public enum Content: Hashable, Sendable {
    /// All zones, ascending by id.
    case whole([Entry])
    /// The changes since a version: the zones that are new or differ, and the ids of removed ones. Both
    /// ascend by id; no id is in both.
    case changes(since: PackVersion, changed: [Entry], removed: [ZoneID])
  }

  /// One zone as PAD, its bytes kept as they were signed.
  public struct Entry: Hashable, Sendable {
    public let id: ZoneID
    /// `AlertZoneStart` to `AlertZoneEnd`, of this zone alone.
    public let pad: [UInt8]

    public init(id: ZoneID, pad: [UInt8]) {
      self.id = id
      self.pad = pad
    }
  }

  public var head: Head
  public var content: Content

  public init(head: Head, content: Content) {
    self.head = head
    self.content = content
  }

  public static let keyLength = 32
  public static let digestLength = 32
  public static let signatureLength = 64
  /// The most zones of a pack, for phones and servers alike.
  public static let maximumZones = 100_000
  /// The largest size of a file, in bytes.
  public static let maximumBytes = 64 << 20
  public static let maximumNameBytes = 1024
  public static let maximumAboutBytes = 16_384
  /// The most key changes in a pack. A follower of an older key has to follow the collection anew.
  public static let maximumKeyChanges = 16
}
