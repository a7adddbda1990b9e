import Geometry

/// The parameters of the certified policy. All can be set; the doc comments give the reasons for the
/// defaults.
///
/// *Measured* defaults are from public traces of an iPhone 6 with iOS 12 (MobilityNet, 2019). *Assumed* ones
/// must be swept before anything is claimed of them.
public struct CertifiedParameters: Hashable, Sendable {
  /// The speed up to which the guarantee holds: unknown movement and vehicles (162 km/h). Trains: 90.
  public var greatestSpeed = Speed.metresPerSecond(45)
  /// The acceleration up to which the guarantee holds, metres a second, each second (assumed: a car at full
  /// throttle gains 100 km/h in 9 s).
  public var greatestAcceleration = 3.0
  /// The greatest error of the speed that a fine fix states (assumed).
  public var speedError = Speed.metresPerSecond(2)
  /// Speed limits by the motion that the hardware reports: above the best of cyclists and runners.
  public var cyclingSpeed = Speed.metresPerSecond(15)
  public var runningSpeed = Speed.metresPerSecond(7)
  public var walkingSpeed = Speed.metresPerSecond(3.5)
  /// The longest delay of the motion hardware (assumed).
  public var motionDelay = TimeSpan.seconds(30)
  /// Distance charged for a rest: slow starts, lifts (assumed, 20 to 50 m).
  public var restAllowance = Distance.metres(30)
  /// After a rest of this length, the phone is assumed to set off on foot, no faster than a runner, until the
  /// motion hardware reports otherwise (assumed: a vehicle that has stood so long is not waiting at a light).
  public var trustsRestAfter = TimeSpan.seconds(300)
  /// The same after a rest to which the phone came on foot.
  public var trustsStandingAfter = TimeSpan.seconds(60)
  /// After this time on foot, and with a fix that shows it, the phone is assumed to stay within the walker's
  /// or runner's limit until the motion hardware reports otherwise.
  public var trustsFootAfter = TimeSpan.seconds(60)
  /// The greatest speed that such a fix may show.
  public var footSpeed = Speed.metresPerSecond(3)
  /// A vehicle that has just stopped may go on at this speed before the motion hardware reports it (assumed:
  /// a start in a town), for `restartsWithin`, which is longer than a red light.
  public var restartSpeed = Speed.metresPerSecond(15)
  public var restartsWithin = TimeSpan.seconds(150)
  /// Lateness accepted to save fixes: safety, normal, relaxed zones.
  public var safetyLateness = TimeSpan.seconds(0)
  public var normalLateness = TimeSpan.seconds(10)
  public var relaxedLateness = TimeSpan.seconds(60)
  /// The factor of the accepted lateness: for relaxed zones with a low battery, and also for normal ones with
  /// a very low one.
  public var savingFactor = 4.0
  /// Time to a fix (measured, 90 %): from a receiver that was off, and from one used within `hotFor`.
  public var coldFix = TimeSpan.seconds(30)
  public var hotFix = TimeSpan.seconds(5)
  /// Time between two fixes of a session while the phone moves (measured: half within 1 s, 95 % within 9.5
  /// s).
  public var sessionFix = TimeSpan.seconds(10)
  public var hotFor = TimeSpan.seconds(600)
  /// Time to a fix without satellites (measured, 90 %).
  public var networkFix = TimeSpan.seconds(3)
  /// Time between two network fixes while there are no satellites. At 1.3 J each they then cost a sixth of a
  /// session.
  public var networkPause = TimeSpan.seconds(20)
  /// The length of a search for satellites after one that failed.
  public var shortSearch = TimeSpan.seconds(10)
  /// The greatest stated error of a good satellite fix, of a poor one (between houses), and of a network fix
  /// (measured).
  public var satelliteAccuracy = Distance.metres(20)
  public var poorSatelliteAccuracy = Distance.metres(50)
  /// Time between two requests for poor satellite fixes that are combined with network fixes.
  public var secondOpinionPause = TimeSpan.seconds(20)
  public var networkAccuracy = Distance.metres(100)
  /// Time from a fix to the end of its handling.
  public var handling = TimeSpan.seconds(1)
  /// The system's delay in reporting the exit from a fence: 95 % of measured exits, and for safety zones 99 %
  /// (assumed).
  public var fenceDelay = TimeSpan.seconds(165)
  public var safetyFenceDelay = TimeSpan.seconds(300)
  /// The factor of that delay without Wi-Fi (assumed).
  public var fenceDelayWithoutWifi = 3.0
  /// A significant change comes at the latest after this distance (measured, 95 %) and this time.
  public var significantDistance = Distance.metres(2500)
  public var significantDelay = TimeSpan.seconds(300)
  /// A warning appears if the application has not run for this time: while it should be awake, and while it
  /// may be suspended (assumed: a night at home causes no warning).
  public var silenceAwake = TimeSpan.seconds(1800)
  public var silenceSuspended = TimeSpan.hours(12)
  /// The system reports an exit only this far beyond the circle, and enlarges fences below `smallestFence`.
  public var fenceCushion = Distance.metres(60)
  public var smallestFence = Distance.metres(100)
  /// A session costs less than single fixes that are due within this time (energy of a fix over power of a
  /// session: 5 J / 0.401 W).
  public var sessionBreakEven = TimeSpan.seconds(12.5)
  /// The same for a receiver that was used within `hotFor`: 2.8 J / 0.401 W.
  public var sessionBreakEvenWarm = TimeSpan.seconds(7)
  /// The number of fixes in a row, due later than twice that time, that ends a session.
  public var fixesToLeaveSession = 2
  /// Satellites are worth their energy up to this distance from a zone (5 J for 15 m against
  /// 1.3 J for 100 m), and Wi-Fi up to `networkWithin` (with the wake-up, 2 J for 140 m against 0.9 J for
  /// 3,000 m).
  public var satellitesWithin = Distance.metres(130)
  public var networkWithin = Distance.metres(5000)
  /// The rest after which the phone parks, and the longer one beside a zone that could be entered before the
  /// system reports the exit from the fence.
  public var parkAfter = TimeSpan.seconds(300)
  public var parkBesideAfter = TimeSpan.seconds(1200)
  /// The pauses after failed requests; the last one repeats.
  public var retries = [TimeSpan.seconds(15), .seconds(30), .seconds(60)]
  /// The radius of the parking fence, where the zones leave enough room.
  public var parkingFence = Distance.metres(200)
  /// Further fences, where a zone is within `asideWithin`: `asideFences` of the smallest size, with their
  /// centres `asideBy` away in as many directions. A phone that moves leaves the fence behind it sooner than
  /// one around itself.
  public var asideFences = 8
  public var asideBy = Distance.metres(75)
  public var asideWithin = Distance.metres(400)
  /// Time between two fixes that show if the phone has left a zone that rang.
  public var leavingPause = TimeSpan.seconds(60)
  /// Time between two fixes that show if the phone is still where a time inside or outside runs. Also the least
  /// pause before a look at rest, and before fixes on the way to a zone with a lead time.
  public var clearingPause = TimeSpan.seconds(30)
  /// The number of fixes that a phone at rest requests if none of them shows where it is.
  public var looksAtRest = 6
  /// The longest time between two fixes while the phone can wake itself, in case the motion hardware stays
  /// silent.
  public var longestSilence = TimeSpan.hours(6)
  /// The excess of a fix's stated speed over the limit of the reported motion that does not yet refute that
  /// motion.
  public var speedSlack = Speed.metresPerSecond(2)
  /// The distance allowed between two fixes beyond their errors. A suspect position can be confirmed within
  /// `suspectTime` and a `coldFix`.
  public var suspectSlack = Distance.metres(50)
  public var suspectTime = TimeSpan.seconds(10)

  public init() {}

  /// Returns the greatest speed that the reported motion allows.
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

  /// Returns for how long the phone can move after it left a fence, until a fix has been handled.
  func run(_ assurance: Assurance, wifi: Bool) -> TimeSpan {
    let delay = assurance == .safety ? safetyFenceDelay : fenceDelay
    return delay * (wifi ? 1 : fenceDelayWithoutWifi) + coldFix + handling
  }
}
