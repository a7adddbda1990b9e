import AlarmEngine
import PAD

/// A collection that is given out as a signed pack to whoever has the address (S130).
public struct PublishedPack: Hashable, Sendable {
  public let collection: ZoneCollection
  /// The name of the account that publishes it.
  public let publisher: String
  /// What follows `/packs/`: not to be guessed.
  public let address: String
  /// Of the zones, as they were when it was last brought up to date.
  public let version: PackVersion
  /// When it was last brought up to date.
  public let madeAt: Instant
  /// How many zones it has.
  public let zoneCount: Int
  /// Whether the account's zones or the collection's words may be others by now.
  public let isStale: Bool

  public init(
    collection: ZoneCollection, publisher: String, address: String, version: PackVersion, madeAt: Instant,
    zoneCount: Int, isStale: Bool
  ) {
    self.collection = collection
    self.publisher = publisher
    self.address = address
    self.version = version
    self.madeAt = madeAt
    self.zoneCount = zoneCount
    self.isStale = isStale
  }
}

/// The private key with which an account signs its packs.
public struct StoredPackKey: Hashable, Sendable {
  public let secret: [UInt8]
  /// The statements by which earlier keys named the ones after them, the earliest first.
  public let changes: [[UInt8]]

  public init(secret: [UInt8], changes: [[UInt8]] = []) {
    self.secret = secret
    self.changes = changes
  }
}

/// A zone of a pack, or that one was in it.
public struct PackedZone: Hashable, Sendable {
  public let id: ZoneID
  /// With which it came to be as it is, or went.
  public let version: PackVersion
  /// Nil where it is no longer in the pack.
  public let pad: [UInt8]?

  public init(id: ZoneID, version: PackVersion, pad: [UInt8]?) {
    self.id = id
    self.version = version
    self.pad = pad
  }
}
