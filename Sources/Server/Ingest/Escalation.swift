import AlarmEngine
import Formats
import Store

/// The steps by which one device's alarms go from channel to channel: an account's channels, by the number that each has
/// been given, and its delays.
struct Escalation: Sendable {
  /// Of the steps, as the channels have them; ascending.
  let numbers: [Int]
  let plan: EscalationPlan<ChannelID>

  init(_ channels: [Channel], of device: DeviceID, delays: EscalationDelays) {
    let taking = channels.filter { $0.takes(device) }
    let numbers = Set(taking.map(\.escalationStep)).sorted()
    self.numbers = numbers
    plan = EscalationPlan(
      steps: numbers.map { number in
        EscalationPlan.Step(
          channels: taking.filter { $0.escalationStep == number }.map(\.id),
          // Whoever comes first is told at once, whatever the number.
          delay: number == numbers.first ? .zero : delays.before(step: number))
      })
  }

  /// - Parameter attempts: all there were to tell somebody of the alarm.
  func next(
    _ alarm: AlarmRecord, _ attempts: [DeliveryAttempt], now: Instant
  ) -> EscalationPlan<ChannelID>.Decision {
    plan.next(progress(of: alarm, attempts, by: now), now: now)
  }

  /// Nothing of it can lie after `now`: where it seems to, the clock was set back since.
  private func progress(
    of alarm: AlarmRecord, _ attempts: [DeliveryAttempt], by now: Instant
  ) -> EscalationPlan<ChannelID>.Progress {
    var due = min(alarm.learnedAt, now)
    var progress = EscalationPlan<ChannelID>.Progress(began: due)
    for (step, number) in zip(plan.steps, numbers) where number <= alarm.escalationStep {
      // When it was tried first; where nothing of it has been tried yet, when it was due.
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

/// How long each step waits for an answer to the one before, as a person has set it.
struct EscalationDelays: Hashable, Sendable {
  static let standard = TimeSpan.seconds(60)
  static let member = Schema.Member.allowed(
    "escalation_delays_s", .list(.number(1...86_400), upTo: 20),
    "How long an alarm waits for an answer before step 1, 2 and so on; the last one counts for all further steps. 60."
  )

  private let given: [TimeSpan]

  /// - Parameter settings: the account's, as stored.
  init(settings: String = "{}") {
    let value = (try? JSONValue.parse(Array(settings.utf8)))?[Self.member.name]
    guard let value, Self.member.schema.findings(in: value).isEmpty else {
      given = []
      return
    }
    given = (value.list ?? []).compactMap { $0.double.map { .seconds($0) } }
  }

  func before(step: Int) -> TimeSpan {
    guard let last = given.last else { return Self.standard }
    return step >= 1 && step <= given.count ? given[step - 1] : last
  }
}
