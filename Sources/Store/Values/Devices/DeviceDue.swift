import AlarmEngine

/// When a device has to be looked at again if nothing comes from it.
public struct DeviceDue: Hashable, Sendable {
  public let device: DeviceID
  /// Nil: not at all.
  public let at: Instant?
  /// What was seen when the device was found to be due, and has been looked at since. Nil: nobody looked; only an
  /// earlier time than the stored one is written.
  public let seen: DueMark?

  public init(device: DeviceID, at: Instant?, seen: DueMark? = nil) {
    self.device = device
    self.at = at
    self.seen = seen
  }
}

/// A number that changes whenever the device's zones or settings change. Compare it before clearing the due time, so that
/// a change made during processing is not missed.
public struct DueMark: Hashable, Sendable {
  public let rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
}

/// A device that has to be looked at.
public struct DueDevice: Hashable, Sendable {
  public let device: DeviceID
  public let mark: DueMark
  public init(device: DeviceID, mark: DueMark) {
    self.device = device
    self.mark = mark
  }
}
