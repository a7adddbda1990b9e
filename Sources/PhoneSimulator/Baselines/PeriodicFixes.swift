import AlarmEngine

/// Policies that ask for single satellite fixes at times worked out from the last one, for a phone that can wake
/// itself: C4, C10 and C13.
public struct PeriodicFixes: Baseline {
  public enum Rule: Hashable, Sendable {
    /// C4: always the same.
    case every(TimeSpan)
    /// C10, the interval rule of Android's open-source geofencing: the way to the nearest edge at 100 m/s, between
    /// one minute and two hours.
    case byDistanceToEdge
    /// C13: the way to the nearest alert line at 40 m/s; no accuracy, no motion, no session.
    case naiveSafePeriod
  }

  public private(set) var reason = WatchReason(.notStarted)
  private let rule: Rule
  private static let timeout = TimeSpan.seconds(30)
  private static let openSpeed = 100.0
  private static let openInterval = 60.0...7200.0
  private static let naiveSpeed = 40.0
  /// No policy can ask more often than a fix takes to come, seconds.
  private static let leastInterval = 1.0

  public init(_ rule: Rule) { self.rule = rule }

  public mutating func handle(
    _ event: WatchEvent, at now: Instant, zones: Surroundings
  ) -> [WatchCommand] {
    switch event {
    case .started, .capabilitiesChanged, .timer:
      reason = WatchReason(.waitsForFirstFix)
      return [.timer(nil), .requestFix(.best, within: Self.timeout)]
    case .fix(let fix):
      let wait = interval(after: fix, zones)
      reason = WatchReason(.sleepsUntilBudgetIsSpent, due: now + wait)
      return [.timer(now + wait)]
    case .fixFailed:
      reason = WatchReason(.retriesWithoutFix, due: now + Self.timeout)
      return [.timer(now + retry)]
    case .stopped:
      return [.timer(nil)]
    default:
      return []
    }
  }

  private var retry: TimeSpan { if case .every(let period) = rule { period } else { Self.timeout } }

  private func interval(after fix: Fix, _ zones: Surroundings) -> TimeSpan {
    switch rule {
    case .every(let period): return period
    case .byDistanceToEdge:
      guard let nearest = zones.nearest(1, to: fix.position).first else { return .hours(2) }
      let seconds = abs(nearest.toEdge) / Self.openSpeed
      return .seconds(min(max(seconds, Self.openInterval.lowerBound), Self.openInterval.upperBound))
    case .naiveSafePeriod:
      guard let nearest = zones.nearest(1, to: fix.position).first else { return .hours(2) }
      return .seconds(min(max(nearest.toAlert / Self.naiveSpeed, Self.leastInterval), 7200))
    }
  }
}
