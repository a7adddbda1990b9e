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
  /// With a low battery, relaxed zones and then normal ones accept so many times their lateness.
  public var savingFactor = 4.0
  /// Time to a fix, seconds: a receiver that was off (measured, 90 %), one used within `hotFor`.
  public var coldFix = 30.0
  public var hotFix = 5.0
  /// Between two fixes of a session that moves (measured: 1 s by half, 9.5 s by 95 %).
  public var sessionFix = 10.0
  public var hotFor = 600.0
  /// Time to a fix without satellites, seconds (measured, 90 %).
  public var networkFix = 3.0
  /// Between two of them while satellites cannot be had, seconds: 1.3 J each are then less than a session's.
  public var networkPause = 10.0
  /// A fix that states at most this is one by satellites, or one by the network (measured), metres.
  public var satelliteAccuracy = 20.0
  public var networkAccuracy = 100.0
  /// From a fix to its handling, seconds.
  public var handling = 1.0
  /// Seconds within which the system reports that a fence was left: 95 % of measured exits, and for safety 99 %
  /// (assumed).
  public var fenceDelay = 165.0
  public var safetyFenceDelay = 300.0
  /// Without Wi-Fi the system is so many times slower (assumed).
  public var fenceDelayWithoutWifi = 3.0
  /// Significant changes come at the latest after so many metres (measured, 95 %) and seconds.
  public var significantDistance = 2500.0
  public var significantDelay = 300.0
  /// A warning shows itself when the application has not run for so long, seconds: when it should be awake, and
  /// when it may be suspended (assumed: a night at home stays silent).
  public var silenceAwake = 1800.0
  public var silenceSuspended = 12 * 3600.0
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
  /// Metres of the fence laid when parking, where the zones leave so much.
  public var parkingFence = 200.0
  /// A safety zone lets the phone park only so far away that nobody slower than this, metres a second, can be in it
  /// before the application runs again (assumed: a car in a town).
  public var parkingSpeed = 15.0
  /// A safety zone allows parking as near as any other.
  public var parksSafety = false
  /// Between two looks at a zone that rang, for its way out, seconds.
  public var clearingPause = 30.0
  /// Looks at least this often, seconds, should the motion hardware fall silent.
  public var longestSilence = 6.0 * 3600
  /// Metres a second by which a fix may state more than the motion hardware's word allows.
  public var speedSlack = 2.0
  /// Metres that two fixes may lie apart whatever their errors say, and the time in which a suspect position can be
  /// confirmed, seconds.
  public var suspectSlack = 50.0
  public var suspectTime = 10.0

  public init() {}

  /// The greatest speed that the motion hardware's word allows, metres a second.
  public func cap(_ motion: Motion) -> Double {
    switch motion {
    case .still: 0
    case .walking: min(walkingSpeed, greatestSpeed)
    case .running: min(runningSpeed, greatestSpeed)
    case .cycling: min(cyclingSpeed, greatestSpeed)
    case .driving, .unknown: greatestSpeed
    }
  }

  /// Seconds.
  func lateness(_ assurance: Assurance, _ battery: Capabilities.Battery) -> Double {
    switch assurance {
    case .safety: safetyLateness
    case .normal: normalLateness * (battery == .veryLow ? savingFactor : 1)
    case .relaxed: relaxedLateness * (battery == .full ? 1 : savingFactor)
    }
  }

  func isStrict(_ assurance: Assurance) -> Bool { assurance == .safety && !trustsMotionForSafety }

  /// Seconds in which the phone can still move after it left a fence, until a fix has been handled.
  func run(_ assurance: Assurance, wifi: Bool) -> Double {
    let delay = assurance == .safety ? safetyFenceDelay : fenceDelay
    return delay * (wifi ? 1 : fenceDelayWithoutWifi) + coldFix + handling
  }
}
