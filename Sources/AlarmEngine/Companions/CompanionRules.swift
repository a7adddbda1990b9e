import Geometry

/// Names one companion alarm, everywhere and for ever.
public struct CompanionID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  /// Sixteen hexadecimal digits.
  public var description: String { hexadecimal(rawValue) }

  /// What stands in place of a zone in the alarm's events and in the ids of its alarms.
  public var zone: ZoneID { ZoneID(rawValue: rawValue) }
}

/// When a companion alarm rings.
public enum CompanionTrigger: UInt8, CaseIterable, Hashable, Sendable {
  /// The two come within the distance.
  case within
  /// The two were within the distance and are farther apart now.
  case apart
}

/// One of the two devices of a companion alarm.
public enum CompanionSide: UInt8, Hashable, Sendable {
  /// The device whose account set the alarm.
  case watcher
  case target

  var other: Self { self == .watcher ? .target : .watcher }
}

/// What a companion alarm follows: which distance between two devices rings, and how sure that has to be.
public struct CompanionRules: Hashable, Sendable {
  public let companion: CompanionID
  /// The watcher's; alarms carry its id.
  public let device: DeviceID
  public let trigger: CompanionTrigger
  /// Between the two devices. The alarm rings at and below it, or beyond it.
  public let distance: Distance
  public let assurance: Assurance
  /// A position older than this says nothing any more: the device's place is unknown.
  public let horizon: TimeSpan

  /// Less than a street's width cannot be told from a phone's error.
  public static let allowedDistance = Distance.metres(10)...Distance.metres(1_000_000)
  public static let allowedHorizon = TimeSpan.minutes(2)...TimeSpan.hours(24)
  public static let defaultHorizon = TimeSpan.minutes(30)

  /// - Throws: what is wrong first: `.distanceOutOfRange`, `.horizonOutOfRange`.
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

  /// Those of a zone's alarm that does the same. Repeats are the host's.
  var zoneRules: ZoneRules {
    ZoneRules(
      device: device, zone: companion.zone,
      trigger: trigger == .within ? .enter(passingCounts: true) : .leave,
      assurance: assurance, alertDistance: distance, sleepTime: .zero, cycleTime: .hours(24),
      repeatHorizon: .zero, isToldOnce: true)
  }
}

/// Why a companion alarm was refused.
public enum CompanionError: Error, Equatable, Sendable {
  case distanceOutOfRange(given: Distance, allowed: ClosedRange<Distance>)
  case horizonOutOfRange(given: TimeSpan, allowed: ClosedRange<TimeSpan>)
}
