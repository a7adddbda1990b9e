import AlarmEngine

/// The results of many trials of one policy, put together.
public struct EvaluationMetrics: Sendable {
  /// The lateness in seconds that counts for a missed visit in the restricted mean.
  public static let lateCap = 300.0
  /// 12 Wh, a phone's battery, in joules.
  public static let battery = 43_200.0
  /// Seconds from which on a stay is long.
  public static let longStay = 60.0

  /// The marginal joules of others in the same trial, to compare a trial's energy with.
  public struct Reference: Hashable, Sendable {
    /// A session at best accuracy all day.
    public var alwaysOn: Double
    /// The same, paused by the platform at rest; nil if the platform does not pause.
    public var paused: Double?
    /// The least that any schedule with these sensors needs (LB_E); nil if unknown.
    public var least: Double?
    public init(alwaysOn: Double, paused: Double? = nil, least: Double? = nil) {
      self.alwaysOn = alwaysOn
      self.paused = paused
      self.least = least
    }
  }

  /// Visits and those caught.
  public struct Caught: Hashable, Sendable {
    public var visits = 0
    public var caught = 0
    /// NaN without a visit.
    public var recall: Double { visits > 0 ? Double(caught) / Double(visits) : .nan }
  }

  /// Lateness and depth of caught visits.
  public struct Delay: Hashable, Sendable {
    /// Seconds after the entry; an alarm before it counts as 0.
    public var lateness: [Double] = []
    /// Metres inside the zone when it rang.
    public var depths: [Double] = []
    public func lateness(quantile share: Double) -> Double { Quantiles(lateness).value(share) }
    public func depth(quantile share: Double) -> Double { Quantiles(depths).value(share) }
  }

  /// Alarms of zones that ring a given time before they are entered.
  public struct Lead: Hashable, Sendable {
    /// Right and false alarms.
    public var alarms = 0
    public var falseAlarms = 0
    public var entries = 0
    /// Entries without an alarm before them.
    public var unwarned = 0
    /// For each entry with a warning: the time given divided by the time asked for.
    public var shares: [Double] = []
    /// NaN without an alarm.
    public var falseShare: Double { alarms > 0 ? Double(falseAlarms) / Double(alarms) : .nan }
    /// NaN without an entry.
    public var unwarnedShare: Double { entries > 0 ? Double(unwarned) / Double(entries) : .nan }
    /// The median of ``shares``.
    public var median: Double { Quantiles(shares).value(0.5) }
  }

  public let all: Caught
  /// `short`: stays under 60 s; `long`: stays of 60 s and more.
  public let short: Caught
  public let long: Caught
  public let delay: Delay
  public let walking: Delay
  /// Cyclists included.
  public let driving: Delay
  public let alarms: Int
  public let falseAlarms: Int
  /// False alarms that said only that the phone might be inside.
  public let falsePossible: Int
  /// Further alarms of a visit after its first.
  public let repeated: Int
  public let lead: Lead
  public let violations: Int
  public let excusedViolations: Int
  /// Excused violations, by the name of the false premise.
  public let excuses: [String: Int]
  /// The mean lateness in seconds, in which a missed visit counts as 300 s; NaN without a visit.
  public let restrictedMeanLateness: Double
  /// Metres left to the line at an early alarm.
  public let earliness: [Double]
  public let days: Double
  public let joulesPerDay: Double
  /// Marginal energy, relative to a session at best accuracy all day, to such a session that is paused, and
  /// to LB_E (location only).
  public let energyRatio: Double
  public let pausedRatio: Double
  public let leastRatio: Double
  /// How much longer a battery lasts than with the phone always on.
  public let lifeFactor: Double
  /// By component, joules a day.
  public let components: [(component: EnergyLedger.Component, joulesPerDay: Double)]
  public let fixesPerDay: Double
  /// Fixes relative to the safe period's count.
  public let fixesRatio: Double
  public let wakesPerDay: Double
  public let sessionHoursPerDay: Double
  public let satelliteSecondsPerDay: Double

  /// - Parameter references: the energy of others in the same trials, in the same order.
  public init(_ results: [TrialResult], references: [Reference]) {
    precondition(results.count == references.count, "each trial has its reference")
    let outcomes = results.flatMap(\.matching.outcomes)
    all = Self.caught(outcomes) { _ in true }
    short = Self.caught(outcomes) { $0.visit.stay < Self.longStay }
    long = Self.caught(outcomes) { $0.visit.stay >= Self.longStay }
    delay = Self.delay(outcomes) { _ in true }
    walking = Self.delay(outcomes) { $0.visit.motion == .walking || $0.visit.motion == .still }
    driving = Self.delay(outcomes) { $0.visit.motion == .vehicle || $0.visit.motion == .cycling }
    let wrong = results.flatMap(\.matching.falseAlarms)
    falseAlarms = wrong.count
    falsePossible = wrong.count { $0.cause == .possible }
    repeated = results.map(\.matching.repeated).reduce(0, +)
    let leads = results.map(\.matching.lead)
    lead = Self.lead(leads)
    alarms =
      results.map { $0.matching.right + $0.matching.falseAlarms.count + $0.matching.neither }.reduce(0, +)
      + lead.alarms + leads.map(\.neither).reduce(0, +)
    violations = results.map(\.violations).reduce(0, +)
    excusedViolations = results.map(\.excusedViolations).reduce(0, +)
    excuses = results.map(\.excuses).reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
    let capped = outcomes.map { $0.isCaught ? min(Self.lateCap, max(0, $0.lateness ?? 0)) : Self.lateCap }
    restrictedMeanLateness = capped.isEmpty ? .nan : capped.reduce(0, +) / Double(capped.count)
    earliness = outcomes.filter(\.isCaught).compactMap(\.early)
    let days = results.map(\.duration).reduce(0, +) / 86_400
    self.days = days
    func daily(_ value: (TrialResult) -> Double) -> Double {
      days > 0 ? results.map(value).reduce(0, +) / days : .nan
    }
    joulesPerDay = daily { $0.ledger.marginal }
    let marginal = results.map(\.ledger.marginal).reduce(0, +)
    let always = references.map(\.alwaysOn).reduce(0, +)
    let base = results.map { $0.ledger[.base] }.reduce(0, +)
    energyRatio = always > 0 ? marginal / always : .nan
    pausedRatio = Self.ratio(results.map(\.ledger.marginal), references.map(\.paused))
    leastRatio = Self.ratio(results.map(\.ledger.location), references.map(\.least))
    lifeFactor = base + marginal > 0 && base > 0 ? (base + always) / (base + marginal) : .nan
    components = EnergyLedger.Component.allCases.filter { $0 != .base }
      .map { component in (component, daily { $0.ledger[component] }) }
    fixesPerDay = daily { Double($0.fixes) }
    let bound = results.map(\.bound).reduce(0, +)
    fixesRatio = bound > 0 ? Double(results.map(\.fixes).reduce(0, +)) / Double(bound) : .nan
    wakesPerDay = daily { Double($0.wakes) }
    sessionHoursPerDay = daily { $0.sessionSeconds / 3600 }
    satelliteSecondsPerDay = daily { $0.satelliteSeconds }
  }

  /// Violations only because a motion report came later than the policy assumes.
  public var untoldViolations: Int { excuses[GuaranteeAudit.Premise.untoldMotion.rawValue] ?? 0 }

  /// Right alarms among the right and the false; NaN without either.
  public var precision: Double { Self.precision(all.caught, falseAlarms) }
  /// The same, leaving out false alarms that only said "possible".
  public var precisionOfCertain: Double { Self.precision(all.caught, falseAlarms - falsePossible) }
  public var falseAlarmsPerDay: Double { days > 0 ? Double(falseAlarms) / days : .nan }
  public func earliness(quantile share: Double) -> Double { Quantiles(earliness).value(share) }

  private static func precision(_ right: Int, _ wrong: Int) -> Double {
    right + wrong > 0 ? Double(right) / Double(right + wrong) : .nan
  }

  private static func caught(_ outcomes: [Matching.Outcome], _ counts: (Matching.Outcome) -> Bool) -> Caught {
    let chosen = outcomes.filter(counts)
    return Caught(visits: chosen.count, caught: chosen.count(where: \.isCaught))
  }

  private static func lead(_ all: [LeadMatching]) -> Lead {
    let wrong = all.map(\.falseAlarms.count).reduce(0, +)
    let entries = all.flatMap(\.entries)
    return Lead(
      alarms: all.map(\.right).reduce(0, +) + wrong, falseAlarms: wrong, entries: entries.count,
      unwarned: entries.count { !$0.isWarned }, shares: entries.compactMap(\.share))
  }

  private static func delay(_ outcomes: [Matching.Outcome], _ counts: (Matching.Outcome) -> Bool) -> Delay {
    let chosen = outcomes.filter { $0.isCaught && counts($0) }
    return Delay(
      lateness: chosen.compactMap(\.lateness).map { max(0, $0) }, depths: chosen.compactMap(\.depth))
  }

  /// NaN unless every trial has its reference.
  private static func ratio(_ values: [Double], _ references: [Double?]) -> Double {
    let known = references.compactMap(\.self)
    guard known.count == values.count else { return .nan }
    let whole = known.reduce(0, +)
    return whole > 0 ? values.reduce(0, +) / whole : .nan
  }
}

extension EnergyLedger {
  /// Energy spent on positions, sessions included; without waking, monitoring, motion and alerts.
  public var location: Double {
    self[.session] + self[.satellites] + self[.satelliteTail] + self[.networkFix] + self[.lookup]
  }
}
