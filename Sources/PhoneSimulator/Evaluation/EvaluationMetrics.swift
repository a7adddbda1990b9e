import AlarmEngine

/// What many trials of one policy come to.
public struct EvaluationMetrics: Sendable {
  /// Counted as the lateness of a visit without an alarm, in the restricted mean, seconds.
  public static let lateCap = 300.0

  public let visits: Int
  public let caught: Int
  public let alarms: Int
  public let falseAlarms: Int
  public let violations: Int
  public let excusedViolations: Int
  /// Seconds after the entry; an alarm before it counts as 0.
  public let lateness: [Double]
  /// The mean in which a missed visit counts as 300 s; NaN without a visit.
  public let restrictedMeanLateness: Double
  /// Metres inside when it rang.
  public let depths: [Double]
  /// Metres before the line when it rang early.
  public let earliness: [Double]
  public let days: Double
  public let joulesPerDay: Double
  /// Marginal, over that of a session at best accuracy all day.
  public let energyRatio: Double
  /// By component, joules a day.
  public let components: [(component: EnergyLedger.Component, joulesPerDay: Double)]
  public let fixesPerDay: Double
  /// Over the safe period's count.
  public let fixesRatio: Double
  public let wakesPerDay: Double
  public let sessionHoursPerDay: Double
  public let satelliteSecondsPerDay: Double

  /// - Parameter references: the marginal joules of the always-on phone in the same trials, in their order.
  public init(_ results: [TrialResult], references: [Double]) {
    precondition(results.count == references.count, "each trial has its reference")
    let outcomes = results.flatMap(\.matching.outcomes)
    visits = outcomes.count
    caught = outcomes.count(where: \.isCaught)
    falseAlarms = results.map(\.matching.falseAlarms.count).reduce(0, +)
    alarms = results.map { $0.matching.right + $0.matching.falseAlarms.count + $0.matching.neither }
      .reduce(0, +)
    violations = results.map(\.violations).reduce(0, +)
    excusedViolations = results.map(\.excusedViolations).reduce(0, +)
    lateness = outcomes.filter(\.isCaught).compactMap(\.lateness).map { max(0, $0) }
    let capped = outcomes.map { $0.isCaught ? min(Self.lateCap, max(0, $0.lateness ?? 0)) : Self.lateCap }
    restrictedMeanLateness = capped.isEmpty ? .nan : capped.reduce(0, +) / Double(capped.count)
    depths = outcomes.filter(\.isCaught).compactMap(\.depth)
    earliness = outcomes.filter(\.isCaught).compactMap(\.early)
    let days = results.map(\.duration).reduce(0, +) / 86_400
    self.days = days
    func daily(_ value: (TrialResult) -> Double) -> Double {
      days > 0 ? results.map(value).reduce(0, +) / days : .nan
    }
    joulesPerDay = daily { $0.ledger.marginal }
    let reference = references.reduce(0, +)
    energyRatio = reference > 0 ? results.map(\.ledger.marginal).reduce(0, +) / reference : .nan
    components = EnergyLedger.Component.allCases.filter { $0 != .base }
      .map { component in (component, daily { $0.ledger[component] }) }
    fixesPerDay = daily { Double($0.fixes) }
    let bound = results.map(\.bound).reduce(0, +)
    fixesRatio = bound > 0 ? Double(results.map(\.fixes).reduce(0, +)) / Double(bound) : .nan
    wakesPerDay = daily { Double($0.wakes) }
    sessionHoursPerDay = daily { $0.sessionSeconds / 3600 }
    satelliteSecondsPerDay = daily { $0.satelliteSeconds }
  }

  /// NaN without a visit.
  public var recall: Double { visits > 0 ? Double(caught) / Double(visits) : .nan }
  /// Right alarms among the right and the false; NaN without either.
  public var precision: Double {
    caught + falseAlarms > 0 ? Double(caught) / Double(caught + falseAlarms) : .nan
  }
  public var falseAlarmsPerDay: Double { days > 0 ? Double(falseAlarms) / days : .nan }
  public func lateness(quantile share: Double) -> Double { Quantiles(lateness).value(share) }
  public func depth(quantile share: Double) -> Double { Quantiles(depths).value(share) }
}
