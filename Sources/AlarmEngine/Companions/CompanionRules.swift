import Geometry

/// The permanent id of a companion alarm.
public struct CompanionID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  /// Sixteen hexadecimal digits.
  public var description: String { hexadecimal(rawValue) }

  /// The id that stands for a zone in the alarm's events and in the ids of its alarms.
  public var zone: ZoneID { ZoneID(rawValue: rawValue) }
}

/// The event that makes a companion alarm ring.
public enum CompanionTrigger: UInt8, CaseIterable, Hashable, Sendable {
  /// The devices come within the distance.
  case within
  /// The devices were within the distance and are farther apart now.
  case apart
}

/// One of the two devices of a companion alarm.
public enum CompanionSide: UInt8, Hashable, Sendable {
  /// The device whose account set the alarm.
  case watcher
  case target

  var other: Self { self == .watcher ? .target : .watcher }
}

/// The rules of a companion alarm: the distance between two devices at which it rings, and the certainty it
/// needs.
public struct CompanionRules: Hashable, Sendable {
  public let companion: CompanionID
  /// The watcher's device; the alarms carry its id.
  public let device: DeviceID
  public let trigger: CompanionTrigger
  /// The distance between the devices. The alarm rings at this distance and below, or beyond it.
  public let distance: Distance
  public let assurance: Assurance
  /// The age from which on a position no longer counts: the device's position is then unknown.
  public let horizon: TimeSpan

  /// A phone's error hides a distance of less than a street's width.
  public static let allowedDistance = Distance.metres(10)...Distance.metres(1_000_000)
  public static let allowedHorizon = TimeSpan.minutes(2)...TimeSpan.hours(24)
  public static let defaultHorizon = TimeSpan.minutes(30)

  /// - Throws: the first fault: `.distanceOutOfRange` or `.horizonOutOfRange`.
  public init(
    companion: CompanionID, device: DeviceID, trigger: CompanionTrigger, distance: Distance,
    assurance: Assurance, horizon: TimeSpan = defaultHorizon
  ) throws(CompanionError) {
    guard Self.allowedDistance.contains(distance) else {
      throw .distanceOutOfRange(given: distance, allowed: Self.allowedDistance)
    }
    guard Self.allowedHorizon.contains(horizon) else {
      throw .horizonOutOfRange(given: horizon, allowed: Self.allowedHorizon)
    }
    self.companion = companion
    self.device = device
    self.trigger = trigger
    self.distance = distance
    self.assurance = assurance
    self.horizon = horizon
  }

  /// The equivalent rules of a zone's alarm. The host handles repeats.
  var zoneRules: ZoneRules {
    ZoneRules(
      device: device, zone: companion.zone,
      trigger: trigger == .within ? .enter(passingCounts: true) : .leave(),
      assurance: assurance, alertDistance: distance, sleepTime: .zero, cycleTime: .hours(24),
      repeatHorizon: .zero, isToldOnce: true)
  }
}

/// The reason why a companion alarm was refused.
public enum CompanionError: Error, Equatable, Sendable {
  case distanceOutOfRange(given: Distance, allowed: ClosedRange<Distance>)
  case horizonOutOfRange(given: TimeSpan, allowed: ClosedRange<TimeSpan>)
}
