/// All that is known of one device, in the order in which it happened.
///
/// Whatever the order and however often its inputs are inserted, the events are the same.
public struct Timeline: Sendable {
  public let device: DeviceID
  public private(set) var events: [Event] = []

  public init(device: DeviceID, settings: Settings, zones: [Zone], armed: Bool = true) {
    self.device = device
  }

  /// - Returns: what became known and what turned out otherwise.
  @discardableResult
  public mutating func insert(_ inputs: [Input]) -> Change { Change(added: [], retracted: []) }

  /// Lets time pass to `now` with no further fix: repeats, dwells, schedules.
  @discardableResult
  public mutating func advance(to now: Instant) -> Change { Change(added: [], retracted: []) }

  public struct Change: Equatable, Sendable {
    public var added: [Event]
    public var retracted: [Event]
  }

  /// How one zone was judged at every evaluation, in order.
  public func explanations(of zone: ZoneID, in span: ClosedRange<Instant>) -> [Explanation] { [] }
}

/// Something told to the engine, with its own time.
public enum Input: Hashable, Sendable {
  case fix(Fix)
  case command(Command, at: Instant)
}

public enum Command: Hashable, Sendable {
  case activate
  case deactivate
  /// Notification gone, repeats go on.
  case close(AlarmID)
  case sleep(AlarmID)
  /// Quiet until the zone is left.
  case acknowledgeInside(AlarmID)
  /// Quiet until `until`, which the edge takes from the device's calendar.
  case acknowledgeForToday(AlarmID, until: Instant)
  case replaceZones([Zone])
}

/// A record of one evaluation: its inputs, its margins and the rule that decided.
public struct Explanation: Hashable, Sendable {
}
