import AlarmEngine
import CommandLineSupport
import Formats
import Foundation

/// The report of a phone's first run, as the apps save it: the phone's properties, and which of the ten steps
/// of docs/android-first-run.md or docs/ios.md happened on it.
struct FirstRunReport {
  /// The largest report in bytes: the apps keep a journal of 8 MiB, and base64 takes a third more.
  private static let largest = 32 << 20
  private static let stepsOfAndroid = [
    "installed", "page shown", "precise location allowed", "nothing left to allow",
    "test alarm rang, was stopped",
    "watched out of view", "rang out of view", "a problem was reported and resolved",
    "rang after a restart, app not opened",
    "report saved",
  ]
  private static let stepsOfIOS = [
    "page shown", "everything allowed", "test alarm rang", "rang out of view", "stopped by the notification",
    "system alarm ended, came back", "rang after an unlock", "warned of its silence",
    "a trouble was told and taken back", "report saved",
  ]

  private let report: JSONValue
  /// True if the report has the journal as well.
  let hasJournal: Bool
  private var isOfIOS: Bool { report["ios"] != nil }
  private var steps: [String] { isOfIOS ? Self.stepsOfIOS : Self.stepsOfAndroid }

  /// Nil for any other file.
  init?(path: String) {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    guard let head = try? file.read(upToCount: 4096), FirstRunFile.begins(Array(head)),
      let rest = try? file.read(upToCount: Self.largest) ?? Data(), rest.count < Self.largest
    else { return nil }
    self.init(Array(head + rest))
  }

  init?(_ bytes: [UInt8]) {
    guard let report = FirstRunFile(bytes) else { return nil }
    self.report = report.fields
    hasJournal = report.hasJournal
  }

  private func whole(_ value: JSONValue?) -> Int64? {
    if case .integer(let number)? = value { number } else { nil }
  }

  /// The time at which a step happened; nil if it did not.
  private func time(of step: Int) -> Instant? {
    let told = report["steps"]?.list?.last { whole($0["step"]) == Int64(step) }
    guard let told, case .bool(true)? = told["happened"] else { return nil }
    return instant(told["at_ms"])
  }

  private func instant(_ value: JSONValue?) -> Instant? {
    guard let time = whole(value) else { return nil }
    let instant = Instant(millisecondsSince1970: time)
    return Instant.allowed.contains(instant) ? instant : nil
  }

  var isComplete: Bool { (1...steps.count).allSatisfy { time(of: $0) != nil } }

  var lines: [String] {
    func text(_ key: String) -> String { printable(String((report[key]?.string ?? "").prefix(60))) }
    var head = [
      "\(text("maker")) \(text("model"))",
      isOfIOS ? "iOS \(text("ios"))" : "Android \(whole(report["android"]) ?? 0)",
      "app \(text("version"))",
    ]
    if let battery = whole(report["battery"]), battery >= 0 { head.append("battery \(battery) %") }
    if let took = whole(report["page_ms"]), took >= 0 { head.append("page shown after \(took) ms") }
    var table = TextTable(flushRight: [0])
    for (index, name) in steps.enumerated() {
      table.add(["\(index + 1)", name, time(of: index + 1).map(timeWords) ?? "did not happen"])
    }
    let lateness = systemAlarms.map { ["", $0] } ?? []
    let troubles = (report["permissions"]?["troubles"]?.list ?? []).prefix(20).compactMap {
      $0["title"]?.string
    }
    return [head.joined(separator: ", "), ""] + table.lines + lateness
      + (troubles.isEmpty ? [] : ["", "Problems at that time:"] + troubles.map { "  \(printable($0))" })
  }

  /// How late the system's alarms were, as far as it said so; nil where none was planned.
  private var systemAlarms: String? {
    let all = (report["system_alarms"]?.list ?? []).prefix(1000)
    guard !all.isEmpty else { return nil }
    let late = all.compactMap { alarm -> TimeSpan? in
      guard let planned = instant(alarm["planned_ms"]), let alerted = instant(alarm["alerted_ms"]) else {
        return nil
      }
      return max(.zero, alerted - planned)
    }.sorted()
    let words = "System alarms: \(all.count) planned, \(late.count) said to alert"
    guard let worst = late.last else { return words }
    return "\(words), \(spanWords(late[late.count / 2])) late in the middle, \(spanWords(worst)) at most"
  }
}
