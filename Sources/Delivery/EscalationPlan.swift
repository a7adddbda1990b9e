import AlarmEngine

/// Who is told of an alarm, in which order, until somebody answers (F9).
///
/// `Channel` is the channel's id; channels of several persons may stand in one plan. A pure value: told what happened, it says what
/// to do and when to ask again.
public struct EscalationPlan<Channel: Hashable & Sendable>: Hashable, Sendable {
  /// Channels that are used together.
  public struct Step: Hashable, Sendable {
    public let channels: [Channel]
    /// How long after the step before (for the first: after the alarm began) this one starts, if nobody answered; zero or more.
    public let delay: TimeSpan
    public init(channels: [Channel], delay: TimeSpan) {
      self.channels = channels
      self.delay = delay
    }
  }

  public let steps: [Step]
  /// From the beginning of the alarm; then nothing new is started.
  public let horizon: TimeSpan

  public init(steps: [Step], horizon: TimeSpan = .hours(24)) {
    precondition(steps.allSatisfy { $0.delay >= .zero }, "a step's delay is zero or more")
    self.steps = steps
    self.horizon = horizon
  }

  /// What has happened so far; kept with the alarm.
  public struct Progress: Hashable, Sendable {
    public let began: Instant
    /// When each step that has started did, in order.
    public var started: [Instant]
    /// Channels that will not deliver any more: gone, refused or given up.
    public var failed: Set<Channel>
    /// When somebody answered (acknowledged, closed, slept) or the alarm was cleared; nil while it rings.
    public var answeredAt: Instant?
    public init(
      began: Instant, started: [Instant] = [], failed: Set<Channel> = [], answeredAt: Instant? = nil
    ) {
      self.began = began
      self.started = started
      self.failed = failed
      self.answeredAt = answeredAt
    }
  }

  public enum Decision: Hashable, Sendable {
    /// Start the step of this number, with these channels, and note it in `Progress.started`.
    case start(step: Int, channels: [Channel])
    /// Ask again at this time, or when something happens.
    case wait(until: Instant)
    /// Somebody answered: withdraw what was shown, start nothing.
    case answered
    /// Every step has started; the repeats go on elsewhere.
    case exhausted
    /// Every channel failed: nobody can have been told. To be shown to the operator.
    case nobodyReached
    /// Nobody answered until the horizon.
    case expired
  }

  /// The next thing to do. Where all channels of the step before have failed, the next starts at once.
  public func next(_ progress: Progress, now: Instant) -> Decision {
    if progress.answeredAt != nil { return .answered }
    if now - progress.began >= horizon { return .expired }
    let index = progress.started.count
    guard index < steps.count else {
      let reached = steps.contains { $0.channels.contains { !progress.failed.contains($0) } }
      return reached ? .exhausted : .nobodyReached
    }
    let step = steps[index]
    let previous = index > 0 ? steps[index - 1] : nil
    let isDead = previous.map { step in step.channels.allSatisfy { progress.failed.contains($0) } } ?? false
    let due = (progress.started.last ?? progress.began) + step.delay
    guard now >= due || isDead else { return .wait(until: min(due, progress.began + horizon)) }
    return .start(step: index, channels: step.channels.filter { !progress.failed.contains($0) })
  }
}
