import AlarmEngine
import Geometry

/// Alarms set against the truth: which visit was caught, how late and how deep, and which alarm was false.
public struct Matching: Sendable {
  public struct Outcome: Hashable, Sendable {
    public let visit: GroundTruth.Visit
    /// The first alarm of the visit, in time or not.
    public let raisedAt: Instant?
    public let isCaught: Bool
    /// Seconds from the entry to the alarm, negative before it; nil without an alarm.
    public var lateness: Double? { raisedAt.map { ($0 - visit.entry).seconds } }
    /// Metres inside the line, at the deepest, when the alarm came; zero for one that came before the entry.
    public let depth: Double?
    /// Metres that were left to the line when an early alarm came.
    public let early: Double?
  }

  /// An alarm at no visit, and how many metres it was to the line.
  public struct FalseAlarm: Hashable, Sendable {
    public let zone: ZoneID
    public let raisedAt: Instant
    public let distance: Double
    public let cause: Cause
    /// Metres that the last fix before it stated.
    public let accuracy: Double?

    init(_ alarm: TrialRecord.Alarm, distance: Double) {
      zone = alarm.zone
      raisedAt = alarm.raisedAt
      self.distance = distance
      cause = alarm.cause
      accuracy = alarm.accuracy
    }
  }

  /// Numbers of the protocol, in seconds.
  public struct Windows: Hashable, Sendable {
    public var before = 60.0
    /// A stay this long must be alarmed within it; a shorter one until it has been over for `after`.
    public var longStay = 120.0
    public var after = 30.0
    /// An early alarm is of the visit if it came at most so long before the entry: one of last night does not wake anybody
    /// who walks in this morning.
    public var early = 600.0
    public init() {}
  }

  /// Of visits to which an alarm is owed, in order of entry.
  public let outcomes: [Outcome]
  /// Alarms at no visit.
  public let falseAlarms: [FalseAlarm]
  /// Alarms at visits that owe none, too late ones, repeated ones, and those where the truth is not known.
  public let neither: Int
  /// Alarms after the first of a visit, before the phone was 200 m away.
  public let repeated: Int
  /// Zones that ring a time before they are entered: neither their alarms nor their visits are among those above.
  public let lead: LeadMatching

  public var caught: Int { outcomes.count(where: \.isCaught) }
  /// Alarms that are right.
  public let right: Int

  /// - Parameters:
  ///   - leads: the time before the entry at which a zone is to ring, of each that has one.
  ///   - depth: metres within the line of a zone, at the deepest, between two times.
  ///   - travelled: metres gone between two times, by which an early alarm is measured; without it only time counts.
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
      let own = free.filter { index in
        let alarm = alarms[index]
        return (first...last).contains(alarm.raisedAt)
          || alarm.raisedAt < first && (visit.entry - alarm.raisedAt).seconds <= windows.early
            && travelled(alarm.raisedAt...visit.entry) <= alarm.earliness
      }
      used.formUnion(own)
      if let first = own.first {
        // Until the phone is far from the zone this is one visit, and its alarm has been given.
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
