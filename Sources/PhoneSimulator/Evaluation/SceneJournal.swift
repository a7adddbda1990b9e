import AlarmEngine

/// The events that a policy received and the commands it returned, in order; used to show one trial.
///
/// A journal belongs to one phone, which belongs to one thread at a time; that is all `@unchecked Sendable`
/// promises.
public final class SceneJournal: @unchecked Sendable {
  public struct Entry: Hashable, Sendable {
    public let time: Instant
    public let event: WatchEvent
    public let reason: WatchReason
    public let commands: [WatchCommand]
  }
  public private(set) var entries: [Entry] = []
  public init() {}

  func note(_ entry: Entry) { entries.append(entry) }
}

/// A policy that also writes each event to a journal.
public struct JournaledWatch: WatchDecisions {
  private var policy: any WatchDecisions
  private let journal: SceneJournal

  public init(_ policy: any WatchDecisions, in journal: SceneJournal) {
    self.policy = policy
    self.journal = journal
  }

  public mutating func handle(
    _ event: WatchEvent, at now: Instant, zones: Surroundings
  ) -> [WatchCommand] {
    let commands = policy.handle(event, at: now, zones: zones)
    journal.note(SceneJournal.Entry(time: now, event: event, reason: policy.reason, commands: commands))
    return commands
  }

  public var reason: WatchReason { policy.reason }
  public func guarantee(ofWatched zone: ZoneSlot, _ zones: Surroundings) -> Guarantee {
    policy.guarantee(ofWatched: zone, zones)
  }
}

/// The same for a policy with its own ring rule.
public struct JournaledBaseline: Baseline {
  private var policy: any Baseline
  private let journal: SceneJournal

  public init(_ policy: any Baseline, in journal: SceneJournal) {
    self.policy = policy
    self.journal = journal
  }

  public var causes: [RingCause] { policy.causes }
  public var reason: WatchReason { policy.reason }

  public mutating func handle(
    _ event: WatchEvent, at now: Instant, zones: Surroundings
  ) -> [WatchCommand] {
    let commands = policy.handle(event, at: now, zones: zones)
    journal.note(SceneJournal.Entry(time: now, event: event, reason: policy.reason, commands: commands))
    return commands
  }
}
