import Foundation
import PhoneSimulator

/// One page that shows what `simulate` measured: energy against lateness, where the energy went, and the worst visits
/// with the command that repeats each alone. Self-contained: it loads nothing, from nowhere.
struct SimulationReport {
  private let run: SimulationRun
  private let lines: [SimulationRun.Line]
  private let command: (SimulationRun.Entry) -> String
  private static let mostWorst = 25

  /// - Parameter command: what repeats one trial.
  init(_ run: SimulationRun, command: @escaping (SimulationRun.Entry) -> String) {
    self.run = run
    self.command = command
    lines = run.overall
  }

  var html: String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <meta name="color-scheme" content="light dark">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
    <title>What each policy misses and costs</title>
    <style>\(reportStyle)\(Self.style)</style></head>
    <body><main class="wide"><header><h1>What each policy misses and costs</h1>
    <p class="sub">\(counted(run.entries.count, "simulated day or track", "simulated days or tracks")), \
    \(counted(lines.count, "policy on its host", "policies on their hosts"))</p></header>
    <h2>Energy against lateness</h2><p class="sub">Lower and further left is better. A missed visit counts as 300 s.</p>
    \(plot)
    <h2>Where the energy goes</h2>\(ledger)
    <h2>Worst visits</h2>\(worst)
    <h2>False alarms</h2>\(falseAlarms)
    <h2>All numbers</h2><div class="scroll"><pre>\(escapedLines(SimulationTable(run).lines))</pre></div>
    </main></body></html>

    """
  }

  private func escapedLines(_ lines: [String]) -> String {
    lines.map { escaped($0) }.joined(separator: "\n")
  }

  private static let style = """
    body{display:block;height:auto;overflow:auto}main.wide{box-sizing:border-box;width:100%;max-width:1080px;height:auto;margin:0 auto;padding:24px 16px 64px;overflow:visible}.pareto{width:100%;overflow:visible;height:auto;background:var(--surface);border-radius:12px}
    .pareto text{font-size:12px;fill:var(--ink2)}.pareto .tick{stroke:var(--line)}.pareto circle{fill:var(--primary)}
    .pareto .h2 circle{fill:var(--alarm)}.pareto .name{fill:var(--ink)}
    .bars{display:grid;grid-template-columns:max-content 1fr max-content;gap:6px 12px;align-items:center}
    .bars .bar{display:flex;height:16px;background:var(--surface2);border-radius:4px;overflow:hidden}.bars i{height:100%}
    .keys{display:flex;flex-wrap:wrap;gap:4px 16px;margin:12px 0}.keys i{display:inline-block;width:12px;height:12px;border-radius:3px;margin-right:6px}
    .scroll{overflow-x:auto}pre,code{font:.8125rem/1.4 ui-monospace,monospace}td,th{text-align:left;padding:4px 12px 4px 0}
    """
}

// MARK: Energy against lateness

extension SimulationReport {
  private static let plotSize = (width: 960.0, height: 460.0)
  private static let frame = (left: 64.0, right: 150.0, top: 20.0, bottom: 48.0)

  private var plot: String {
    let (width, height) = Self.plotSize
    let shown = lines.filter {
      $0.metrics.restrictedMeanLateness.isFinite && $0.metrics.joulesPerDay.isFinite
    }
    let greatest = max(1000, shown.map(\.metrics.joulesPerDay).max() ?? 0)
    var marks = ""
    for joules in [10.0, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000] where joules <= greatest * 1.2 {
      let x = Self.x(joules, greatest)
      marks += """
        <path class="tick" d="M\(drawn(x)) \(drawn(Self.frame.top))V\(drawn(height - Self.frame.bottom))"/>\
        <text x="\(drawn(x))" y="\(drawn(height - 28))" text-anchor="middle">\(fixedPoint(joules, decimals: 0))</text>
        """
    }
    for seconds in [0.0, 3, 10, 30, 100, 300] {
      let y = Self.y(seconds)
      marks += """
        <path class="tick" d="M\(drawn(Self.frame.left)) \(drawn(y))H\(drawn(width - Self.frame.right))"/>\
        <text x="56" y="\(drawn(y + 4))" text-anchor="end">\(fixedPoint(seconds, decimals: 0)) s</text>
        """
    }
    var names: [(x: Double, y: Double)] = []
    for line in shown {
      let x = Self.x(line.metrics.joulesPerDay, greatest)
      let y = Self.y(line.metrics.restrictedMeanLateness)
      // A name that would lie on another moves down to the next free line.
      var nameY = y + 4
      while names.contains(where: { abs($0.x - x) < 120 && abs($0.y - nameY) < 12 }) { nameY += 12 }
      names.append((x, nameY))
      let words =
        "\(line.subject.policy) on \(line.subject.host), \(line.subject.profile): "
        + "\(fixedPoint(line.metrics.joulesPerDay, decimals: 0)) J/day, "
        + "\(fixedPoint(line.metrics.restrictedMeanLateness, decimals: 1)) s"
      marks += """
        <g class="\(line.subject.host == "H2" ? "h2" : "h1")"><title>\(escaped(words))</title>\
        <circle cx="\(drawn(x))" cy="\(drawn(y))" r="6"/>\
        <text class="name" x="\(drawn(x + 10))" y="\(drawn(nameY))">\(escaped(line.subject.policy))</text></g>
        """
    }
    return """
      <svg class="pareto" viewBox="0 0 \(drawn(width)) \(drawn(height))" role="img" \
      aria-label="Energy a day against mean lateness, one dot a policy">\(marks)\
      <text x="\(drawn(width / 2))" y="\(drawn(height - 8))" text-anchor="middle">joules a day beyond the phone's own</text></svg>
      <p class="sub">Dots of the suspended phone (H2) are red.</p>
      """
  }

  /// Both axes are logarithmic, the upright one from one second on.
  private static func x(_ joules: Double, _ greatest: Double) -> Double {
    let share = log(max(joules, 10) / 10) / log(greatest * 1.2 / 10)
    return frame.left + min(1, share) * (plotSize.width - frame.left - frame.right)
  }
  private static func y(_ seconds: Double) -> Double {
    let share = log(1 + max(0, seconds)) / log(1 + EvaluationMetrics.lateCap)
    return plotSize.height - frame.bottom - share * (plotSize.height - frame.top - frame.bottom)
  }
}

// MARK: The ledger and the worst

extension SimulationReport {
  /// Told apart by eyes that do not see red and green alike.
  private static let colours: [(component: EnergyLedger.Component, name: String, colour: String)] = [
    (.session, "sessions", "#0072B2"), (.satellites, "satellites", "#D55E00"),
    (.satelliteTail, "after satellites", "#E69F00"), (.networkFix, "Wi-Fi and cell", "#56B4E9"),
    (.lookup, "lookups", "#999999"), (.wake, "waking", "#CC79A7"), (.processor, "processor", "#F0E442"),
    (.monitoring, "fences", "#009E73"), (.motion, "motion", "#8C6BB1"), (.cellular, "cellular", "#5B5B5B"),
    (.alert, "alerts", "#B15928"),
  ]

  private var ledger: String {
    let keys = Self.colours.map { "<span><i style=\"background:\($0.colour)\"></i>\($0.name)</span>" }
      .joined()
    let rows = lines.sorted { $0.metrics.joulesPerDay < $1.metrics.joulesPerDay }.map { line -> String in
      let total = max(line.metrics.joulesPerDay, 1e-9)
      let parts = Self.colours.map { part -> String in
        let joules = line.metrics.components.first { $0.component == part.component }?.joulesPerDay ?? 0
        return "<i style=\"width:\(drawn(100 * joules / total))%;background:\(part.colour)\"></i>"
      }.joined()
      return """
        <span>\(escaped(line.subject.policy)) \(line.subject.host) \(escaped(line.subject.profile))</span>\
        <span class="bar">\(parts)</span><span>\(SimulationTable.number(line.metrics.joulesPerDay, 0)) J/day</span>
        """
    }.joined()
    return "<div class=\"keys\">\(keys)</div><div class=\"bars\">\(rows)</div>"
  }

  private var worst: String {
    var found: [(late: Double, entry: SimulationRun.Entry, outcome: Matching.Outcome)] = []
    for entry in run.entries {
      for outcome in entry.result.matching.outcomes {
        let late = outcome.isCaught ? max(0, outcome.lateness ?? 0) : EvaluationMetrics.lateCap
        if late > 0 { found.append((late, entry, outcome)) }
      }
    }
    guard !found.isEmpty else { return "<p>No visit was missed or alarmed late.</p>" }
    let order = found.indices.sorted {
      found[$0].late == found[$1].late ? $0 < $1 : found[$0].late > found[$1].late
    }
    let rows = order.prefix(Self.mostWorst).map { index -> String in
      let (late, entry, outcome) = found[index]
      let words = outcome.isCaught ? "\(fixedPoint(late, decimals: 1)) s late" : "missed"
      return """
        <tr><td>\(words)</td><td>\(escaped(run.courses[entry.course].course.name))</td>\
        <td>\(rfc3339(outcome.visit.entry))</td><td><code>\(escaped(command(entry)))</code></td></tr>
        """
    }.joined()
    return """
      <div class="scroll"><table><tr><th>how</th><th>journey</th><th>entry</th><th>alone again</th></tr>\(rows)</table></div>
      """
  }

  /// The farthest from their zones.
  private var falseAlarms: String {
    let found = run.entries.flatMap { entry in entry.result.matching.falseAlarms.map { (entry, $0) } }
    guard !found.isEmpty else { return "<p>None.</p>" }
    let order = found.indices.sorted {
      found[$0].1.distance == found[$1].1.distance ? $0 < $1 : found[$0].1.distance > found[$1].1.distance
    }
    let rows = order.prefix(Self.mostWorst).map { index -> String in
      let (entry, alarm) = found[index]
      return """
        <tr><td>\(lengthWords(.metres(max(0, alarm.distance)))) off</td>\
        <td>\(escaped(run.courses[entry.course].course.name))</td><td>\(rfc3339(alarm.raisedAt))</td>\
        <td><code>\(escaped(command(entry)))</code></td></tr>
        """
    }.joined()
    return """
      <p class="sub">\(counted(found.count, "alarm", "alarms")) at no visit</p><div class="scroll"><table>\
      <tr><th>how far</th><th>journey</th><th>when</th><th>alone again</th></tr>\(rows)</table></div>
      """
  }
}
