import CommandLineSupport
import PhoneSimulator

/// The page of `simulate --sensitivity --report`: the claims that hold for all values of the phones'
/// parameters, and the parameters that change the certified policy's energy most.
struct SensitivityReport {
  private let sensitivity: Sensitivity
  private static let mostBars = 24

  init(_ sensitivity: Sensitivity) { self.sensitivity = sensitivity }

  var html: String {
    simulationPage(
      title: "Sensitivity of the claims",
      said:
        "\(Sensitivity.counts(sensitivity.rows.map(\.parameter))), each set to both ends of its range, one at a time",
      body: """
        <h2>Claims</h2><p class="sub">A claim holds only if its sign is the same over every range. Leads below 0.001 in \
        recall or 1 % in energy count as none.</p>\(claims)
        \(sensitivity.hosts.map { tornado($0) }.joined())
        <h2>All numbers</h2><div class="scroll"><pre>\
        \(SensitivityTable(sensitivity).lines.map { escaped($0) }.joined(separator: "\n"))</pre></div>
        """, scenes: [])
  }

  private var claims: String {
    let rows = sensitivity.claims.map { claim -> String in
      let holds = sensitivity.breakers(of: claim).isEmpty
      return """
        <li><b>\(claim.metric == .recall ? "Recall" : "Energy") against \(escaped(claim.rival)) on \(claim.host)</b>\
        <span>lead \(SensitivityTable.lead(claim, sensitivity))</span>\
        <span class="\(holds ? "sub" : "")">\(escaped(SensitivityTable.verdict(claim, sensitivity)))</span></li>
        """
    }.joined()
    return "<ol class=\"cases\">\(rows)</ol>"
  }

  /// A chart of the certified policy's energy between each parameter's ends.
  private func tornado(_ host: String) -> String {
    let rows = SensitivityTable.order(sensitivity, on: host).prefix(Self.mostBars).filter {
      sensitivity.span($0, on: host) > 0
    }
    guard let standard = sensitivity.standard.certified[host]?.joulesPerDay, !rows.isEmpty else { return "" }
    let ends = rows.flatMap { row in [row.low, row.high].compactMap { $0.certified[host]?.joulesPerDay } }
    let (least, most) = (min(standard, ends.min() ?? standard), max(standard, ends.max() ?? standard))
    let width = max(1e-9, most - least)
    func share(_ joules: Double) -> Double { 100 * (joules - least) / width }
    let bars = rows.map { row -> String in
      let parts = [
        ("low", row.low, row.parameter.range.lowerBound), ("high", row.high, row.parameter.range.upperBound),
      ]
      .map { name, point, value -> String in
        let end = point.certified[host]?.joulesPerDay ?? standard
        let (from, to) = (share(min(end, standard)), share(max(end, standard)))
        return """
          <i class="\(name)" style="left:\(drawn(from))%;width:\(drawn(to - from))%" \
          title="\(SensitivityTable.value(value)): \(SimulationTable.number(end, 0)) J/day"></i>
          """
      }.joined()
      let (low, high) = (
        row.low.certified[host]?.joulesPerDay ?? .nan, row.high.certified[host]?.joulesPerDay ?? .nan
      )
      return """
        <span>\(escaped(row.parameter.name)) \(SensitivityTable.value(row.parameter.range.lowerBound)) to \
        \(SensitivityTable.value(row.parameter.range.upperBound))</span><span>\(SimulationTable.number(low, 0)) to \
        \(SimulationTable.number(high, 0)) J</span><span class="bar">\(parts)<b style="left:\(drawn(share(standard)))%"></b></span>
        """
    }.joined()
    return """
      <h2>Energy of the certified policy on \(host)</h2><p class="sub">\(SimulationTable.number(standard, 0)) J/day with \
      the standard values (the line). The widest range comes first.</p><p class="keys"><span><i class="dot h1"></i>low end</span>\
      <span><i class="dot h2"></i>high end</span></p><div class="torn">\(bars)</div>
      """
  }
}
