import AlarmEngine

/// The order in which channels are notified of an alarm until a person answers (F9).
///
/// `Channel` is the channel's id. A plan may contain channels of several persons. It is a pure value: given
/// the progress so far, it returns the next action and when to ask again.
public struct EscalationPlan<Channel: Hashable & Sendable>: Hashable, Sendable {
  /// Channels that are used together.
  public struct Step: Hashable, Sendable {
    public let channels: [Channel]
    /// The time after the start of the previous step (for the first: after the alarm began) at which this one
    /// starts, if nobody has answered; zero or more.
    public let delay: TimeSpan
    public init(channels: [Channel], delay: TimeSpan) {
      self.channels = channels
      self.delay = delay
    }
  }

  public let steps: [Step]
  /// The time after the beginning of the alarm from which no further step is started.
  public let horizon: TimeSpan

  public init(steps: [Step], horizon: TimeSpan = .hours(24)) {
    precondition(steps.allSatisfy { $0.delay >= .zero }, "a step's delay is zero or more")
    self.steps = steps
    self.horizon = horizon
  }

  /// The steps and answers so far, kept with the alarm.
  public struct Progress: Hashable, Sendable {
    public let began: Instant
    /// The start times of the steps that have started, in order.
    public var started: [Instant]
    /// Channels that will not deliver any more: gone, refused or given up.
    public var failed: Set<Channel>
    /// The time when a person answered (acknowledged, closed, slept) or the alarm was cleared; nil while it
    /// rings.
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
    /// Start the step of this number with these channels, and add its time to `Progress.started`.
    case start(step: Int, channels: [Channel])
    /// Ask again at this time, or when the progress changes.
    case wait(until: Instant)
    /// A person answered: withdraw the notices, start nothing.
    case answered
    /// Every step has started. Repeats are sent elsewhere.
    case exhausted
    /// Every channel failed, so nobody can have been notified. Show this to the operator.
    case nobodyReached
    /// Nobody answered before the horizon.
    case expired
  }

  /// Returns the next action. If all channels of the previous step have failed, the next step starts at once.
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
