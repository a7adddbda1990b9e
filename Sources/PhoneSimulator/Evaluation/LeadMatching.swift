import AlarmEngine
import Geometry

/// Alarms of zones that ring a given time before they are entered, matched with the entries that followed.
/// They are not matched like other alarms, because they have to come before the entry.
public struct LeadMatching: Sendable {
  /// An entry to warn of.
  public struct Entry: Hashable, Sendable {
    public let visit: GroundTruth.Visit
    /// The time before the entry at which the zone should ring.
    public let asked: TimeSpan
    /// The first alarm, from ``LeadMatching/longest`` times `asked` before the entry until the phone was out
    /// again.
    public let raisedAt: Instant?
    /// The time from the alarm to the entry divided by `asked`; nil if no alarm came before the entry.
    public var share: Double? {
      guard let raisedAt, raisedAt <= visit.entry else { return nil }
      return (visit.entry - raisedAt).seconds / asked.seconds
    }
    public var isWarned: Bool { share != nil }
  }

  /// An alarm is right if an entry follows within this multiple of the time asked for.
  public static let longest = 4.0

  /// The entries to which a warning is owed and before which the truth is known, in order.
  public let entries: [Entry]
  /// Alarms followed by an entry.
  public let right: Int
  /// Alarms not followed by an entry.
  public let falseAlarms: [Matching.FalseAlarm]
  /// Alarms that count neither way: raised only inside the zone, followed by a passage within the truth's
  /// error, or with an unknown truth after them.
  public let neither: Int

  /// - Parameters:
  ///   - asked: the time before the entry for each zone that has one; other zones' alarms and visits are
  ///     ignored.
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
      // A window that is known only in part could show that the alarm is right, but not that it is false.
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
  /// The time before the entry at which the zone should ring; nil if it has none, or rings on leaving or
  /// after a stay.
  var warningTime: TimeSpan? {
    guard case .enter = trigger, let leadTime, leadTime > .zero else { return nil }
    return leadTime
  }
}
