/// All figures of a phone's behaviour; ``catalogue`` gives the evidence and range of each. Counts and
/// switches are numbers too, so that an evaluation can sweep them in the same way.
public struct PhoneParameters: Hashable, Sendable {
  // MARK: Regions

  /// Regions of all kinds that one application may monitor. D [A-startMonitoring, A-proximity].
  public var regionLimit = 20.0
  /// Smaller regions behave as if they had this radius. R [HA-784, HA-178].
  public var smallestRegionRadiusMetres = 100.0
  /// Registrations with a larger radius fail. A: the value is not published; negative means unsupported.
  public var maximumRegionRadiusMetres = 70_000.0
  /// How far beyond the boundary an exit counts. A; the documents say "assume about 200 m" [A-LMPG].
  public var exitCushionMetres = 60.0
  /// How far inside the boundary an entry counts, at most half the radius. A: none, because entries are
  /// reported at the boundary [HA-784].
  public var entryCushionMetres = 0.0
  /// How long the phone must stay beyond the cushion. D [A-LMPG].
  public var crossingDwellSeconds = 20.0
  /// From the true crossing to the exit event. M* (n = 20), its ends A.
  public var exitLatency = QuantileTable.exit2019
  /// From the true crossing to the entry event. A: exit was measured, entry was not.
  public var entryLatency = QuantileTable.exit2019
  /// Multiplies both latencies, to sweep them together. A.
  public var regionLatencyFactor = 1.0
  /// The longest latency while any application's satellite session runs. R: near-instant [TS].
  public var regionLatencyInSessionSeconds = 5.0
  /// Share of events that never come. M: 3 of 95 [RN-2015].
  public var regionLossProbability = 0.03
  /// Share of crossings undone before their event is due that stay unreported. A; that they are coalesced is
  /// D [W13-307].
  public var coalescingProbability = 0.9
  /// False crossings a day. A; that they occur is R [HA-zone].
  public var spuriousEventsPerDay = 0.1
  /// Share of new regions that iOS 26 reports as outside before their state is known. R [NG-37]; the share A.
  public var outsideFirstProbability = 1.0
  /// Share of launches for an event in which the application gets it twice. A.
  public var duplicateOnRelaunch = 0.0
  /// From registration to the first known state. A.
  public var regionStateDelaySeconds = 2.0
  /// Probability that a lost event silences the other services for a while: regions, significant changes and
  /// visits. A: whether they fail together is not known.
  public var jointFailureProbability = 0.0
  /// The length of that silence. A.
  public var jointFailureSeconds = 3600.0
  /// The time for which regions stay silent after a reboot. R [KIO-65, TC].
  public var regionSilenceAfterRebootSeconds = 600.0
  /// Time from a restart to the first unlock; until then no application is started. A; that events wait for
  /// the first unlock is R [TC].
  public var firstUnlockSeconds = 0.0
  /// Radius of the larger region advised for a delayed one, as a multiple. A; that it is advised is D
  /// [A-CLError].
  public var alternateRegionFactor = 2.0
  /// Factor on region latencies while Wi-Fi is off. A; that they grow is D [A-startMonitoring].
  public var wifiOffLatencyFactor = 3.0

  // MARK: Significant changes

  /// Least distance between two events. D [A-SLC].
  public var significantDistanceMetres = 500.0
  /// Median of the lognormal distance travelled beyond that. M: half of all events within 750 m [LWM-2010].
  public var significantExcessMedianMetres = 250.0
  /// Deviation of its logarithm: 95 % of all events within 2500 m. M [LWM-2010].
  public var significantExcessSigma = 1.264
  /// Least time between two events. D [A-SLC].
  public var significantSpacingSeconds = 300.0
  /// Longest time without a wake-up, moved or not; 0: no limit. D (one guide, doubtful) [HA-doc].
  public var significantSilenceSeconds = 0.0
  /// Shortest delay of delivery. A.
  public var significantDelayLeastSeconds = 5.0
  /// Longest delay of delivery. A.
  public var significantDelayMostSeconds = 60.0
  /// Share of events with the coarse accuracy below; the others have one of three more. M [LWM-2010], mix K.
  public var significantCoarseShare = 0.7
  /// Horizontal accuracy of most events. M [LWM-2010].
  public var significantAccuracyMetres = 500.0
  /// Accuracy of a third of the other events. K.
  public var significantFineMetres = 165.0
  /// Accuracy of another third. K.
  public var significantPoorMetres = 1000.0
  /// Accuracy of the last third. K.
  public var significantWorstMetres = 1414.0

  // MARK: Sessions and fixes

  /// To the first callback, cached or by Wi-Fi. M*.
  public var firstCallbackSeconds = 0.6
  /// A cached position older than this is not handed out first. A.
  public var cacheLifetimeSeconds = 300.0
  /// Median time to a satellite fix if the receiver ran a short while ago. K.
  public var hotStartMedianSeconds = 3.0
  /// Deviation of its logarithm. K.
  public var hotStartSigma = 0.5
  /// The time since the last use within which a start is hot. A.
  public var hotStartWithinSeconds = 600.0
  /// Median time otherwise, with assistance. M*: median 8 s, p90 30 s.
  public var warmStartMedianSeconds = 8.0
  /// Deviation of its logarithm. M*: from median and p90.
  public var warmStartSigma = 0.9
  /// Median time with no network and the last use long ago. K.
  public var coldStartMedianSeconds = 35.0
  /// Deviation of its logarithm. K.
  public var coldStartSigma = 0.3
  /// The time since the last use after which a start without network is cold. K.
  public var coldStartAfterSeconds = 14_400.0
  /// Probability of no satellite fix within a minute under the open sky. A.
  public var noFixOutdoors = 0.01
  /// The same between high buildings. A.
  public var noFixUrbanCanyon = 0.05
  /// The same indoors. A.
  public var noFixIndoors = 0.9
  /// Seconds after which a failed acquisition is repeated. A.
  public var acquisitionWindowSeconds = 60.0
  /// Between satellite fixes while moving. M*: median 1.0 s, p95 9.5 s; its other quantiles A.
  public var movingSpacing = QuantileTable(
    minimum: 1, p5: 1, p25: 1, p50: 1, p75: 1, p95: 9.5, p99: 12, maximum: 15)
  /// Between network fixes while moving. M*: clusters at 15, 30 and 240 to 300 s.
  public var networkSpacing = QuantileTable(
    minimum: 15, p5: 15, p25: 15, p50: 30, p75: 240, p95: 300, p99: 300, maximum: 300)
  /// Time between fixes while still: almost silent, at full power. M*: 0.8 an hour with a filter of 1 m.
  public var stillSpacingSeconds = 4500.0
  /// Seconds for which fixes continue after the first satellite fix, or after coming to rest. A.
  public var settlingSeconds = 15.0
  /// A fix passes the distance filter if its accuracy is below this share of the last one's. A; that it does
  /// is D [W10-115].
  public var clearlyBetterShare = 0.5
  /// The accuracy that a one-shot for `Best` waits for. M* (fixes ≤ 20 m).
  public var oneShotBestMetres = 20.0
  /// A one-shot returns its best fix after this. R.
  public var oneShotTimeoutSeconds = 10.0
  /// The time at rest after which a session that allows it is paused. R [MAU-56, TS].
  public var autoPauseSeconds = 900.0

  /// The same for `.fitness`, as a multiple. A; that the activity tunes it is D.
  public var autoPauseFitnessFactor = 1.0
  /// The same for navigation and flight. A.
  public var autoPauseNavigationFactor = 1.0
  /// The time at rest after which iOS 17's live updates pause. R [F-763696]: about ten minutes; that they do,
  /// and resume by themselves, is D.
  public var liveRestSeconds = 600.0

  // MARK: Accuracy

  /// Accuracy reported by most satellite fixes. M*: 10 m, 68 %.
  public var accuracyUsualMetres = 10.0
  /// Accuracy reported by the best. M*: 5 m.
  public var accuracyFineMetres = 5.0
  /// Share of the best. M*.
  public var accuracyShare5 = 0.27
  /// Accuracy reported by poor ones. M*: 30 m.
  public var accuracyPoorMetres = 30.0
  /// Share of poor ones. M*.
  public var accuracyShare30 = 0.034
  /// Accuracy reported by the worst. M*: 50 m and more.
  public var accuracyWorstMetres = 50.0
  /// Share of the worst. M*.
  public var accuracyShare50 = 0.015
  /// Correlation time of the quality behind the reported accuracy: a phone stays at one value for a while.
  /// M*: of 13,376 pairs of fixes one second apart, 0.64 % go from 10 m to a coarser value, and 87 % of the
  /// coarse stay coarse.
  public var accuracyCorrelationSeconds = 180.0
  /// Deviation per axis of a satellite fix that reports the usual accuracy. M*: median error 6.5 m.
  public var satelliteSigmaMetres = 5.5
  /// 1: errors grow with the reported accuracy; 0: they do not depend on it. A.
  public var errorFollowsAccuracy = 1.0
  /// Share of minutes with a disturbed position. A.
  public var disturbedShare = 0.05
  /// Factor on errors in such minutes. A.
  public var disturbedFactor = 3.0
  /// Factor on errors between high buildings. A.
  public var canyonFactor = 4.0
  /// Factor on reported accuracies between high buildings. M*: 61 % of errors are then within the reported
  /// accuracy; 63 % were on the worst leg, a bus through a city, and 59 % of fixes wrong by 22 to 30 m
  /// reported 30 m or more.
  public var canyonAccuracyFactor = 3.0
  /// Correlation time of satellite errors. A.
  public var satelliteCorrelationSeconds = 60.0
  /// Deviation per axis of a Wi-Fi position. A.
  public var wifiSigmaMetres = 20.0
  /// Its reported accuracy. M*.
  public var wifiAccuracyMetres = 65.0
  /// Deviation per axis of a cell position that reports 500 m. A.
  public var cellSigmaMetres = 400.0
  /// Smallest reported accuracy of a cell position. M [LWM-2010].
  public var cellAccuracyLeastMetres = 500.0
  /// Largest. K.
  public var cellAccuracyMostMetres = 1414.0
  /// Correlation time of Wi-Fi and cell errors. A.
  public var networkCorrelationSeconds = 600.0

  // MARK: Visits and motion

  /// From coming to rest to the arrival event. M* (n = 145).
  public var visitArrivalDelay = QuantileTable(
    minimum: 60, p5: 85, p25: 158, p50: 227, p75: 287, p95: 498, p99: 1220, maximum: 1500)
  /// From leaving the resting place's circle to the departure event. M* (n = 182), lower quantiles A.
  public var visitDepartureDelay = QuantileTable(
    minimum: 30, p5: 60, p25: 130, p50: 208, p75: 313, p95: 567, p99: 900, maximum: 1200)
  /// The circle a phone rests in. M*.
  public var visitRadiusMetres = 100.0
  /// From a change of motion to its report to the application, while it runs. M*: 38 starts after a rest of a
  /// minute or more, on six phones that had reported still: medians 8 to 28 s, 90 in 100 within 31 to 219 s,
  /// 53 to 87 in 100 within 30 s. A: the other quantiles, and that stops are reported no sooner.
  public var motionDelay = QuantileTable.motion2019
  /// From an application's request for motion to its first report, if the last change has been noticed by
  /// then. A.
  public var motionFirstSeconds = 30.0

  // MARK: Process

  /// Background task budget up to iOS 6. D.
  public var backgroundBudget4Seconds = 600.0
  /// Background task budget of iOS 7 to 12. R.
  public var backgroundBudget7Seconds = 180.0
  /// Background task budget of iOS 13 and later. R/D.
  public var backgroundBudget13Seconds = 30.0
  /// Running time after a wake-up by location. D.
  public var wakeRuntimeSeconds = 10.0
  /// Running time after leaving the foreground. D.
  public var leaveForegroundSeconds = 5.0
  /// Running time of a hidden web page. R: about 3 s, others say 7 to 8 s.
  public var hiddenPageSeconds = 3.0
  /// From the decision to start a process until its first callback. A.
  public var launchSeconds = 0.5
  /// Times a day that the system ends a suspended process. A.
  public var terminationsPerDay = 0.0
  /// Times a day that the system suspends an application kept running only by a session at 3 km. A: whether
  /// such a session survives days is not known.
  public var keepAliveEndsPerDay = 0.0
  /// 1: iOS 26 starts an application after a force quit, as earlier versions do; 0: it does not, R
  /// [F-826964].
  public var forceQuit26Relaunches = 0.0
  /// How long a restart of the phone takes. A.
  public var rebootSeconds = 60.0

  // MARK: Permission

  /// Time until the user answers a prompt. A.
  public var promptAnswerSeconds = 5.0
  /// Time until the user answers the deferred question for Always. A; that the event waits is D [W19-705].
  public var alwaysPromptDelaySeconds = 3600.0
  /// Radius of a reduced position. D: 1 to 20 km.
  public var reducedRadiusMetres = 5000.0
  /// Reduced positions in an hour. D.
  public var reducedUpdatesPerHour = 3.0

  /// Time until the system reminds the user of an application's Always; 0: never. A; that it does is D
  /// [W19-705].
  public var alwaysReminderSeconds = 0.0

  // MARK: Monitors

  /// 1: from iOS 18 on conditions are reported in the background only while a service session for Always is
  /// held. R [CIO].
  public var monitorNeedsServiceSession = 0.0
  /// 1: conditions stop working at a restart, until they are removed and added anew. R [CIO].
  public var monitorDeadAfterReboot = 0.0
  /// 1: an application launched in the background gets entries only once it is opened. R [F-812111].
  public var monitorHoldsEntries = 0.0

  /// The first condition to get a free slot, of those without one: 1: the last added; 0: the first by name.
  /// A.
  public var monitorRevivesLastFirst = 0.0

  // MARK: Android

  /// Geofences of one application. D [GMS].
  public var geofenceLimit = 100.0
  /// Smallest radius that works. D [AND-geo].
  public var smallestGeofenceRadiusMetres = 100.0
  /// Latency of transitions with a responsiveness of 5 s or less. M* (n ≈ 21), upper part A.
  public var geofenceLatency = QuantileTable(
    minimum: 5, p5: 10, p25: 30, p50: 50, p75: 85, p95: 180, p99: 260, maximum: 291)
  /// Greatest latency added under background limits. A from D: every 2 min [AND-bg].
  public var geofenceBackgroundSeconds = 120.0
  /// Greatest latency added after a long rest. A from D: up to 6 min [AND-geo].
  public var geofenceStillSeconds = 240.0
  /// Length of a long rest. A.
  public var geofenceStillAfterSeconds = 1800.0
  /// Share of transitions lost while Wi-Fi is off, besides other losses. A; that they may be lost is D
  /// [AND-geo].
  public var geofenceWifiOffLoss = 0.3
  /// Pending intents of one application. D [GMS].
  public var geofenceIntentLimit = 5.0
  /// Registrations allowed in a minute; more are refused as too frequent. A; that they are is D [GMS].
  public var geofenceRequestsPerMinute = 100.0
  /// Positions an hour that an application in the background gets without a service, from Android 8 on. D
  /// [AND-bg]: a few.
  public var backgroundFixesPerHour = 3.0
  /// Radius of an approximate position, from Android 12 on. K: about 2 km or more.
  public var approximateRadiusMetres = 2000.0
  /// The time at rest after which the phone dozes. K.
  public var dozeAfterSeconds = 3600.0
  /// Time between two windows in which a dozing phone lets applications work. K.
  public var dozeWindowSeconds = 3600.0
  /// Least time between two exact alarms of a dozing phone. K.
  public var dozeAlarmSpacingSeconds = 540.0

  // MARK: Web

  /// 1: a hidden page's timers go on, as in Chrome (D); 0: the page is suspended, as in Safari on iOS (R).
  public var hiddenPageKeepsTimers = 0.0
  /// Time until the screen turns off, and hides the page, without a wake lock; 0: its user keeps it on. A.
  public var screenOffSeconds = 0.0
  /// Timers of a hidden page run at multiples of this. D.
  public var hiddenTimerSeconds = 1.0
  /// The same for a page hidden for a long time. D.
  public var hiddenTimerLaterSeconds = 60.0
  /// Length of a long time hidden. D.
  public var hiddenTimerLaterAfterSeconds = 300.0
  /// A page's accuracy as a multiple of the platform's: 1 as browsers pass it on (K), more if they convert it
  /// to 95 % (D [W3C-geo]).
  public var pageAccuracyFactor = 1.0

  public init() {}
}

extension QuantileTable {
  /// Exit of a 100 m region, iPhone 6, iOS 12. M* (n = 20); above 95 % A.
  public static let exit2019 = QuantileTable(
    minimum: 15, p5: 19, p25: 64, p50: 100, p75: 126, p95: 165, p99: 300, maximum: 600)

  /// Delay of motion reports on phones that had reported still: half within 18 s, 65 in 100 within 30 s, 90
  /// in 100 within 145 s. M*.
  public static let motion2019 = QuantileTable(
    minimum: 1, p5: 2, p25: 8, p50: 18, p75: 38, p95: 180, p99: 400, maximum: 600)

  /// Always the same value.
  public static func constant(_ value: Double) -> Self {
    Self(
      minimum: value, p5: value, p25: value, p50: value, p75: value, p95: value, p99: value, maximum: value)
  }
}
