import AlarmEngine
import CommandLineSupport

/// A fix of a track on which no alarm is based, with the reason.
struct UnusedFix {
  let fix: Fix
  let reason: Reason

  enum Reason: Hashable {
    case ignored(Ignored)
    /// The fix is implausibly fast, and the track ends before another fix could confirm it.
    case undecided

    fileprivate var order: Int {
      switch self {
      case .ignored(let ignored): Int(ignored.rawValue)
      case .undecided: .max
      }
    }
  }

  /// - Parameter fixes: by time, all of them in the timeline.
  /// - Returns: by time; of equal fixes one.
  static func all(of fixes: [Fix], in timeline: Timeline) -> [UnusedFix] {
    all(of: fixes, events: timeline.events, believed: timeline.position)
  }

  /// - Parameter believed: the last fix that was accepted.
  static func all(of fixes: [Fix], events: [Event], believed: Fix?) -> [UnusedFix] {
    var unused = events.compactMap { event -> UnusedFix? in
      guard case .ignored(let fix, let reason) = event.kind, reason != .duplicate else { return nil }
      return UnusedFix(fix: fix, reason: .ignored(reason))
    }
    let ignored = Set(unused.map(\.fix))
    if let believed, let last = fixes.last(where: { !ignored.contains($0) }),
      last.measuredAt > believed.measuredAt
    {
      unused.append(UnusedFix(fix: last, reason: .undecided))
    }
    return unused.sorted { $0.fix.measuredAt < $1.fix.measuredAt }
  }

  /// By reason, most frequent first; equal counts in the order of the reasons.
  static func counts(in run: ReplayRun) -> [(reason: Reason, count: Int)] {
    var counts: [Reason: Int] = [:]
    for device in run.devices {
      for unused in device.unused { counts[unused.reason, default: 0] += 1 }
      if device.duplicates > 0 { counts[.ignored(.duplicate), default: 0] += device.duplicates }
    }
    return counts.map { (reason: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.reason.order) < ($0.count, $1.reason.order) }
  }

  /// One sentence for each reason.
  static func lines(for counts: [(reason: Reason, count: Int)]) -> [String] {
    counts.map { reason, count in "ignored \(counted(count, "fix", "fixes")): \(words(reason))" }
  }
}

/// The reason why a fix was not used.
func words(_ reason: UnusedFix.Reason) -> String {
  switch reason {
  case .ignored(let ignored): words(ignored)
  case .undecided:
    "faster than the stated maximum speed, and the track ends before another fix could confirm it"
  }
}
