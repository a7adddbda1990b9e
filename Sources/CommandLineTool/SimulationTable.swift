import PhoneSimulator

/// What `simulate` prints: a table for people, or the contract's lines.
struct SimulationTable {
  private let run: SimulationRun

  init(_ run: SimulationRun) { self.run = run }

  var lines: [String] {
    var table = TextTable(flushRight: Set(4...14))
    table.add([
      "scenario", "policy", "host", "profile", "visits", "recall", "95 %", "precision", "late s", "p95",
      "deep m",
      "J/day", "of on", "fixes/day", "of safe", "wakes/day", "broken",
    ])
    let isMany = Set(run.lines.map(\.subject.scenario)).count > 1
    for line in run.lines + (isMany ? run.overall : []) {
      let metrics = line.metrics
      table.add([
        line.subject.scenario, line.subject.policy, line.subject.host, line.subject.profile,
        String(metrics.visits), Self.number(metrics.recall, 3), Self.range(line.recall),
        Self.number(metrics.precision, 3), Self.number(metrics.lateness(quantile: 0.5), 1),
        Self.number(metrics.lateness(quantile: 0.95), 1), Self.number(metrics.depth(quantile: 0.95), 0),
        Self.number(metrics.joulesPerDay, 0), Self.percent(metrics.energyRatio),
        Self.number(metrics.fixesPerDay, 0), Self.number(metrics.fixesRatio, 2),
        Self.number(metrics.wakesPerDay, 0), Self.broken(metrics),
      ])
    }
    return table.lines
  }

  static func json(_ line: SimulationRun.Line) -> String {
    let metrics = line.metrics
    var json = JSONLine()
    json.add("policy", .string(line.subject.policy))
    json.add("host", .string(line.subject.host))
    json.add("profile", .string(line.subject.profile))
    json.add("scenario", .string(line.subject.scenario))
    json.add("visits", .integer(metrics.visits))
    json.add("caught", .integer(metrics.caught))
    json.add("recall", .number(metrics.recall))
    json.add("precision", .number(metrics.precision))
    json.add("latency_median_s", .seconds(metrics.lateness(quantile: 0.5)))
    json.add("latency_p95_s", .seconds(metrics.lateness(quantile: 0.95)))
    json.add("depth_p95_m", .metres(metrics.depth(quantile: 0.95)))
    json.add("energy_j_per_day", .number(metrics.joulesPerDay))
    json.add("energy_ratio", .number(metrics.energyRatio))
    json.add("fixes_per_day", .number(metrics.fixesPerDay))
    json.add("fixes_ratio", .number(metrics.fixesRatio))
    json.add("wakes_per_day", .number(metrics.wakesPerDay))
    json.add("violations", .integer(metrics.violations))
    return json.string
  }

  /// What has no value is a dash.
  static func number(_ value: Double, _ decimals: Int) -> String {
    value.isFinite ? fixedPoint(value, decimals: decimals) : "-"
  }
  static func percent(_ share: Double) -> String { share.isFinite ? number(100 * share, 1) + " %" : "-" }
  private static func range(_ range: ClosedRange<Double>?) -> String {
    range.map { "\(number($0.lowerBound, 2))-\(number($0.upperBound, 2))" } ?? "-"
  }
  private static func broken(_ metrics: EvaluationMetrics) -> String {
    metrics.excusedViolations == 0
      ? String(metrics.violations) : "\(metrics.violations) (and \(metrics.excusedViolations) excused)"
  }
}
