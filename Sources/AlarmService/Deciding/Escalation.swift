import AlarmEngine
import Delivery
import Formats
import Store

/// The escalation steps of one alarm: the channels that take it, grouped by their step number, with the
/// account's delays.
struct Escalation: Sendable {
  /// The steps that channels have, ascending.
  let numbers: [EscalationStep]
  let plan: EscalationPlan<ChannelID>

  init(_ audience: Audience, delays: EscalationDelays) {
    let taking = audience.channels
    let numbers = Set(taking.map(\.escalationStep)).sorted()
    self.numbers = numbers
    plan = EscalationPlan(
      steps: numbers.map { number in
        EscalationPlan.Step(
          channels: taking.filter { $0.escalationStep == number }.map(\.id),
          // The first step is notified at once, whatever its number is.
          delay: number == numbers.first ? .zero : delays.before(step: number))
      })
  }

  /// - Parameter attempts: all delivery attempts of the alarm.
  func next(
    _ alarm: AlarmRecord, _ attempts: [DeliveryAttempt], now: Instant
  ) -> EscalationPlan<ChannelID>.Decision {
    plan.next(progress(of: alarm, attempts, by: now), now: now)
  }

  /// Returns the progress of the plan. Times after `now` count as `now`: the clock was set back since they
  /// were recorded.
  private func progress(
    of alarm: AlarmRecord, _ attempts: [DeliveryAttempt], by now: Instant
  ) -> EscalationPlan<ChannelID>.Progress {
    var due = min(alarm.learnedAt, now)
    var progress = EscalationPlan<ChannelID>.Progress(began: due)
    for (step, number) in zip(plan.steps, numbers) where number <= alarm.escalationStep {
      // A step starts with its first attempt, or when it was due if there is none yet.
      let tried = attempts.filter { step.channels.contains($0.channel) }.map(\.startedAt).min()
      due = tried.map { min($0, now) } ?? due + step.delay
      progress.started.append(due)
    }
    for channel in plan.steps.flatMap(\.channels) {
      let outcomes = attempts.filter { $0.channel == channel }.map(\.outcome)
      let wasReached = outcomes.contains { $0 == .delivered || $0 == .seen }
      if outcomes.last == .rejected, !wasReached { progress.failed.insert(channel) }
    }
    if alarm.state != .ringing { progress.answeredAt = alarm.answeredAt ?? alarm.lastRangAt }
    return progress
  }
}

/// The time that each step waits for an answer to the previous step, from the settings.
package struct EscalationDelays: Hashable, Sendable {
  static let standard = TimeSpan.seconds(60)
  package static let member = SettingField(
    "escalation_delays_s", .numbers(1...86_400, upTo: 20),
    "Seconds to wait for an answer before step 1, 2 and so on; the last value is for all further steps. 60 if left out."
  )

  private let given: [TimeSpan]

  /// - Parameter settings: the account's, as stored.
  init(settings: String = "{}") {
    let value = (try? JSONValue.parse(Array(settings.utf8)))?[Self.member.name]
    guard let value, Self.member.allows(value) else {
      given = []
      return
    }
    given = (value.list ?? []).compactMap { $0.double.map { .seconds($0) } }
  }

  func before(step: EscalationStep) -> TimeSpan {
    guard let last = given.last else { return Self.standard }
    return step > .first && step.number <= given.count ? given[step.number - 1] : last
  }
}
