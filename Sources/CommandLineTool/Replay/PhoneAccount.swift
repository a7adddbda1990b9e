import AlarmEngine
import CommandLineSupport
import Geometry

/// A description of what a phone did, compared with a replay of its journal.
struct PhoneAccount {
  let differences: [PhoneDifference]
  private let replay: PhoneReplay
  private let fixes: [Fix]
  private let names: [ZoneID: Text]

  /// Nil for a track that is not the journal of a phone.
  init?(_ run: ReplayRun) {
    guard let replay = run.phone else { return nil }
    self.replay = replay
    fixes = run.devices.flatMap(\.fixes).sorted { $0.receivedAt < $1.receivedAt }
    names = run.zoneNames
    differences = PhoneDifference.all(in: replay)
  }

  private func name(_ zone: ZoneID) -> String { displayName(names[zone] ?? .empty) }

  /// The lines below the summary of a replay.
  var lines: [String] {
    var lines = ["", "On the phone: \(counted(replay.told.count, "alarm", "alarms"))"]
    var table = TextTable()
    for told in replay.told {
      table.add(["  \(name(told.report.zone))", words(told)])
    }
    lines += table.lines
    return lines + replay.requests.lines() + differenceLines
  }

  var differenceLines: [String] {
    guard !differences.isEmpty else { return [] }
    return ["", "Differences on the phone:"] + differences.map { "  \($0.words(name))" }
  }

  private func words(_ told: PhoneReplay.ToldAlarm) -> String {
    let decided = told.at - told.event.time
    let late = decided >= .seconds(1) ? ", \(spanWords(decided)) after it happened" : ""
    let shown = told.shownAt.map { shown in
      shown - told.at < .seconds(1) ? "shown at once" : "shown at \(timeWords(shown))"
    }
    return "decided at \(timeWords(told.at))\(late); \(shown ?? "not recorded as shown")"
  }

  /// The lines below the explanation of a zone at a time: the phone's alarm for it, and its positions.
  func lines(about zone: ZoneID, at time: Instant) -> [String] {
    var lines: [String] = []
    if let told = replay.told.last(where: { $0.report.zone == zone && $0.event.time <= time }) {
      lines.append("On the phone: rang, \(words(told)).")
    } else {
      lines.append("On the phone: it had not rung by then.")
    }
    let before = fixes.last { $0.receivedAt <= time }
    let after = fixes.first { $0.receivedAt > time }
    let first = before.map {
      "the last at \(timeWords($0.receivedAt)), \(spanWords(time - $0.receivedAt)) before"
    }
    let next = after.map { "the next \(spanWords($0.receivedAt - time)) after" }
    lines.append(
      "Positions: \([first ?? "none before", next ?? "none after"].joined(separator: "; ")).")
    lines += replay.requests.lines(at: time)
    for difference in differences where difference.zone == zone || difference.zone == nil {
      lines.append("Difference on the phone: \(difference.words(name)).")
    }
    return lines
  }
}
