import Geometry

/// Numbers of the certified policy. Every one can be set; the doc comments give the default's reason.
///
/// *Measured* defaults are from public traces of an iPhone 6 with iOS 12 (MobilityNet, 2019); *assumed* ones are to be
/// swept before anything is claimed of them.
public struct CertifiedParameters: Hashable, Sendable {
  /// The speed that the guarantee covers: unknown movement and vehicles (162 km/h). Trains: 90.
  public var greatestSpeed = Speed.metresPerSecond(45)
  /// Caps by what the motion hardware says; above a cyclist's and a runner's best.
  public var cyclingSpeed = Speed.metresPerSecond(15)
  public var runningSpeed = Speed.metresPerSecond(7)
  public var walkingSpeed = Speed.metresPerSecond(3.5)
  /// The motion hardware may be this late (assumed).
  public var motionDelay = TimeSpan.seconds(30)
  /// Charged for a rest: slow starts, lifts (assumed, 20 to 50 m).
  public var restAllowance = Distance.metres(30)
  /// After such a rest the phone sets off on foot, no faster than a runner, until the motion hardware has spoken
  /// (assumed: a vehicle that has stood so long is not waiting at a light).
  public var trustsRestAfter = TimeSpan.seconds(300)
  /// The same where it went on foot to where it rests.
  public var trustsStandingAfter = TimeSpan.seconds(60)
  /// After so long on foot, with a fix that shows it, the phone stays no faster than its word until the next one.
  public var trustsFootAfter = TimeSpan.seconds(60)
  /// What such a fix shows at most.
  public var footSpeed = Speed.metresPerSecond(3)
  /// A vehicle that has just stopped may go on so fast before it is told (assumed: a start in a town), unless it has stood
  /// longer than at a light.
  public var restartSpeed = Speed.metresPerSecond(15)
  public var restartsWithin = TimeSpan.seconds(150)
  /// Lateness accepted for fewer fixes: safety, normal, relaxed.
  public var safetyLateness = TimeSpan.seconds(0)
  public var normalLateness = TimeSpan.seconds(15)
  public var relaxedLateness = TimeSpan.seconds(60)
  /// With a low battery, relaxed zones and then normal ones accept so many times their lateness.
  public var savingFactor = 4.0
  /// Time to a fix: a receiver that was off (measured, 90 %), one used within `hotFor`.
  public var coldFix = TimeSpan.seconds(30)
  public var hotFix = TimeSpan.seconds(5)
  /// Between two fixes of a session that moves (measured: 1 s by half, 9.5 s by 95 %).
  public var sessionFix = TimeSpan.seconds(10)
  public var hotFor = TimeSpan.seconds(600)
  /// Time to a fix without satellites (measured, 90 %).
  public var networkFix = TimeSpan.seconds(3)
  /// Between two of them while satellites cannot be had: 1.3 J each are then less than a session's.
  public var networkPause = TimeSpan.seconds(10)
  /// A fix that states at most this is a good one by satellites, a poor one (between houses), or one by the network
  /// (measured).
  public var satelliteAccuracy = Distance.metres(20)
  public var poorSatelliteAccuracy = Distance.metres(50)
  /// Between two looks for poor satellites that shall settle a doubt together with the network.
  public var secondOpinionPause = TimeSpan.seconds(20)
  public var networkAccuracy = Distance.metres(100)
  /// From a fix to its handling.
  public var handling = TimeSpan.seconds(1)
  /// The time within which the system reports that a fence was left: 95 % of measured exits, and for safety 99 %
  /// (assumed).
  public var fenceDelay = TimeSpan.seconds(165)
  public var safetyFenceDelay = TimeSpan.seconds(300)
  /// Without Wi-Fi the system is so many times slower (assumed).
  public var fenceDelayWithoutWifi = 3.0
  /// Significant changes come at the latest after such a way (measured, 95 %) and time.
  public var significantDistance = Distance.metres(2500)
  public var significantDelay = TimeSpan.seconds(300)
  /// A warning shows itself when the application has not run for so long: when it should be awake, and
  /// when it may be suspended (assumed: a night at home stays silent).
  public var silenceAwake = TimeSpan.seconds(1800)
  public var silenceSuspended = TimeSpan.hours(12)
  /// A system's fence reacts this far beyond its circle, and is never smaller than `smallestFence`.
  public var fenceCushion = Distance.metres(60)
  public var smallestFence = Distance.metres(100)
  /// A session costs less than single fixes that are due within this time (energy of a fix over the
  /// power of a session: 5 J / 0.401 W).
  public var sessionBreakEven = TimeSpan.seconds(12.5)
  /// The same on foot, where fixes follow one another so soon that the receiver is warm: 2.8 J / 0.401 W.
  public var sessionBreakEvenOnFoot = TimeSpan.seconds(7)
  /// Fixes with later deadlines than twice that, in a row, before a session ends.
  public var fixesToLeaveSession = 3
  /// The distance up to which satellites are worth their energy (5 J for 15 m against 1.3 J for 100 m), and up to which
  /// Wi-Fi is (with the wake-up, 2 J for 140 m against 0.9 J for 3,000 m).
  public var satellitesWithin = Distance.metres(130)
  public var networkWithin = Distance.metres(5000)
  /// Parks after this rest; beside a zone that could be entered before the fence is heard of, after the longer one.
  public var parkAfter = TimeSpan.seconds(300)
  public var parkBesideAfter = TimeSpan.seconds(1200)
  /// Asks again so long after a fix that did not come; the last one over and over.
  public var retries = [TimeSpan.seconds(15), .seconds(30), .seconds(60)]
  /// Radius of the fence laid when parking, where the zones leave so much.
  public var parkingFence = Distance.metres(200)
  /// Beside it, where a zone is nearer than `asideWithin`: so many of the smallest fences, their middles this far aside
  /// in as many directions. Whoever moves leaves the one on the other side sooner than a fence round himself.
  public var asideFences = 8
  public var asideBy = Distance.metres(75)
  public var asideWithin = Distance.metres(400)
  /// Between two looks at a zone that rang, for its way out.
  public var clearingPause = TimeSpan.seconds(30)
  /// Fixes asked for by a phone at rest before it is left at that, if none of them settles where it is.
  public var looksAtRest = 6
  /// Looks at least this often, should the motion hardware fall silent.
  public var longestSilence = TimeSpan.hours(6)
  /// The speed by which a fix may state more than the motion hardware's word allows.
  public var speedSlack = Speed.metresPerSecond(2)
  /// How far two fixes may lie apart whatever their errors say, and the time in which a suspect position can be
  /// confirmed.
  public var suspectSlack = Distance.metres(50)
  public var suspectTime = TimeSpan.seconds(10)

  public init() {}

  /// The greatest speed that the motion hardware's word allows.
  public func cap(_ motion: Motion) -> Speed {
    switch motion {
    case .still: .zero
    case .walking: min(walkingSpeed, greatestSpeed)
    case .running: min(runningSpeed, greatestSpeed)
    case .cycling: min(cyclingSpeed, greatestSpeed)
    case .driving, .unknown: greatestSpeed
    }
  }

  func lateness(_ assurance: Assurance, _ battery: Capabilities.Battery) -> TimeSpan {
    switch assurance {
    case .safety: safetyLateness
    case .normal: normalLateness * (battery == .veryLow ? savingFactor : 1)
    case .relaxed: relaxedLateness * (battery == .full ? 1 : savingFactor)
    }
  }

  /// The time in which the phone can still move after it left a fence, until a fix has been handled.
  func run(_ assurance: Assurance, wifi: Bool) -> TimeSpan {
    let delay = assurance == .safety ? safetyFenceDelay : fenceDelay
    return delay * (wifi ? 1 : fenceDelayWithoutWifi) + coldFix + handling
  }
}
