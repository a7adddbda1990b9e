import AlarmEngine
import PAD

/// A collection that is published as a signed pack, open to anybody who has the address (S130).
public struct PublishedPack: Hashable, Sendable {
  public let collection: ZoneCollection
  /// The name of the account that publishes it.
  public let publisher: String
  /// The random part of the address after `/packs/`; it cannot be guessed.
  public let address: String
  /// The version of the zones at the last update.
  public let version: PackVersion
  /// When the pack was last updated.
  public let madeAt: Instant
  /// The number of zones in the pack.
  public let zoneCount: Int
  /// True if the account's zones or the collection's texts may have changed since.
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
  /// The statements in which each earlier key names its successor, the earliest first.
  public let changes: [[UInt8]]

  public init(secret: [UInt8], changes: [[UInt8]] = []) {
    self.secret = secret
    self.changes = changes
  }
}

/// A zone of a pack, or a record that the zone was removed from it.
public struct PackedZone: Hashable, Sendable {
  public let id: ZoneID
  /// The version that last changed or removed the zone.
  public let version: PackVersion
  /// The zone as PAD; nil if it is no longer in the pack.
  public let pad: [UInt8]?

  public init(id: ZoneID, version: PackVersion, pad: [UInt8]?) {
    self.id = id
    self.version = version
    self.pad = pad
  }
}
