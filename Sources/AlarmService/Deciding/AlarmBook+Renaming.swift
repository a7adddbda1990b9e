import AlarmEngine
import Store

/// Keeps one visit under one id.
///
/// The engine names an alarm by the time at which it began. A position that arrives late may move that time: the engine then
/// retracts the alarm and adds it under another id. Its record stays, under the id that people were told, and notes the other
/// one as `AlarmRecord.engineID`.
extension AlarmBook {
  /// A stretch of time in which an alarm of a zone rang, as the events of a change have it.
  private struct Visit {
    let alarm: AlarmID
    let zone: ZoneID
    let began: Instant
    let ended: Instant

    /// How long both rang; negative by the time between them if they did not meet.
    func overlap(with other: Visit) -> TimeSpan { min(ended, other.ended) - max(began, other.began) }
  }

  /// An interpolated passage may move so far, where it is too short to meet its former self.
  private static let moves = TimeSpan.minutes(2)

  /// The alarms that a change retracts and adds under another id: the former id, and the present one. Of several that can be
  /// meant it is the one with which the alarm shares most time.
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
