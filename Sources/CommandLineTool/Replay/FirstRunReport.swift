import AlarmEngine
import CommandLineSupport
import Formats
import Foundation

/// The report of a phone's first run, as the Android app saves it (`FirstRun.java`): the phone's properties,
/// and which of the ten steps of docs/android-first-run.md happened on it.
struct FirstRunReport {
  /// The largest report in bytes; the app writes a few thousand.
  private static let largest = 1 << 20
  private static let steps = [
    "installed", "page shown", "precise location allowed", "nothing left to allow",
    "test alarm rang, was stopped",
    "watched out of view", "rang out of view", "a problem was reported and resolved",
    "rang after a restart, app not opened",
    "report saved",
  ]

  private let report: JSONValue

  /// Nil for any other file.
  init?(path: String) {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    guard let bytes = try? file.read(upToCount: Self.largest + 1), bytes.count <= Self.largest else {
      return nil
    }
    self.init(Array(bytes))
  }

  init?(_ bytes: [UInt8]) {
    guard bytes.first == UInt8(ascii: "{"), let report = try? JSONValue.parse(bytes),
      report["report"]?.string == "proximity first run", case .integer(1)? = report["form"]
    else { return nil }
    self.report = report
  }

  private func whole(_ value: JSONValue?) -> Int64? {
    if case .integer(let number)? = value { number } else { nil }
  }

  /// The time at which a step happened; nil if it did not.
  private func time(of step: Int) -> Instant? {
    let told = report["steps"]?.list?.last { whole($0["step"]) == Int64(step) }
    guard let told, case .bool(true)? = told["happened"], let time = whole(told["at_ms"]) else { return nil }
    let instant = Instant(millisecondsSince1970: time)
    return Instant.allowed.contains(instant) ? instant : nil
  }

  var isComplete: Bool { (1...Self.steps.count).allSatisfy { time(of: $0) != nil } }

  var lines: [String] {
    func text(_ key: String) -> String { printable(String((report[key]?.string ?? "").prefix(60))) }
    var head = [
      "\(text("maker")) \(text("model"))", "Android \(whole(report["android"]) ?? 0)",
      "app \(text("version"))",
    ]
    if let battery = whole(report["battery"]), battery >= 0 { head.append("battery \(battery) %") }
    if let took = whole(report["page_ms"]), took >= 0 { head.append("page shown after \(took) ms") }
    var table = TextTable(flushRight: [0])
    for (index, name) in Self.steps.enumerated() {
      table.add(["\(index + 1)", name, time(of: index + 1).map(timeWords) ?? "did not happen"])
    }
    let troubles = (report["permissions"]?["troubles"]?.list ?? []).prefix(20).compactMap {
      $0["title"]?.string
    }
    return [head.joined(separator: ", "), ""] + table.lines
      + (troubles.isEmpty ? [] : ["", "Problems at that time:"] + troubles.map { "  \(printable($0))" })
  }
}
