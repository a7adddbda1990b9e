/// The cost of each action of a phone. All figures are marginal over `baseMilliwatts`; see ``catalogue`` for
/// ranges and sources.
///
/// The properties' defaults are those of ``iPhone6``.
public struct EnergyProfile: Hashable, Sendable {
  /// D: 6.91 Wh; shares are also reported on 12 Wh.
  public var batteryWattHours = 6.91
  /// The phone without the application, not attributed to it. M*.
  public var baseMilliwatts = 36.0
  /// A session at 100 m accuracy, no satellites, still. M*.
  public var networkStillMilliwatts = 65.0
  /// The same, moving. M*.
  public var networkMovingMilliwatts = 180.0
  /// A session at 3 km accuracy that only keeps the process alive. A.
  public var keepAliveMilliwatts = 30.0
  /// A session at best accuracy, still: session and satellites. M*.
  public var bestStillMilliwatts = 239.0
  /// The same moving, with callbacks each second. M*.
  public var bestMovingMilliwatts = 401.0
  /// The share of a best session that a distance filter of 30 m or more saves. M*.
  public var filterSaving = 0.04
  /// The greatest share of a best session that deferred updates save, up to iOS 12. D [W13-307].
  public var deferredSaving = 0.4
  /// Power while acquiring, as a multiple of that while tracking. A.
  public var acquireFactor = 1.0
  /// Seconds for which the receiver stays on after its last use. A.
  public var tailSeconds = 2.0
  /// A one-shot position by Wi-Fi. A.
  public var networkFixJoules = 1.3
  /// A position by cell alone. A.
  public var cellFixJoules = 0.2
  /// Share of network positions that need an online lookup. K/A.
  public var lookupProbability = 0.05
  /// Energy of one online lookup. K/A.
  public var lookupJoules = 8.0
  /// Bringing a suspended or ended application to its callback. A.
  public var wakeJoules = 0.3
  /// The processor, while an application runs in the background without a session. A.
  public var processorMilliwatts = 150.0
  /// Regions, significant changes and visits together, while any is on. M* (upper bound).
  public var monitoringMilliwatts = 5.0
  /// The motion coprocessor, while an application uses it. A.
  public var motionMilliwatts = 1.0
  /// One use of the cellular network by the application. K.
  public var cellularJoules = 12.0
  /// Banner with the screen on, ten seconds of sound, vibration. A.
  public var alertJoules = 5.0
  /// A vibration without sound. A.
  public var vibrationJoules = 1.0

  public init() {}

  /// iPhone 6, iOS 12, calibrated on public traces.
  public static let iPhone6 = EnergyProfile()

  /// A phone of the early 2020s: cheaper satellites, a larger battery. A from vendors' tables.
  public static let modern = EnergyProfile().with {
    $0.batteryWattHours = 12
    $0.baseMilliwatts = 30
    $0.networkStillMilliwatts = 35
    $0.networkMovingMilliwatts = 70
    $0.keepAliveMilliwatts = 15
    $0.bestStillMilliwatts = 150
    $0.bestMovingMilliwatts = 190
    $0.acquireFactor = 1.3
    $0.networkFixJoules = 0.8
    $0.cellFixJoules = 0.1
    $0.lookupJoules = 5
    $0.wakeJoules = 0.2
    $0.processorMilliwatts = 120
    $0.monitoringMilliwatts = 3
    $0.cellularJoules = 5
  }

  /// Nokia N95, for comparison with the literature of its time: GPS 370 mW, tail 30 s, Wi-Fi scan 1.43 W for
  /// half a second, accelerometer 60 mW, idle 26 mW. M (RAPS 2010, SenseLess 2009, EEMSS 2009); figures
  /// missing there: A.
  public static let n95 = EnergyProfile().with {
    $0.batteryWattHours = 3.5
    $0.baseMilliwatts = 26
    $0.networkStillMilliwatts = 20
    $0.networkMovingMilliwatts = 40
    $0.keepAliveMilliwatts = 20
    $0.bestStillMilliwatts = 390
    $0.bestMovingMilliwatts = 410
    $0.tailSeconds = 30
    $0.networkFixJoules = 0.9
    $0.motionMilliwatts = 60
  }

  /// All profiles with their names, the default first.
  public static let profiles: [(name: String, profile: EnergyProfile)] = [
    ("iphone6_2019", iPhone6), ("modern_2021", modern), ("n95_2009", n95),
  ]

  /// Share of the battery, 0 to 1, for an energy in joules.
  public func share(joules: Double) -> Double { joules / (batteryWattHours * 3600) }

  /// A copy with changes.
  public func with(_ change: (inout EnergyProfile) -> Void) -> EnergyProfile {
    var copy = self
    change(&copy)
    return copy
  }
}

extension EnergyProfile {
  private typealias Row = ParameterRow<EnergyProfile>

  /// All figures with the default of ``iPhone6``, the range that covers all profiles, evidence and source.
  public static let catalogue: [ParameterDescription<EnergyProfile>] = rows.map {
    $0.described(standard: .iPhone6)
  }

  private static var rows: [Row] {
    [
      Row("batteryWattHours", \.batteryWattHours, 3...20, .documented, "a.1"),
      Row("baseMilliwatts", \.baseMilliwatts, 15...60, .measuredFromTraces, "a.1"),
      Row("networkStillMilliwatts", \.networkStillMilliwatts, 15...80, .measuredFromTraces, "a.1"),
      Row("networkMovingMilliwatts", \.networkMovingMilliwatts, 30...268, .measuredFromTraces, "a.1"),
      Row("keepAliveMilliwatts", \.keepAliveMilliwatts, 5...65, .assumed, "a.4"),
      Row("bestStillMilliwatts", \.bestStillMilliwatts, 80...400, .measuredFromTraces, "a.1"),
      Row("bestMovingMilliwatts", \.bestMovingMilliwatts, 100...450, .measuredFromTraces, "a.1"),
      Row("filterSaving", \.filterSaving, 0...0.1, .measuredFromTraces, "a.1"),
      Row("deferredSaving", \.deferredSaving, 0...0.4, .documented, "W13-307"),
      Row("acquireFactor", \.acquireFactor, 1...2, .assumed, "a.4"),
      Row("tailSeconds", \.tailSeconds, 0...30, .assumed, "a.4"),
      Row("networkFixJoules", \.networkFixJoules, 0.3...6, .assumed, "a.4"),
      Row("cellFixJoules", \.cellFixJoules, 0.05...1, .assumed, "a.4"),
      Row("lookupProbability", \.lookupProbability, 0...0.2, .assumed, "a.4"),
      Row("lookupJoules", \.lookupJoules, 1...15, .recalled, "a.4"),
      Row("wakeJoules", \.wakeJoules, 0.1...1, .assumed, "a.4"),
      Row("processorMilliwatts", \.processorMilliwatts, 50...400, .assumed, "a.4"),
      Row("monitoringMilliwatts", \.monitoringMilliwatts, 0...20, .measuredFromTraces, "a.1"),
      Row("motionMilliwatts", \.motionMilliwatts, 0.3...96, .assumed, "a.4"),
      Row("cellularJoules", \.cellularJoules, 1...15, .recalled, "a.2"),
      Row("alertJoules", \.alertJoules, 1...10, .assumed, "a.4"),
      Row("vibrationJoules", \.vibrationJoules, 0.2...3, .assumed, "a.4"),
    ]
  }
}
