extension Timeline {
  /// The result of an insertion.
  public struct Change: Equatable, Sendable {
    /// New events, in order. A crossing found late is among them, with its true time.
    public var added: [Event] = []
    /// Earlier events that did not happen after all.
    public var retracted: [Event] = []
    /// Fixes that are known already or too old, with the reason. They change nothing.
    public var refused: [(fix: Fix, reason: Ignored)] = []
    /// Commands that are too old. They change nothing.
    public var refusedCommands: [(command: Command, at: Instant)] = []
    /// The earliest time of the inputs that were too old. They can still be inserted: see
    /// ``Timeline/insert(late:stored:from:)``.
    public var neededFrom: Instant?

    public init() {}

    public static func == (a: Self, b: Self) -> Bool {
      a.added == b.added && a.retracted == b.retracted && a.neededFrom == b.neededFrom
        && a.refused.count == b.refused.count && a.refusedCommands.count == b.refusedCommands.count
        && zip(a.refused, b.refused).allSatisfy { $0.fix == $1.fix && $0.reason == $1.reason }
        && zip(a.refusedCommands, b.refusedCommands).allSatisfy { $0.command == $1.command && $0.at == $1.at }
    }
  }
}

extension Timeline.Change {
  /// Compares the events before and after, and adds the new and the retracted ones.
  mutating func compare(_ before: [Event], _ after: ArraySlice<Event>) {
    if before.isEmpty, after.isEmpty { return }
    var common = 0
    while common < min(before.count, after.count), before[common] == after[after.startIndex + common] {
      common += 1
    }
    let old = before.dropFirst(common)
    let new = after.dropFirst(common)
    if old.isEmpty {
      added += new
      return
    }
    if new.isEmpty {
      retracted += old
      return
    }
    let had = Set(old.lazy.map { ComparedEvent(event: $0) })
    let has = Set(new.lazy.map { ComparedEvent(event: $0) })
    added += new.filter { !had.contains(ComparedEvent(event: $0)) }
    retracted += old.filter { !has.contains(ComparedEvent(event: $0)) }
  }

  /// Adds the events of a change that followed this one. Events that one change added and the other retracted
  /// cancel out.
  public mutating func follow(with later: Self) {
    let undone = Set(later.retracted.lazy.map { ComparedEvent(event: $0) })
    let restored = Set(later.added.lazy.map { ComparedEvent(event: $0) })
    let had = Set(added.lazy.map { ComparedEvent(event: $0) })
    let lost = Set(retracted.lazy.map { ComparedEvent(event: $0) })
    added.removeAll { undone.contains(ComparedEvent(event: $0)) }
    retracted.removeAll { restored.contains(ComparedEvent(event: $0)) }
    added += later.added.filter { !lost.contains(ComparedEvent(event: $0)) }
    retracted += later.retracted.filter { !had.contains(ComparedEvent(event: $0)) }
  }
}

/// An event for a set, hashed by its times only. Few events share both of them, and a whole event is
/// slow to hash.
private struct ComparedEvent: Hashable {
  let event: Event

  static func == (a: Self, b: Self) -> Bool { a.event == b.event }
  func hash(into hasher: inout Hasher) {
    hasher.combine(event.time)
    hasher.combine(event.decidedAt)
  }
}
