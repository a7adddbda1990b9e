import AlarmEngine
import Geometry

/// Alarms of zones that ring a time before they are entered, set against the entries that followed. None of them counts
/// as an entry's alarm: it is to come before.
public struct LeadMatching: Sendable {
  /// An entry that was to be warned of.
  public struct Entry: Hashable, Sendable {
    public let visit: GroundTruth.Visit
    /// The time before the entry at which the zone is to ring.
    public let asked: TimeSpan
    /// The first alarm from ``LeadMatching/longest`` times that before the entry on, until the phone was out again.
    public let raisedAt: Instant?
    /// The time from the alarm to the entry over the time asked; nil if no alarm came before the entry.
    public var share: Double? {
      guard let raisedAt, raisedAt <= visit.entry else { return nil }
      return (visit.entry - raisedAt).seconds / asked.seconds
    }
    public var isWarned: Bool { share != nil }
  }

  /// An alarm is right if an entry follows within so many times the time asked.
  public static let longest = 4.0

  /// Those to which a warning is owed, and before which the truth is known, in order.
  public let entries: [Entry]
  /// Alarms that an entry followed.
  public let right: Int
  /// Alarms that none followed.
  public let falseAlarms: [Matching.FalseAlarm]
  /// Alarms that came only within the zone, that preceded a way past it within the truth's error, and those after which
  /// the truth is not known.
  public let neither: Int

  /// - Parameters:
  ///   - asked: the time before the entry, of each zone that has one; alarms and visits of others do not count.
  ///   - distance: metres from a zone's line at a time.
  init(
    _ alarms: [TrialRecord.Alarm], with truth: GroundTruth, asked: [ZoneID: TimeSpan],
    windows: Matching.Windows, distance: (ZoneID, Instant) -> Double
  ) {
    var entries: [Entry] = []
    for visit in truth.visits where visit.isOwed {
      guard let lead = asked[visit.zone], truth.isKnown((visit.entry - lead)...visit.entry) else { continue }
      let first = visit.entry - lead * Self.longest
      let raisedAt = alarms.first {
        $0.zone == visit.zone && $0.raisedAt >= first && $0.raisedAt <= max(visit.exit, visit.entry)
      }?.raisedAt
      entries.append(Entry(visit: visit, asked: lead, raisedAt: raisedAt))
    }
    self.entries = entries
    var right = 0
    var neither = 0
    var falseAlarms: [Matching.FalseAlarm] = []
    for alarm in alarms {
      guard let lead = asked[alarm.zone] else { continue }
      let window = alarm.raisedAt...(alarm.raisedAt + lead * Self.longest)
      let visits = truth.visits.filter { $0.zone == alarm.zone }
      let isFollowed = visits.contains { $0.stay > 0 && window.contains($0.entry) }
      let isLate = visits.contains {
        $0.entry <= alarm.raisedAt && alarm.raisedAt <= $0.exit + .seconds(windows.after)
      }
      // An alarm of whose window a part is not known would be right only, never false.
      if !truth.isKnown(window) {
        neither += 1
      } else if isFollowed {
        right += 1
      } else if isLate || visits.contains(where: { window.overlaps($0.near) }) {
        neither += 1
      } else {
        falseAlarms.append(Matching.FalseAlarm(alarm, distance: distance(alarm.zone, alarm.raisedAt)))
      }
    }
    self.right = right
    self.neither = neither
    self.falseAlarms = falseAlarms
  }
}

extension Zone {
  /// The time before its entry at which the zone is to ring; nil for one without, and for those that ring on leaving or
  /// after a stay.
  var warningTime: TimeSpan? {
    guard case .enter = trigger, let leadTime, leadTime > .zero else { return nil }
    return leadTime
  }
}
