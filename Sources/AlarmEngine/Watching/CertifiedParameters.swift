/// Numbers of the certified policy. Every one can be set; the doc comments give the default's reason.
public struct CertifiedParameters: Hashable, Sendable {
  /// Metres a second that the guarantee covers: unknown movement and vehicles (162 km/h).
  public var greatestSpeed = 45.0
  /// Caps by what the motion hardware says, metres a second; above a cyclist's and a runner's best.
  public var cyclingSpeed = 15.0
  public var runningSpeed = 7.0
  public var walkingSpeed = 3.5
  /// The motion hardware may be this late, seconds; that stretch is charged at the greatest speed.
  public var motionDelay = 30.0
  /// Metres charged for a rest: slow starts, lifts.
  public var restAllowance = 30.0
  /// Lateness accepted for fewer fixes, seconds: safety, normal, relaxed.
  public var safetyLateness = 0.0
  public var normalLateness = 10.0
  public var relaxedLateness = 60.0
  /// Time to a fix, seconds: a receiver that was off, one used within `hotFor`, one that runs.
  public var coldFix = 30.0
  public var hotFix = 5.0
  public var sessionFix = 1.0
  public var hotFor = 600.0
  /// Time to a fix without satellites, seconds.
  public var networkFix = 3.0
  /// From a fix to its handling, seconds.
  public var handling = 1.0
  /// Seconds within which the system reports that a fence was left: 95 % of measured exits, and for safety 99 %.
  public var fenceDelay = 165.0
  public var safetyFenceDelay = 300.0
  /// A system's fence reacts this far beyond its circle, metres, and is never smaller than `smallestFence`.
  public var fenceCushion = 60.0
  public var smallestFence = 100.0
  /// A session costs less than single fixes that are due within this time, seconds (energy of a fix over the
  /// power of a session).
  public var sessionBreakEven = 12.5
  /// Fixes with later deadlines than twice that, in a row, before a session ends.
  public var fixesToLeaveSession = 3
  /// Metres up to which satellites are worth their energy, and up to which Wi-Fi is against cells.
  public var satellitesWithin = 130.0
  public var networkWithin = 1850.0
  /// Parks after this rest, seconds.
  public var parkAfter = 300.0
  /// Asks again after a fix that did not come, seconds; the last one over and over.
  public var retries = [15.0, 30, 60]
  /// A safety zone's session goes on while parked.
  public var parksSafety = false

  public init() {}

  func cap(_ motion: Motion) -> Double {
    switch motion {
    case .still: 0
    case .walking: walkingSpeed
    case .running: runningSpeed
    case .cycling: cyclingSpeed
    case .driving, .unknown: greatestSpeed
    }
  }

  func lateness(_ assurance: Assurance) -> Double {
    switch assurance {
    case .safety: safetyLateness
    case .normal: normalLateness
    case .relaxed: relaxedLateness
    }
  }
}
