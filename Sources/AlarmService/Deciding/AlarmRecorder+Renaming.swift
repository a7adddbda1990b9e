import AlarmEngine
import Store

/// Keeps one visit under one id.
///
/// The engine identifies an alarm by the time at which it began. A position that arrives late may move that
/// time: the engine then retracts the alarm and adds it under another id. Its record keeps the id that was
/// announced, and stores the new one as `AlarmRecord.engineID`.
extension AlarmRecorder {
  /// A period in which an alarm of a zone rang, by the events of a change.
  private struct Visit {
    let alarm: AlarmID
    let zone: ZoneID
    let began: Instant
    let ended: Instant

    /// Returns how long both rang; if they did not meet, the time between them as a negative value.
    func overlap(with other: Visit) -> TimeSpan { min(ended, other.ended) - max(began, other.began) }
  }

  /// The most that an interpolated passage may move if it is too short to overlap its earlier version.
  private static let moves = TimeSpan.minutes(2)

  /// Returns the alarms that a change retracts and adds under another id: the earlier id, and the present
  /// one. If several match, the one that overlaps the alarm longest is chosen.
  static func renamed(by change: Timeline.Change) -> [(former: AlarmID, present: AlarmID)] {
    let lost = visits(in: change.retracted)
    if lost.isEmpty { return [] }
    let found = visits(in: change.added)
    let (lostIDs, foundIDs) = (Set(lost.map(\.alarm)), Set(found.map(\.alarm)))
    var pairs: [(overlap: TimeSpan, former: Visit, present: Visit)] = []
    for former in lost where !foundIDs.contains(former.alarm) {
      for present in found where present.zone == former.zone && !lostIDs.contains(present.alarm) {
        let overlap = former.overlap(with: present)
        if overlap > .zero - moves { pairs.append((overlap, former, present)) }
      }
    }
    pairs.sort {
      ($1.overlap, $0.former.began, $0.present.began) < ($0.overlap, $1.former.began, $1.present.began)
    }
    var taken: Set<AlarmID> = []
    return pairs.compactMap { pair in
      guard !taken.contains(pair.former.alarm), !taken.contains(pair.present.alarm) else { return nil }
      taken.formUnion([pair.former.alarm, pair.present.alarm])
      return (pair.former.alarm, pair.present.alarm)
    }
  }

  private static func visits(in events: [Event]) -> [Visit] {
    var ends: [AlarmID: Instant] = [:]
    for case (.cleared(let report, _), let time) in events.map({ ($0.kind, $0.time) }) {
      ends[report.alarm] = time
    }
    var seen: Set<AlarmID> = []
    return events.compactMap { event in
      guard case .alarm(let report) = event.kind, seen.insert(report.alarm).inserted else { return nil }
      return Visit(
        alarm: report.alarm, zone: report.zone, began: event.time,
        ended: ends[report.alarm] ?? Instant.allowed.upperBound)
    }
  }
}
