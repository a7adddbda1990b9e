import AlarmEngine
import PAD

/// The zones of one collection as its publisher gives them out: all of them, or what has changed since an earlier version.
///
/// What is here knows no cryptography: ``SealedPack`` parts a file into what was signed and the signature, and the module
/// `Packs` signs and checks. `docs/packs.md` has the bytes.
public struct ZonePack: Hashable, Sendable {
  /// What is said of the whole, also by a pack of changes.
  public struct Head: Hashable, Sendable {
    /// Ed25519, 32 bytes.
    public var publicKey: [UInt8]
    /// The collection's id, the same in all its versions.
    public var collection: UInt64
    /// Goes up with each change.
    public var version: PackVersion
    public var madeAt: Instant
    /// Who follows it shall have asked again by then; afterwards it is out of date.
    public var renewBy: Instant
    public var name: String
    /// What it is for.
    public var about: String
    /// Who publishes it.
    public var publisher: String
    /// SHA-256 of all the zones at this version, as ``ZonePack/zoneBytes(_:)`` writes them. A pack of changes must come to
    /// the same.
    public var digest: [UInt8]
    /// How the publisher came to this key from earlier ones, the earliest first; at most ``ZonePack/maximumKeyChanges``.
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
    /// What changed since a version: zones that are new or say something else, and the ids of those that are gone.
    /// Both ascending by id, and none in both.
    case changes(since: PackVersion, changed: [Entry], removed: [ZoneID])
  }

  /// One zone, as PAD: the bytes are kept as they were signed.
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
  /// A phone watches no more, and a server gives out no more.
  public static let maximumZones = 100_000
  /// Of a whole file.
  public static let maximumBytes = 64 << 20
  public static let maximumNameBytes = 1024
  public static let maximumAboutBytes = 16_384
  /// Whoever follows a key that is further back has to follow anew.
  public static let maximumKeyChanges = 16
}
