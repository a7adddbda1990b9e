import AlarmEngine

/// The id of an import of tracks.
public struct TrackImportID: StoreID {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// A file of past positions that was added, or is being added, to a device's history.
public struct TrackImport: Hashable, Sendable {
  /// The raw values are stored in the database: add new ones, never change one.
  public enum State: UInt8, Hashable, Sendable, CaseIterable {
    /// Also the state of an import whose process was killed; `changedAt` then stops advancing.
    case reading = 1
    case done = 2
    /// A person stopped it. Fixes added before that stay.
    case stopped = 3
    /// It failed; `detail` has the reason. Fixes added before that stay.
    case failed = 4
  }
  public let id: TrackImportID
  public let device: DeviceID
  /// The name of the file, for people.
  public let name: String
  public let startedAt: Instant
  public var changedAt: Instant
  public var state = State.reading
  /// The share of the file that has been read, 0 to 1; nil if its length is unknown.
  public var share: Double?
  /// Fixes read from the file so far.
  public var fixesRead = 0
  /// Fixes that the history did not have.
  public var fixesAdded = 0
  /// When the earliest and the latest of the added fixes were measured.
  public var first: Instant?
  public var last: Instant?
  /// The parts left out with the reasons, or the reason for the failure; one sentence per line.
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
  /// The most imports of one device.
  public static let most = 1000
  /// Fixes whose times differ by less than this are the same fix.
  public static let sameWithin = TimeSpan.seconds(1)
}
