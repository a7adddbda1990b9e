import AlarmEngine
import Geometry

/// Holds a policy to what it showed when a visit began.
struct GuaranteeAudit {
  private let promises: [GroundTruth.Visit: Guarantee.Promise]
  private let journey: Journey
  private let distance: (ZoneID, Instant) -> Double
  private let fixes: [(deliveredAt: Instant, measuredAt: Instant, error: Double, accuracy: Double)]
  /// A fix outside this many times its stated accuracy is outside the premises: 95 % of normal errors are within.
  private static let factor = 1.73
  /// A zone waits for a better fix when this many metres, the accuracy times the factor, are exceeded.
  private static let fine = 30.0
  /// How long before a visit a bad fix can have misled, seconds.
  private static let memory = 600.0

  /// - Parameter promises: what was shown at the beginning of each visit.
  init(
    _ promises: [GroundTruth.Visit: Guarantee.Promise], journey: Journey, log: EventLog,
    distance: @escaping (ZoneID, Instant) -> Double
  ) {
    self.promises = promises
    self.journey = journey
    self.distance = distance
    fixes = log.compactMap { entry in
      guard case .fix(let place, let accuracy, let measuredAt, _) = entry.occurrence else { return nil }
      let error = place.distance(to: journey.position(at: measuredAt)).metres
      return (entry.time, measuredAt, error, accuracy)
    }
  }

  /// The alarm came later than promised, and the stay was so long that it was owed by then.
  func isBroken(_ outcome: Matching.Outcome) -> Bool {
    let visit = outcome.visit
    guard let promise = promises[visit] else { return false }
    let end = min(outcome.raisedAt ?? visit.exit, visit.exit)
    let error = decidingError(until: end)
    guard let began = beginning(of: visit, promise, error: error) else { return false }
    let allowed = promise.late + (error > Self.fine ? promise.coarse : 0)
    return (end - began).seconds > allowed
  }

  /// Nobody was faster than promised, and the fixes lay within their errors.
  func premisesHold(_ outcome: Matching.Outcome) -> Bool {
    guard let promise = promises[outcome.visit] else { return true }
    let entry = outcome.visit.entry
    let last = max(entry, outcome.raisedAt ?? outcome.visit.exit)
    let span = (entry - .seconds(Self.memory))...last
    var time = span.lowerBound
    while time <= span.upperBound {
      if journey.speed(at: time) > promise.upTo { return false }
      time = time + .seconds(1)
    }
    return !fixes.contains { span.contains($0.measuredAt) && $0.error > Self.factor * $0.accuracy }
  }

  /// From where the promise counts; nil if the stay never came so far.
  private func beginning(
    of visit: GroundTruth.Visit, _ promise: Guarantee.Promise, error: Double
  ) -> Instant? {
    var time = promise.after == .entry ? visit.entry : max(visit.entry, departure(before: visit.entry))
    guard promise.line == .insideByError else { return time }
    while time <= visit.exit {
      if distance(visit.zone, time) <= -error { return time }
      time = time + .seconds(1)
    }
    return nil
  }

  /// Metres within which the last fix until then is right.
  private func decidingError(until time: Instant) -> Double {
    (fixes.last { $0.deliveredAt <= time }?.accuracy ?? 0) * Self.factor
  }

  /// When the phone last began to move; ten minutes back are enough: no promise is counted in more.
  private func departure(before time: Instant) -> Instant {
    var moment = time
    let floor = time - .seconds(Self.memory)
    while moment > floor, journey.motion(at: moment) != .still { moment = moment - .seconds(1) }
    return moment
  }
}
