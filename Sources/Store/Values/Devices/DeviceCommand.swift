import AlarmEngine

/// An answer to an alarm, or another command, given to a device's engine.
public struct DeviceCommand: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case activate
    case deactivate
    case close(AlarmID)
    case sleep(AlarmID)
    case acknowledgeInside(AlarmID)
    case acknowledgeForToday(AlarmID, until: Instant)
    /// The zones became those of that revision.
    case replaceZones(Revision)
  }
  public let device: DeviceID
  public let at: Instant
  public let kind: Kind
  /// The person or channel that gave it, as the server names them.
  public let by: String
  /// The id that the engine gives the answered alarm now; nil if it is the alarm's own. See `AlarmRecord.engineID`.
  public let engineID: AlarmID?

  public init(device: DeviceID, at: Instant, kind: Kind, by: String, engineID: AlarmID? = nil) {
    self.device = device
    self.at = at
    self.kind = kind
    self.by = by
    self.engineID = engineID
  }
}
