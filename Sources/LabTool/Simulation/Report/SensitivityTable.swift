import CommandLineSupport
import PhoneSimulator

/// The printed output of `simulate --sensitivity`.
struct SensitivityTable {
  private let sensitivity: Sensitivity
  init(_ sensitivity: Sensitivity) { self.sensitivity = sensitivity }

  var lines: [String] {
    var claims = TextTable(flushRight: [3])
    claims.add(["certified against", "host", "metric", "lead", "over every open parameter's range"])
    for claim in sensitivity.claims {
      claims.add([
        claim.rival, claim.host, claim.metric == .recall ? "recall" : "J/day", Self.lead(claim, sensitivity),
        Self.verdict(claim, sensitivity),
      ])
    }
    var rows = TextTable(flushRight: [3, 4, 5, 6, 7, 8, 9])
    rows.add([
      "parameter", "known", "host", "low", "standard", "high", "J/day low", "high", "recall low", "high",
    ])
    for host in sensitivity.hosts {
      for row in Self.order(sensitivity, on: host) {
        guard let low = row.low.certified[host], let high = row.high.certified[host] else { continue }
        rows.add([
          row.parameter.name, row.parameter.evidence.rawValue, host,
          Self.value(row.parameter.range.lowerBound), Self.value(row.standard),
          Self.value(row.parameter.range.upperBound), SimulationTable.number(low.joulesPerDay, 0),
          SimulationTable.number(high.joulesPerDay, 0), SimulationTable.number(low.all.recall, 3),
          SimulationTable.number(high.all.recall, 3),
        ])
      }
    }
    return claims.lines + [""] + rows.lines
      + [
        "",
        "\(Sensitivity.counts(sensitivity.rows.map(\.parameter))). Known: A assumed, M measured by others, M* by us.",
      ]
  }

  /// The rows with the widest span of energy first.
  static func order(_ sensitivity: Sensitivity, on host: String) -> [Sensitivity.Row] {
    let spans = sensitivity.rows.map { sensitivity.span($0, on: host) }
    return spans.indices.sorted { spans[$0] == spans[$1] ? $0 < $1 : spans[$0] > spans[$1] }
      .map { sensitivity.rows[$0] }
  }

  static func value(_ value: Double) -> String {
    abs(value) >= 100 || value == value.rounded()
      ? fixedPoint(value, decimals: 0) : fixedPoint(value, decimals: 2)
  }

  static func lead(_ claim: Sensitivity.Claim, _ sensitivity: Sensitivity) -> String {
    guard let lead = sensitivity.standard.leads[claim], lead.isFinite else { return "-" }
    if claim.metric == .recall { return fixedPoint(lead, decimals: 3) }
    return "\(fixedPoint(100 * abs(lead), decimals: 0)) % \(lead < 0 ? "more" : "less")"
  }

  /// The words for a sign that stays the same, or the parameters that change it.
  static func verdict(_ claim: Sensitivity.Claim, _ sensitivity: Sensitivity) -> String {
    let sign = Sensitivity.sign(sensitivity.standard.leads[claim], claim.metric)
    let breakers = sensitivity.breakers(of: claim)
    let name = sign > 0 ? "better" : sign < 0 ? "worse" : "no difference"
    return breakers.isEmpty
      ? "\(name) throughout" : "\(name), but not at an end of \(breakers.joined(separator: ", "))"
  }
}
