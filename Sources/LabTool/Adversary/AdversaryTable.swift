import AlarmEngine
import CommandLineSupport
import PhoneSimulator

/// The printed output of `adversary`: promises by host and trigger, and the broken ones.
struct AdversaryTable {
  private let found: [AdversaryTrial.Found]
  private let hosts: [Capabilities.Host]
  /// The promises that were broken although their premises held.
  let broken: [AdversaryTrial.Found]

  /// Broken promises listed, at most.
  static let mostListed = 25

  init(_ found: [AdversaryTrial.Found], _ hosts: [Capabilities.Host]) {
    self.found = found
    self.hosts = hosts
    broken = found.filter { $0.isBroken && $0.falsePremise == nil }
  }

  var lines: [String] {
    var table = TextTable(flushRight: [2, 3])
    table.add(["host", "trigger", "promised", "broken", "excused"])
    for host in hosts {
      for kind in AdversaryTrial.Kind.allCases {
        table.add([host.symbol, kind.rawValue] + counts(host, kind))
      }
    }
    var lines = table.lines
    if !broken.isEmpty { lines.append("") }
    lines += broken.prefix(Self.mostListed).map(words)
    if broken.count > Self.mostListed { lines.append("and \(broken.count - Self.mostListed) more") }
    return lines
  }

  private func counts(_ host: Capabilities.Host, _ kind: AdversaryTrial.Kind) -> [String] {
    let row = found.filter { $0.job.host == host && $0.kind == kind }
    let excuses = Dictionary(grouping: row.compactMap(\.falsePremise), by: \.self).sorted { $0.key < $1.key }
      .map { "\($0.value.count) \($0.key)" }
    return [
      String(row.count), String(row.count { $0.isBroken && $0.falsePremise == nil }),
      excuses.isEmpty ? "0" : excuses.joined(separator: ", "),
    ]
  }

  private func words(_ found: AdversaryTrial.Found) -> String {
    let (visit, job, zone) = (found.visit, found.job, found.zone)
    let second = Int((visit.entry - found.start).seconds)
    let command =
      "proximity-lab adversary --seed \(job.seed) --seeds 1 --host \(job.host.symbol)"
      + (job.isMeasured ? " --measured" : "")
    return
      "zone \(zone.id.rawValue) (\(zone.assurance), \(zone.trigger.kind.word), \(found.kind.rawValue)) "
      + "at second \(second): \(command)"
  }
}
