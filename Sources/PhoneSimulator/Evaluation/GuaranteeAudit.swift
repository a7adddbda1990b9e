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

  /// A stay went on for longer than promised without an alarm. One that is broken off by a moment outside the line
  /// that counts is no longer the same stay.
  func isBroken(_ outcome: Matching.Outcome) -> Bool {
    let visit = outcome.visit
    guard let promise = promises[visit] else { return false }
    let end = min(outcome.raisedAt ?? visit.exit, visit.exit)
    let error = decidingError(until: end)
    let line = promise.line == .insideByError ? -error : 0
    let allowed = promise.late + (error > Self.fine ? promise.coarse : 0)
    let earliest = promise.after == .entry ? visit.entry : max(visit.entry, departure(before: visit.entry))
    var began: Instant?
    var time = earliest
    while time <= end {
      if distance(visit.zone, time) <= line {
        let since = began ?? time
        began = since
        if (time - since).seconds > allowed { return true }
      } else {
        began = nil
      }
      time = time + .seconds(1)
    }
    return false
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
