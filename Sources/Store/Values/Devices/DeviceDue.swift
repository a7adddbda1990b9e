import AlarmEngine

/// The time at which a device has to be processed even if it reports nothing.
public struct DeviceDue: Hashable, Sendable {
  public let device: DeviceID
  /// Nil if nothing is due.
  public let at: Instant?
  /// The mark under which the device was found due and has been processed. Nil if it was not processed
  /// because it was due; the stored time is then replaced by an earlier one only.
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

/// A device that is due, with the mark to name when it has been processed.
public struct DueDevice: Hashable, Sendable {
  public let device: DeviceID
  public let mark: DueMark
  public let at: Instant
  public init(device: DeviceID, mark: DueMark, at: Instant) {
    self.device = device
    self.mark = mark
    self.at = at
  }
}
