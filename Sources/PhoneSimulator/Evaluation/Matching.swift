import AlarmEngine
import Geometry

/// Alarms matched with the truth: the caught visits, their lateness and depth, and the false alarms.
public struct Matching: Sendable {
  public struct Outcome: Hashable, Sendable {
    public let visit: GroundTruth.Visit
    /// The visit's first alarm, in time or late.
    public let raisedAt: Instant?
    public let isCaught: Bool
    /// Seconds from the entry to the alarm, negative before it; nil without an alarm.
    public var lateness: Double? { raisedAt.map { ($0 - visit.entry).seconds } }
    /// Greatest depth in metres beyond the line up to the alarm; zero for an alarm before the entry.
    public let depth: Double?
    /// Metres left to the line at an early alarm; zero for one after the entry.
    public let early: Double?
  }

  /// An alarm that belongs to no visit, with its distance to the line in metres.
  public struct FalseAlarm: Hashable, Sendable {
    public let zone: ZoneID
    public let raisedAt: Instant
    public let distance: Double
    public let cause: Cause
    /// Stated accuracy in metres of the last fix before the alarm.
    public let accuracy: Double?

    init(_ alarm: TrialRecord.Alarm, distance: Double) {
      zone = alarm.zone
      raisedAt = alarm.raisedAt
      self.distance = distance
      cause = alarm.cause
      accuracy = alarm.accuracy
    }
  }

  /// The evaluation protocol's numbers, in seconds.
  public struct Windows: Hashable, Sendable {
    public var before = 60.0
    /// A stay of this length needs its alarm within this time; a shorter one, until `after` has passed since
    /// its end.
    public var longStay = 120.0
    public var after = 30.0
    /// An early alarm belongs to a visit if it came at most this long before the entry: last night's alarm
    /// does not warn anybody of this morning's entry.
    public var early = 600.0
    public init() {}
  }

  /// One for each visit to which an alarm is owed, in order of entry.
  public let outcomes: [Outcome]
  /// Alarms that belong to no visit.
  public let falseAlarms: [FalseAlarm]
  /// Alarms that count neither way: at visits that owe none, too late, repeated, or at an unknown truth.
  public let neither: Int
  /// Alarms after the first of a visit, before the visit was over.
  public let repeated: Int
  /// Alarms of zones that ring a given time before the entry; those zones are left out above.
  public let lead: LeadMatching

  public var caught: Int { outcomes.count(where: \.isCaught) }
  /// Alarms that are right.
  public let right: Int

  /// - Parameters:
  ///   - leads: the time before the entry at which a zone should ring, for each zone that has one.
  ///   - depth: the greatest depth in metres beyond a zone's line between two times.
  ///   - travelled: metres travelled between two times, which limits early alarms; by default no distance
  ///     does.
  public init(
    _ alarms: [TrialRecord.Alarm], with truth: GroundTruth, windows: Windows = Windows(),
    leads: [ZoneID: TimeSpan] = [:],
    distance: (ZoneID, Instant) -> Double, depth: (ZoneID, ClosedRange<Instant>) -> Double,
    travelled: (ClosedRange<Instant>) -> Double = { _ in .infinity }
  ) {
    lead = LeadMatching(alarms, with: truth, asked: leads, windows: windows, distance: distance)
    let alarms = alarms.filter { leads[$0.zone] == nil }
    var used = Set<Int>()
    var outcomes: [Outcome] = []
    var right = 0
    var repeated = 0
    for visit in truth.visits where leads[visit.zone] == nil {
      let first = min(visit.near.lowerBound, visit.entry - .seconds(windows.before))
      let deadline =
        visit.stay >= windows.longStay
        ? visit.entry + .seconds(windows.longStay) : visit.exit + .seconds(windows.after)
      let last = max(visit.near.upperBound, deadline)
      let free = alarms.indices.filter { !used.contains($0) && alarms[$0].zone == visit.zone }
      let near = free.filter { index in
        let alarm = alarms[index]
        return (first...last).contains(alarm.raisedAt)
          || alarm.raisedAt < first && (visit.entry - alarm.raisedAt).seconds <= windows.early
            && travelled(alarm.raisedAt...visit.entry) <= alarm.earliness
      }
      // A visit that has had its alarm, or owes none, does not take that of the next one. Nor does a visit without
      // an alarm take one that was raised during the next.
      let next = truth.visits.first { $0.zone == visit.zone && $0.entry > visit.entry }
      let own = near.filter { index in
        let raisedAt = alarms[index].raisedAt
        guard let next, raisedAt >= next.around.lowerBound else { return true }
        return visit.isOwed && index == near.first && !(next.isOwed && raisedAt >= next.entry)
      }
      used.formUnion(own)
      if let first = own.first {
        // Until the phone is far from the zone this is one visit, and it has had its alarm.
        let again = free.filter {
          alarms[$0].raisedAt > alarms[first].raisedAt && visit.around.contains(alarms[$0].raisedAt)
        }
        used.formUnion(again)
        repeated += Set(own + again).count - 1
      }
      guard visit.isOwed else { continue }
      let raisedAt = own.first.map { alarms[$0].raisedAt }
      let isCaught = raisedAt.map { $0 <= deadline } ?? false
      if isCaught { right += 1 }
      outcomes.append(
        Outcome(
          visit: visit, raisedAt: raisedAt, isCaught: isCaught,
          depth: raisedAt.map { $0 <= visit.entry ? 0 : depth(visit.zone, visit.entry...$0) },
          early: raisedAt.map { $0 < visit.entry ? max(0, distance(visit.zone, $0)) : 0 }))
    }
    let unmatched = alarms.indices.filter { !used.contains($0) }.map { alarms[$0] }
    self.outcomes = outcomes
    self.right = right
    self.repeated = repeated
    falseAlarms = unmatched.filter { truth.isKnown($0.raisedAt) }.compactMap { alarm in
      let distance = distance(alarm.zone, alarm.raisedAt)
      return alarm.cause == .possible && distance <= alarm.beside
        ? nil : FalseAlarm(alarm, distance: distance)
    }
    neither = alarms.count - right - falseAlarms.count
  }
}
