import Foundation

/// Records for which time each system alarm was planned, and when iOS said that it alerted. Alarms in close
/// succession are reported to come minutes late; the report of the first run shows whether they do here.
///
/// While the app is suspended iOS says it later, when the app next runs. In a pause of an alarm the app plays
/// silence, so it runs then.
@MainActor
final class SystemAlarmLog {
  private static let name = "system-alarms"
  /// The most alarms kept, the latest.
  private static let most = 200
  private let files: EngineFiles
  /// In ms since 1970, by the time planned for.
  private var times: [Int64: Int64?] = [:]
  /// The time for which each alarm was planned that has not alerted yet.
  private var waiting: [UUID: Int64] = [:]

  init(files: EngineFiles) { self.files = files }

  func planned(_ id: UUID, for date: Date) {
    let time = Int64((date.timeIntervalSince1970 * 1000).rounded())
    waiting[id] = time
    keep(time, nil)
  }

  /// iOS says that these alarms alert.
  func alerting(_ ids: [UUID]) {
    for id in ids {
      guard let planned = waiting.removeValue(forKey: id) else { continue }
      keep(planned, Platform.now.millisecondsSince1970)
    }
  }

  private func keep(_ planned: Int64, _ alerted: Int64?) {
    if times.isEmpty { times = kept }
    times[planned] = alerted
    let latest = times.sorted { $0.key < $1.key }.suffix(Self.most)
    files.note(Set(latest.map { "\($0.key)=\($0.value.map(String.init) ?? "")" }), as: Self.name)
  }

  private var kept: [Int64: Int64?] {
    var times: [Int64: Int64?] = [:]
    for word in files.noted(as: Self.name) {
      let parts = word.split(separator: "=", omittingEmptySubsequences: false)
      if parts.count == 2, let planned = Int64(parts[0]) { times[planned] = .some(Int64(parts[1])) }
    }
    return times
  }

  /// For the report, the earliest first: `planned_ms`, and `alerted_ms` if iOS said so.
  var fields: [[String: Int64]] {
    kept.sorted { $0.key < $1.key }.map { planned, alerted in
      ["planned_ms": planned].merging(alerted.map { ["alerted_ms": $0] } ?? [:]) { $1 }
    }
  }
}
