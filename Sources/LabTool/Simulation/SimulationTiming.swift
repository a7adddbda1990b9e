import CommandLineSupport
import PhoneSimulator

/// The processor time on this machine for a day of each policy; the slowest first.
struct SimulationTiming {
  private let run: SimulationRun
  init(_ run: SimulationRun) { self.run = run }

  var lines: [String] {
    var table = TextTable(flushRight: [3, 4])
    table.add(["scenario", "policy", "host", "s a day", "worst"])
    var order: [SimulationRun.Subject] = []
    var grouped: [SimulationRun.Subject: [SimulationRun.Entry]] = [:]
    for entry in run.entries {
      if grouped[entry.subject] == nil { order.append(entry.subject) }
      grouped[entry.subject, default: []].append(entry)
    }
    let rows = order.map { subject -> (subject: SimulationRun.Subject, mean: Double, worst: Double) in
      let group = grouped[subject] ?? []
      let days = group.map { $0.took / max(1, $0.result.duration / 86_400) }
      return (subject, days.reduce(0, +) / Double(days.count), days.max() ?? 0)
    }
    for row in rows.sorted(by: { $0.worst > $1.worst }) {
      table.add([
        row.subject.scenario, row.subject.policy, row.subject.host, fixedPoint(row.mean, decimals: 3),
        fixedPoint(row.worst, decimals: 3),
      ])
    }
    return table.lines
  }
}
