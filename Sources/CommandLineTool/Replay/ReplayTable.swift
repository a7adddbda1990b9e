import AlarmEngine
import CommandLineSupport
import Geometry

/// The rows of a replay for people: one for each event, except that repeats are only counted.
struct ReplayTable {
  private let run: ReplayRun
  private let names: [ZoneID: Text]
  private let rings: [AlarmKey: Rings]

  private struct AlarmKey: Hashable {
    let device: Int
    let alarm: AlarmID
  }
  private struct Rings {
    /// The first repeat; the row is placed there.
    let first: ReplayRun.Entry
    var count = 0
    var last: Instant
  }

  init(_ run: ReplayRun) {
    self.run = run
    names = run.zoneNames
    var rings: [AlarmKey: Rings] = [:]
    for entry in run.entries {
      guard case .repeat(let report) = entry.event.kind else { continue }
      let key = AlarmKey(device: entry.device, alarm: report.alarm)
      rings[key, default: Rings(first: entry, last: entry.event.time)].count += 1
      rings[key]!.last = max(rings[key]!.last, entry.event.time)
    }
    self.rings = rings
  }

  /// Rows of time, zone, event and reason, with the days as headings. Ignored fixes are listed in the
  /// summary.
  var lines: [String] {
    var lines: [String] = []
    var day = ""
    var table = TextTable()
    func close() {
      lines += table.lines
      table = TextTable()
    }
    var told: Set<AlarmKey> = []
    func tell(_ entry: ReplayRun.Entry) {
      // The repeats of an alarm come before its end, even if both have the same time.
      if case .cleared(let report, _) = entry.event.kind,
        let rings = rings[AlarmKey(device: entry.device, alarm: report.alarm)]
      {
        tell(rings.first)
      }
      guard let cells = cells(for: entry, told: &told) else { return }
      let date = CalendarTime(entry.event.time).date
      if date != day {
        close()
        if !lines.isEmpty { lines.append("") }
        lines.append("\(date) (\(PrintedZone.words))")
        day = date
      }
      table.add(cells)
    }
    for entry in run.entries { tell(entry) }
    close()
    return lines
  }

  private func cells(for entry: ReplayRun.Entry, told: inout Set<AlarmKey>) -> [String]? {
    let event = entry.event
    let start = [clockWords(event.time)] + (run.devices.count > 1 ? [deviceName(entry.device)] : [])
    switch event.kind {
    case .alarm(let report):
      let late = lateness(of: event)
      return start + [
        name(report.zone), "ALARM", "\(ringWords(report.cause, report.distance))\(late)",
      ]
    case .repeat(let report):
      let key = AlarmKey(device: entry.device, alarm: report.alarm)
      guard told.insert(key).inserted, let rings = rings[key] else { return nil }
      let times = counted(rings.count, "more time", "more times")
      return start + [
        name(report.zone), "rang", "\(times) until \(clockWords(rings.last, nextTo: event.time))",
      ]
    case .cleared(let report, let clearing):
      return start + [
        name(report.zone), "cleared",
        "\(words(clearing)), \(distanceWords(report.distance))\(lateness(of: event))",
      ]
    case .missedSignal(let zone, let distance, _):
      return start + [name(zone), "NO SIGNAL", "no fix while \(distanceWords(distance))"]
    case .perhaps(let zone, let distance, _, let probability):
      return start + [
        name(zone), "perhaps",
        "\(percentage(probability)) likely inside, \(distanceWords(distance))",
      ]
    case .notice(let zone):
      return start + [name(zone), "notice", noticeTitle(zone)]
    case .proposal(let proposal):
      let people = counted(proposal.contactNumbers.count, "number", "numbers")
      let texts = counted(proposal.lines.count, "message", "messages")
      return start + ["", "proposes", "\(texts) to \(people), to be sent by you"]
    case .ignored:
      return nil
    }
  }

  private func lateness(of event: Event) -> String {
    var text = ""
    let decided = event.decidedAt - event.time
    if decided >= .seconds(1) { text += "; decided \(spanWords(decided)) later" }
    let learned = event.learnedAt - event.decidedAt
    if learned >= .seconds(1) { text += "; the fix arrived \(spanWords(learned)) late" }
    return text
  }

  private func name(_ zone: ZoneID) -> String { displayName(names[zone] ?? .empty) }

  private func noticeTitle(_ zone: ZoneID) -> String {
    let notice = run.zones.first { $0.zone.id == zone }?.zone.notice
    return notice.map { printable($0.title.string) } ?? ""
  }

  private func deviceName(_ device: Int) -> String {
    let name = printable(run.devices[device].name)
    return name.isEmpty ? "device \(device + 1)" : name
  }
}
