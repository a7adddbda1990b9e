/// Every figure that says how a phone behaves; ``catalogue`` says for each how well it is known and how far it
/// may lie off. Counts and switches are numbers too, so that an evaluation can sweep them all alike.
public struct PhoneParameters: Hashable, Sendable {
  // MARK: Regions

  /// Regions of all kinds that one application may monitor. D [A-startMonitoring, A-proximity].
  public var regionLimit = 20.0
  /// Smaller regions behave as if they had this radius. R [HA-784, HA-178].
  public var smallestRegionRadiusMetres = 100.0
  /// Registrations above it fail. A: the value is not published; negative means unsupported.
  public var maximumRegionRadiusMetres = 70_000.0
  /// How far beyond the boundary an exit counts. A; the documents say "assume about 200 m" [A-LMPG].
  public var exitCushionMetres = 60.0
  /// How far inside the boundary an entry counts, at most half the radius. A: entries are reported at the boundary
  /// [HA-784], so none.
  public var entryCushionMetres = 0.0
  /// How long the phone must have stayed beyond the cushion. D [A-LMPG].
  public var crossingDwellSeconds = 20.0
  /// From the true crossing to the exit event. M* (n = 20), its ends A.
  public var exitLatency = QuantileTable.exit2019
  /// From the true crossing to the entry event. A: exit was measured, entry was not.
  public var entryLatency = QuantileTable.exit2019
  /// Multiplies both latencies, to sweep them together. A.
  public var regionLatencyFactor = 1.0
  /// While anybody's satellite session runs, no latency exceeds this. R: near-instant [TS].
  public var regionLatencyInSessionSeconds = 5.0
  /// Events that never come. M: 3 of 95 [RN-2015].
  public var regionLossProbability = 0.03
  /// Crossings undone before their event is due stay unreported. A; that they are coalesced is D [W13-307].
  public var coalescingProbability = 0.9
  /// False crossings. A; that they occur is R [HA-zone].
  public var spuriousEventsPerDay = 0.1
  /// How often iOS 26 calls a new region outside before it knows. R [NG-37]; the share A.
  public var outsideFirstProbability = 1.0
  /// How often an application that is launched for an event is told it twice. A.
  public var duplicateOnRelaunch = 0.0
  /// From registration to the first known state. A.
  public var regionStateDelaySeconds = 2.0
  /// A lost event takes the other services with it, for a while: regions, significant changes and visits all stay
  /// silent. A: whether they fail together is not known.
  public var jointFailureProbability = 0.0
  /// How long. A.
  public var jointFailureSeconds = 3600.0
  /// Regions stay silent after a reboot. R [KIO-65, TC].
  public var regionSilenceAfterRebootSeconds = 600.0
  /// After a restart nobody unlocks the phone for so long; until then no application is started. A; that events wait
  /// for the first unlock is R [TC].
  public var firstUnlockSeconds = 0.0
  /// The larger region that a delayed one is advised to be, over its radius. A; that it is advised is D [A-CLError].
  public var alternateRegionFactor = 2.0
  /// Regions' latencies with Wi-Fi off are multiplied by it. A; that they grow is D [A-startMonitoring].
  public var wifiOffLatencyFactor = 3.0

  // MARK: Significant changes

  /// Least way between two events. D [A-SLC].
  public var significantDistanceMetres = 500.0
  /// Median of the lognormal way travelled beyond that. M: half of all events within 750 m [LWM-2010].
  public var significantExcessMedianMetres = 250.0
  /// Deviation of its logarithm: 95 % of all events within 2500 m. M [LWM-2010].
  public var significantExcessSigma = 1.264
  /// Least time between two events. D [A-SLC].
  public var significantSpacingSeconds = 300.0
  /// A wake-up at the latest after this, moved or not; 0 switches it off. D (one guide, doubtful) [HA-doc].
  public var significantSilenceSeconds = 0.0
  /// Shortest delay of delivery. A.
  public var significantDelayLeastSeconds = 5.0
  /// Longest delay of delivery. A.
  public var significantDelayMostSeconds = 60.0
  /// Share of events with the coarse accuracy below; the others are spread over three more. M [LWM-2010], mix K.
  public var significantCoarseShare = 0.7
  /// Horizontal accuracy of most events. M [LWM-2010].
  public var significantAccuracyMetres = 500.0
  /// That of a third of the others. K.
  public var significantFineMetres = 165.0
  /// That of another third. K.
  public var significantPoorMetres = 1000.0
  /// That of the last. K.
  public var significantWorstMetres = 1414.0

  // MARK: Sessions and fixes

  /// To the first callback, cached or by Wi-Fi. M*.
  public var firstCallbackSeconds = 0.6
  /// A cached position older than this is not handed out first. A.
  public var cacheLifetimeSeconds = 300.0
  /// Median time to a satellite fix when the receiver ran a short while ago. K.
  public var hotStartMedianSeconds = 3.0
  /// Deviation of its logarithm. K.
  public var hotStartSigma = 0.5
  /// How long a start is hot. A.
  public var hotStartWithinSeconds = 600.0
  /// Median time otherwise, with assistance. M*: median 8 s, p90 30 s.
  public var warmStartMedianSeconds = 8.0
  /// Deviation of its logarithm. M*: from median and p90.
  public var warmStartSigma = 0.9
  /// Median time with no network and the last use long ago. K.
  public var coldStartMedianSeconds = 35.0
  /// Deviation of its logarithm. K.
  public var coldStartSigma = 0.3
  /// How long ago makes a start without network cold. K.
  public var coldStartAfterSeconds = 14_400.0
  /// No satellite fix within a minute, under the open sky. A.
  public var noFixOutdoors = 0.01
  /// The same between high houses. A.
  public var noFixUrbanCanyon = 0.05
  /// The same indoors. A.
  public var noFixIndoors = 0.9
  /// Seconds after which a failed acquisition is tried anew. A.
  public var acquisitionWindowSeconds = 60.0
  /// Between satellite fixes while moving. M*: median 1.0 s, p95 9.5 s; its other quantiles A.
  public var movingSpacing = QuantileTable(
    minimum: 1, p5: 1, p25: 1, p50: 1, p75: 1, p95: 9.5, p99: 12, maximum: 15)
  /// Between network fixes while moving. M*: clusters at 15, 30 and 240 to 300 s.
  public var networkSpacing = QuantileTable(
    minimum: 15, p5: 15, p25: 15, p50: 30, p75: 240, p95: 300, p99: 300, maximum: 300)
  /// Between fixes while still: silence, the power stays on. M*: 0.8 an hour with a filter of 1 m.
  public var stillSpacingSeconds = 4500.0
  /// Fixes go on this long after the first satellite fix, or after coming to rest, before the silence. A.
  public var settlingSeconds = 15.0
  /// A fix passes the distance filter if its accuracy is below this share of the last one's. A; D that it does [W10-115].
  public var clearlyBetterShare = 0.5
  /// The accuracy a one-shot for `Best` waits for. M* (fixes ≤ 20 m).
  public var oneShotBestMetres = 20.0
  /// A one-shot gives what it has after this. R.
  public var oneShotTimeoutSeconds = 10.0
  /// Still for this long pauses a session that allows it. R [MAU-56, TS].
  public var autoPauseSeconds = 900.0

  /// The same for `.fitness`, as a multiple. A; that the activity tunes it is D.
  public var autoPauseFitnessFactor = 1.0
  /// The same for navigation and flight. A.
  public var autoPauseNavigationFactor = 1.0
  /// Live updates of iOS 17 rest after so much stillness. A; that they do, and go on by themselves, is D.
  public var liveRestSeconds = 60.0

  // MARK: Accuracy

  /// What most satellite fixes report. M*: 10 m, 68 %.
  public var accuracyUsualMetres = 10.0
  /// What the best report. M*: 5 m.
  public var accuracyFineMetres = 5.0
  /// Their share. M*.
  public var accuracyShare5 = 0.27
  /// What poor ones report. M*: 30 m.
  public var accuracyPoorMetres = 30.0
  /// Their share. M*.
  public var accuracyShare30 = 0.034
  /// What the worst report. M*: 50 m and more.
  public var accuracyWorstMetres = 50.0
  /// Their share. M*.
  public var accuracyShare50 = 0.015
  /// Correlation time of what decides the reported accuracy: a phone stays at one value for a while. M*: of 13,376
  /// pairs of fixes one second apart, 0.64 % go from 10 m to something coarser, and 87 % of the coarse stay coarse.
  public var accuracyCorrelationSeconds = 180.0
  /// Deviation per axis of a satellite fix that reports the usual accuracy. M*: median error 6.5 m.
  public var satelliteSigmaMetres = 5.5
  /// 1: errors grow with the reported accuracy; 0: they do not depend on it. A.
  public var errorFollowsAccuracy = 1.0
  /// Share of minutes with a disturbed position. A.
  public var disturbedShare = 0.05
  /// Errors then are multiplied by this. A.
  public var disturbedFactor = 3.0
  /// Errors between high houses are multiplied by this. A.
  public var canyonFactor = 4.0
  /// Reported accuracies between high houses are multiplied by this. M*: 61 % of errors are then within the reported
  /// accuracy; 63 % were on the worst leg, a bus through a city, and 59 % of fixes wrong by 22 to 30 m reported 30 m or more.
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
  /// From the exit out of the resting place to the departure event. M* (n = 182), lower quantiles A.
  public var visitDepartureDelay = QuantileTable(
    minimum: 30, p5: 60, p25: 130, p50: 208, p75: 313, p95: 567, p99: 900, maximum: 1200)
  /// The circle a phone rests in. M*.
  public var visitRadiusMetres = 100.0
  /// From a change of motion to the application's being told, while it runs. M*: 38 starts after a minute's rest or more, on
  /// six phones that had said still: the median was 8 to 28 s, 90 in 100 within 31 to 219 s, 53 to 87 in 100 within 30 s.
  /// The other quantiles, and that stops are told no sooner, A.
  public var motionDelay = QuantileTable.motion2019
  /// From an application's asking for motion to its first word, if the last change has been noticed by then. A.
  public var motionFirstSeconds = 30.0

  // MARK: Process

  /// Background task budget up to iOS 6. D.
  public var backgroundBudget4Seconds = 600.0
  /// Of iOS 7 to 12. R.
  public var backgroundBudget7Seconds = 180.0
  /// Of iOS 13 and later. R/D.
  public var backgroundBudget13Seconds = 30.0
  /// Running time after a wake-up by location. D.
  public var wakeRuntimeSeconds = 10.0
  /// Running time after leaving the foreground. D.
  public var leaveForegroundSeconds = 5.0
  /// Running time of a hidden web page. R: about 3 s, others say 7 to 8 s.
  public var hiddenPageSeconds = 3.0
  /// From the decision to start a process until its first callback. A.
  public var launchSeconds = 0.5
  /// How often a day the system ends a suspended process. A.
  public var terminationsPerDay = 0.0
  /// How often a day the system suspends an application that only a session at 3 km keeps running. A: whether such a
  /// session survives days is not known.
  public var keepAliveEndsPerDay = 0.0
  /// 1: iOS 26 brings an application back after a force quit as before it. R [F-826964] says that it does not.
  public var forceQuit26Relaunches = 0.0
  /// How long a restart of the phone takes. A.
  public var rebootSeconds = 60.0

  // MARK: Permission

  /// The user answers a prompt after this. A.
  public var promptAnswerSeconds = 5.0
  /// The user answers the deferred question for Always after this. A; that the event waits is D [W19-705].
  public var alwaysPromptDelaySeconds = 3600.0
  /// Radius of a reduced position. D: 1 to 20 km.
  public var reducedRadiusMetres = 5000.0
  /// Reduced positions in an hour. D.
  public var reducedUpdatesPerHour = 3.0

  /// The system reminds the user of an application's Always after this; 0 switches it off. A; that it does is D
  /// [W19-705].
  public var alwaysReminderSeconds = 0.0

  // MARK: Monitors

  /// 1: from iOS 18 on conditions are told in the background only while a service session for Always is held. R [CIO].
  public var monitorNeedsServiceSession = 0.0
  /// 1: conditions are dead after a restart until they are removed and added anew. R [CIO].
  public var monitorDeadAfterReboot = 0.0
  /// 1: entries come to an application launched in the background only once it is opened. R [F-812111].
  public var monitorHoldsEntries = 0.0

  /// 1: of conditions that found no room the one added last is the first to get one; 0: the first by name. A.
  public var monitorRevivesLastFirst = 0.0

  // MARK: Android

  /// Geofences of one application. D [GMS].
  public var geofenceLimit = 100.0
  /// Smallest radius that works. D [AND-geo].
  public var smallestGeofenceRadiusMetres = 100.0
  /// Transitions with a responsiveness of 5 s or less. M* (n ≈ 21), upper part A.
  public var geofenceLatency = QuantileTable(
    minimum: 5, p5: 10, p25: 30, p50: 50, p75: 85, p95: 180, p99: 260, maximum: 291)
  /// Added at most under background limits. A from D: every 2 min [AND-bg].
  public var geofenceBackgroundSeconds = 120.0
  /// Added at most after a long stillness. A from D: up to 6 min [AND-geo].
  public var geofenceStillSeconds = 240.0
  /// What a long stillness is. A.
  public var geofenceStillAfterSeconds = 1800.0
  /// Transitions that never come with Wi-Fi off, besides those lost anyway. A; that they may not is D [AND-geo].
  public var geofenceWifiOffLoss = 0.3
  /// Pending intents of one application. D [GMS].
  public var geofenceIntentLimit = 5.0
  /// Registrations in a minute before they are refused as too frequent. A; that they are is D [GMS].
  public var geofenceRequestsPerMinute = 100.0
  /// Positions an hour that an application in the background gets without a service, from Android 8 on. D [AND-bg]:
  /// a few.
  public var backgroundFixesPerHour = 3.0
  /// Radius of an approximate position, from Android 12 on. K: about 2 km or more.
  public var approximateRadiusMetres = 2000.0
  /// Still for so long, the phone dozes. K.
  public var dozeAfterSeconds = 3600.0
  /// Between two windows in which a dozing phone lets applications work. K.
  public var dozeWindowSeconds = 3600.0
  /// Between two exact alarms of a dozing phone. K.
  public var dozeAlarmSpacingSeconds = 540.0

  // MARK: Web

  /// 1: a hidden page goes on with its timers, as in Chrome (D); 0: it is suspended, as in Safari on iOS (R).
  public var hiddenPageKeepsTimers = 0.0
  /// The screen goes dark, and hides the page, after this without a wake lock; 0: its user sees to it. A.
  public var screenOffSeconds = 0.0
  /// Hidden timers are held to whole multiples of this. D.
  public var hiddenTimerSeconds = 1.0
  /// The same after a long time hidden. D.
  public var hiddenTimerLaterSeconds = 60.0
  /// What a long time hidden is. D.
  public var hiddenTimerLaterAfterSeconds = 300.0
  /// A page's accuracy over the platform's: 1 as browsers pass it on (K), more where they make 95 % of it (D
  /// [W3C-geo]).
  public var pageAccuracyFactor = 1.0

  public init() {}
}

extension QuantileTable {
  /// Exit of a 100 m region, iPhone 6, iOS 12. M* (n = 20); above 95 % A.
  public static let exit2019 = QuantileTable(
    minimum: 15, p5: 19, p25: 64, p50: 100, p75: 126, p95: 165, p99: 300, maximum: 600)

  /// The word of motion on phones that had said still: half within 18 s, 65 in 100 within 30 s, 90 in 100 within 145 s. M*.
  public static let motion2019 = QuantileTable(
    minimum: 1, p5: 2, p25: 8, p50: 18, p75: 38, p95: 180, p99: 400, maximum: 600)

  /// Always the same value.
  public static func constant(_ value: Double) -> Self {
    Self(
      minimum: value, p5: value, p25: value, p50: value, p75: value, p95: value, p99: value, maximum: value)
  }
}
