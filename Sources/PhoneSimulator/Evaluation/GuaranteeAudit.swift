import AlarmEngine
import Geometry

/// Holds a policy to what it promised: no alarm later than the time that was shown when the visit began.
struct GuaranteeAudit {
  private let promises: [TrialRecord.Promise]
  private let journey: Journey
  private let fixes: [(time: Instant, error: Double, accuracy: Double)]
  /// A fix outside this many times its stated accuracy is outside the premises, as for safety zones.
  private static let factor = 2.15
  /// How long before a visit a bad fix can have misled, seconds.
  private static let memory = 600.0

  init(_ promises: [TrialRecord.Promise], journey: Journey, log: EventLog) {
    self.promises = promises
    self.journey = journey
    fixes = log.compactMap { entry in
      guard case .fix(let place, let accuracy, let measuredAt, _) = entry.occurrence else { return nil }
      return (measuredAt, place.distance(to: journey.position(at: measuredAt)).metres, accuracy)
    }
  }

  /// What was promised last before `time`; nil before the first promise.
  private func promise(at time: Instant) -> Guarantee? {
    promises.last { $0.from <= time }?.guarantee
  }

  func isBroken(_ outcome: Matching.Outcome) -> Bool {
    let visit = outcome.visit
    guard case .guaranteed(_, let late, let moment) = promise(at: visit.entry) else { return false }
    let counted = moment == .entry ? visit.entry : max(visit.entry, departure(before: visit.entry))
    // A stay shorter than the promise may pass unalarmed.
    guard let raisedAt = outcome.raisedAt else { return (visit.exit - counted).seconds > late }
    return (raisedAt - counted).seconds > late && (visit.exit - counted).seconds > late
  }

  /// Nobody was faster than promised, and the fixes lay within their errors.
  func premisesHold(_ outcome: Matching.Outcome) -> Bool {
    guard case .guaranteed(let speed, _, _) = promise(at: outcome.visit.entry) else { return true }
    let span = (outcome.visit.entry - .seconds(Self.memory))...(outcome.raisedAt ?? outcome.visit.exit)
    var time = span.lowerBound
    while time <= span.upperBound {
      if journey.speed(at: time) > speed { return false }
      time = time + .seconds(1)
    }
    return !fixes.contains { span.contains($0.time) && $0.error > Self.factor * $0.accuracy }
  }

  /// When the phone last began to move.
  private func departure(before time: Instant) -> Instant {
    var moment = time
    // Ten minutes back are enough: no promise is counted in more.
    let floor = time - .seconds(Self.memory)
    while moment > floor, journey.motion(at: moment) != .still { moment = moment - .seconds(1) }
    return moment
  }
}
