import AlarmEngine

/// Names an import of tracks.
public struct TrackImportID: StoreID {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// A file of the past that was, or is being, added to a device's history.
public struct TrackImport: Hashable, Sendable {
  /// Numbers stand in the database: added, never changed.
  public enum State: UInt8, Hashable, Sendable, CaseIterable {
    /// Also of one whose process was killed: `changedAt` tells.
    case reading = 1
    case done = 2
    /// By a person; what was added by then stays.
    case stopped = 3
    /// `detail` says why; what was added by then stays.
    case failed = 4
  }
  public let id: TrackImportID
  public let device: DeviceID
  /// The file's, for people.
  public let name: String
  public let startedAt: Instant
  public var changedAt: Instant
  public var state = State.reading
  /// How much of the file has been read, 0 to 1; nil where its length is not known.
  public var share: Double?
  /// Fixes that the file had so far.
  public var fixesRead = 0
  /// Those that the history did not have.
  public var fixesAdded = 0
  /// Of those added: when the earliest and the latest were measured.
  public var first: Instant?
  public var last: Instant?
  /// What was left out and why, or why it failed; a sentence a line.
  public var detail = ""

  public init(id: TrackImportID = .random(), device: DeviceID, name: String, startedAt: Instant) {
    self.id = id
    self.device = device
    self.name = name
    self.startedAt = startedAt
    changedAt = startedAt
  }
}

extension TrackImport {
  /// Of one device.
  public static let most = 1000
  /// Fixes nearer than this in time are one.
  public static let sameWithin = TimeSpan.seconds(1)
}
