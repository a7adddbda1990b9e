import AlarmEngine

extension PhoneParameters {
  /// The default: an iPhone 6 with iOS 12, measured on public traces. M*.
  public static let measured2019 = PhoneParameters()

  /// The figures in Apple's documents: 3 to 5 minutes, nothing lost, 200 m of cushion. D [A-startMonitoring,
  /// A-LMPG]. Quantiles of 20 s plus an exponential of mean 220 s; the largest value A.
  public static let documented2012 = PhoneParameters().with {
    $0.exitLatency = QuantileTable(
      minimum: 20, p5: 31.3, p25: 83.3, p50: 172.5, p75: 325, p95: 679, p99: 1033, maximum: 1500)
    $0.entryLatency = $0.exitLatency
    $0.regionLossProbability = 0
    $0.exitCushionMetres = 200
  }

  /// iPhone 5s and 6 on foot and by car past a fence of 60 m: nearly always within 30 s. M [RN-2015];
  /// quantiles A.
  public static let measured2015 = PhoneParameters().with {
    $0.exitLatency = QuantileTable(
      minimum: 5, p5: 8, p25: 15, p50: 20, p75: 25, p95: 40, p99: 60, maximum: 90)
    $0.entryLatency = $0.exitLatency
  }

  /// Values from complaints: up to 240 s, a tenth of all events lost. R [SJ]; the quantiles A.
  public static let pessimistic = PhoneParameters().with {
    $0.exitLatency = QuantileTable(
      minimum: 20, p5: 40, p25: 100, p50: 160, p75: 200, p95: 240, p99: 600, maximum: 900)
    $0.entryLatency = $0.exitLatency
    $0.regionLossProbability = 0.1
  }

  /// All profiles with their names, the default first.
  public static let profiles: [(name: String, parameters: PhoneParameters)] = [
    ("measured2019", measured2019), ("documented2012", documented2012), ("measured2015", measured2015),
    ("pessimistic", pessimistic),
  ]

  func autoPauseSeconds(for activity: CLActivityType) -> Double {
    switch activity {
    case .other: autoPauseSeconds
    case .fitness: autoPauseSeconds * autoPauseFitnessFactor
    case .automotiveNavigation, .otherNavigation, .airborne: autoPauseSeconds * autoPauseNavigationFactor
    }
  }

  /// A copy with changes.
  public func with(_ change: (inout PhoneParameters) -> Void) -> PhoneParameters {
    var copy = self
    change(&copy)
    return copy
  }

  /// The delay of motion reports, in seconds, that the certified policy's proofs assume (`docs/watching.md`).
  /// To simulate a phone that keeps it: `motionDelay = .constant(promisedMotionDelay)`.
  public static var promisedMotionDelay: Double { CertifiedParameters().motionDelay.seconds }

  /// A phone without position errors, lost events and region delays, to see an application's behaviour
  /// without chance.
  public static let ideal = PhoneParameters().with {
    $0.exitLatency = .constant(0)
    $0.entryLatency = .constant(0)
    $0.geofenceLatency = .constant(0)
    $0.regionLossProbability = 0
    $0.spuriousEventsPerDay = 0
    $0.noFixOutdoors = 0
    $0.disturbedShare = 0
    $0.satelliteSigmaMetres = 0
    $0.wifiSigmaMetres = 0
    $0.cellSigmaMetres = 0
    $0.movingSpacing = .constant(1)
    $0.motionDelay = .constant(PhoneParameters.promisedMotionDelay)
  }
}
