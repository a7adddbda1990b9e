/// Numbers of the certified policy. Every one can be set; the doc comments give the default's reason.
///
/// *Measured* defaults are from public traces of an iPhone 6 with iOS 12 (MobilityNet, 2019); *assumed* ones are to be
/// swept before anything is claimed of them.
public struct CertifiedParameters: Hashable, Sendable {
  /// Metres a second that the guarantee covers: unknown movement and vehicles (162 km/h). Trains: 90.
  public var greatestSpeed = 45.0
  /// Caps by what the motion hardware says, metres a second; above a cyclist's and a runner's best.
  public var cyclingSpeed = 15.0
  public var runningSpeed = 7.0
  public var walkingSpeed = 3.5
  /// The motion hardware may be this late, seconds (assumed).
  public var motionDelay = 30.0
  /// Metres charged for a rest: slow starts, lifts (assumed, 20 to 50).
  public var restAllowance = 30.0
  /// A safety zone's lateness may lean on the motion hardware's word too: later by its delay, for far fewer fixes.
  public var trustsMotionForSafety = false
  /// Lateness accepted for fewer fixes, seconds: safety, normal, relaxed.
  public var safetyLateness = 0.0
  public var normalLateness = 10.0
  public var relaxedLateness = 60.0
  /// With a low battery, normal and relaxed zones accept so many times their lateness.
  public var savingFactor = 4.0
  /// Time to a fix, seconds: a receiver that was off (measured, 90 %), one used within `hotFor`, one that runs.
  public var coldFix = 30.0
  public var hotFix = 5.0
  public var sessionFix = 1.0
  public var hotFor = 600.0
  /// Time to a fix without satellites, seconds (measured, 90 %).
  public var networkFix = 3.0
  /// From a fix to its handling, seconds.
  public var handling = 1.0
  /// Seconds within which the system reports that a fence was left: 95 % of measured exits, and for safety 99 %
  /// (assumed).
  public var fenceDelay = 165.0
  public var safetyFenceDelay = 300.0
  /// Without Wi-Fi the system is so many times slower (assumed).
  public var fenceDelayWithoutWifi = 3.0
  /// A system's fence reacts this far beyond its circle, metres, and is never smaller than `smallestFence`.
  public var fenceCushion = 60.0
  public var smallestFence = 100.0
  /// A session costs less than single fixes that are due within this time, seconds (energy of a fix over the
  /// power of a session: 5 J / 0.401 W).
  public var sessionBreakEven = 12.5
  /// Fixes with later deadlines than twice that, in a row, before a session ends.
  public var fixesToLeaveSession = 3
  /// Metres up to which satellites are worth their energy (5 J for 15 m against 1.3 J for 100 m), and up to which
  /// Wi-Fi is (1 J for 100 m against 0.2 J for 1,500 m).
  public var satellitesWithin = 130.0
  public var networkWithin = 1850.0
  /// Parks after this rest, seconds.
  public var parkAfter = 300.0
  /// Asks again after a fix that did not come, seconds; the last one over and over.
  public var retries = [15.0, 30, 60]
  /// A safety zone's session does not forbid parking.
  public var parksSafety = false
  /// Between two looks at a zone that rang, for its way out, seconds.
  public var clearingPause = 30.0
  /// Looks at least this often, seconds, should the motion hardware fall silent.
  public var longestSilence = 6.0 * 3600
  /// Metres that two fixes may lie apart whatever their errors say, and the time in which a suspect position can be
  /// confirmed, seconds.
  public var suspectSlack = 50.0
  public var suspectTime = 10.0

  public init() {}

  /// Metres a second.
  func cap(_ motion: Motion) -> Double {
    switch motion {
    case .still: 0
    case .walking: min(walkingSpeed, greatestSpeed)
    case .running: min(runningSpeed, greatestSpeed)
    case .cycling: min(cyclingSpeed, greatestSpeed)
    case .driving, .unknown: greatestSpeed
    }
  }

  /// Seconds.
  func lateness(_ assurance: Assurance, saving: Bool) -> Double {
    let factor = saving ? savingFactor : 1
    switch assurance {
    case .safety: return safetyLateness
    case .normal: return normalLateness * factor
    case .relaxed: return relaxedLateness * factor
    }
  }

  func isStrict(_ assurance: Assurance) -> Bool { assurance == .safety && !trustsMotionForSafety }

  /// Seconds in which the phone can still move after it left a fence, until a fix has been handled.
  func run(_ assurance: Assurance, wifi: Bool) -> Double {
    let delay = assurance == .safety ? safetyFenceDelay : fenceDelay
    return delay * (wifi ? 1 : fenceDelayWithoutWifi) + coldFix + handling
  }
}
