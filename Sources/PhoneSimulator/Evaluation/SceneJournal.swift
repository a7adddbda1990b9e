import AlarmEngine

/// What a policy was told and what it answered, moment by moment: for showing one trial.
///
/// It belongs to one phone, which belongs to one thread at a time; that is all `@unchecked Sendable` promises.
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

/// A policy that keeps a journal and otherwise is the one it was made of.
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

/// The same for a policy that rings by its own rule.
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
