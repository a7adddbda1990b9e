import Geometry

/// Something that happened, at its own time.
public struct Event: Hashable, Sendable {
  /// The true time: interpolated where a crossing lies between two fixes.
  public let time: Instant
  /// The time of the fix or timer that decided it; not before `time`.
  public let decidedAt: Instant
  /// When the event could first be known: the arrival of the deciding fix. Later than `decidedAt` if that fix
  /// came late.
  public let learnedAt: Instant
  public let kind: Kind

  public enum Kind: Hashable, Sendable {
    /// The alarm rings for the first time, or again after sleep.
    case alarm(AlarmReport)
    /// The alarm repeats after the Alarm Cycle Time.
    case `repeat`(AlarmReport)
    case cleared(AlarmReport, Clearing)
    /// No fix came while the phone was inside the danger margin of a zone.
    case missedSignal(zone: ZoneID, distance: Distance, position: Coordinate)
    case ignored(Fix, Ignored)
    /// The phone is perhaps inside. A person is told without sound, and no alarm begins. `probability` is 0
    /// to 1.
    case perhaps(zone: ZoneID, distance: Distance, position: Coordinate, probability: Double)
    /// The zone's notice is due to be shown.
    case notice(zone: ZoneID)
    /// A message for all zones that rang at this moment. A person has to press send.
    case proposal(MessageProposal)
  }

  public init(time: Instant, decidedAt: Instant, learnedAt: Instant, kind: Kind) {
    self.time = time
    self.decidedAt = decidedAt
    self.learnedAt = learnedAt
    self.kind = kind
  }
}

/// An alarm, and the position of the phone at the event.
public struct AlarmReport: Hashable, Sendable {
  public let alarm: AlarmID
  public let zone: ZoneID
  public let cause: Cause
  /// The signed distance to the zone's effective edge (inset applied); negative inside.
  public let distance: Distance
  public let position: Coordinate
  public init(alarm: AlarmID, zone: ZoneID, cause: Cause, distance: Distance, position: Coordinate) {
    self.alarm = alarm
    self.zone = zone
    self.cause = cause
    self.distance = distance
    self.position = position
  }

  func moved(to position: Coordinate, distance: Distance) -> Self {
    Self(alarm: alarm, zone: zone, cause: cause, distance: distance, position: position)
  }
}

public enum Cause: UInt8, Hashable, Sendable {
  case inside, near, passed, dwell, left, possible
}

/// The reason why an alarm ended.
public enum Clearing: UInt8, Hashable, Sendable {
  /// The phone left, with hysteresis; for a leave alarm, it came back.
  case left
  /// The phone had passed through already when the alarm rang.
  case passedThrough
  case deactivated
  case zoneRemoved
  /// Its zone was redrawn elsewhere or switched off.
  case zoneEdited
  case scheduleClosed
  /// The device reports again. Ends alarms about a lost signal or a silent device, never those of zones.
  case reported
}
