import AlarmEngine

/// An event of a device's engine, for its history.
public struct DeviceEvent: Hashable, Sendable {
  public let device: DeviceID
  public let event: Event
  /// True if the event was retracted.
  public let isRetracted: Bool

  public init(device: DeviceID, event: Event, isRetracted: Bool = false) {
    self.device = device
    self.event = event
    self.isRetracted = isRetracted
  }
}
