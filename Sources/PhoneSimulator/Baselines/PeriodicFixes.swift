import AlarmEngine

/// Policies that ask for single satellite fixes at times computed from the last one, on a phone that can wake
/// itself: C4, C10 and C13. They ring at every position in a zone.
public struct PeriodicFixes: Baseline {
  public enum Rule: Hashable, Sendable {
    /// C4: a fixed interval between requests.
    case every(TimeSpan)
    /// C10, the interval rule of Android's open-source geofencing: the time to the nearest edge at 100 m/s,
    /// between one minute and two hours.
    case byDistanceToEdge
    /// C13: the time to the nearest alert line at 40 m/s; ignores accuracy and motion, and uses no session.
    case naiveSafePeriod
  }

  public private(set) var reason = WatchReason(.notStarted)
  public private(set) var causes: [RingCause] = []
  private let rule: Rule
  private static let timeout = TimeSpan.seconds(30)
  private static let openSpeed = 100.0
  private static let openInterval = 60.0...7200.0
  /// C10 uses a position up to this age as the current one.
  private static let openOldest = TimeSpan.seconds(300)
  private static let naiveSpeed = 40.0
  /// The least interval, in seconds: no policy can ask more often than a fix takes.
  private static let leastInterval = 1.0

  public init(_ rule: Rule) { self.rule = rule }

  public mutating func handle(
    _ event: WatchEvent, at now: Instant, zones: Surroundings
  ) -> [WatchCommand] {
    causes = []
    switch event {
    case .started(_, _, let lastKnown?) where rule == .byDistanceToEdge && isFresh(lastKnown, at: now):
      return take(lastKnown, at: now, zones)
    case .started, .capabilitiesChanged, .timer: return ask(at: now)
    case .fix(let fix):
      guard isFresh(fix, at: now) else { return ask(at: now) }
      return take(fix, at: now, zones)
    case .fixFailed:
      if case .every = rule { return [] }
      reason = WatchReason(.retriesWithoutFix, due: now + Self.timeout)
      return [.timer(now + Self.timeout)]
    case .stopped: return [.timer(nil)]
    default: return []
    }
  }

  private func isFresh(_ fix: Fix, at now: Instant) -> Bool {
    rule != .byDistanceToEdge || now - fix.measuredAt <= Self.openOldest
  }

  private mutating func ask(at now: Instant) -> [WatchCommand] {
    let request = WatchCommand.requestFix(.best, within: Self.timeout)
    guard case .every(let period) = rule else {
      reason = WatchReason(.waitsForFirstFix)
      return [.timer(nil), request]
    }
    reason = WatchReason(.sleepsUntilBudgetIsSpent, due: now + period)
    return [.timer(now + period), request]
  }

  private mutating func take(_ fix: Fix, at now: Instant, _ zones: Surroundings) -> [WatchCommand] {
    causes = [.position(fix)]
    guard let wait = interval(after: fix, zones) else { return [] }
    reason = WatchReason(.sleepsUntilBudgetIsSpent, due: now + wait)
    return [.timer(now + wait)]
  }

  /// The time to the next request; nil if it does not depend on this fix.
  private func interval(after fix: Fix, _ zones: Surroundings) -> TimeSpan? {
    switch rule {
    case .every: return nil
    case .byDistanceToEdge:
      guard let nearest = zones.nearestEdges(1, to: fix.position).first else { return .hours(2) }
      let seconds = abs(nearest.toEdge.metres) / Self.openSpeed
      return .seconds(min(max(seconds, Self.openInterval.lowerBound), Self.openInterval.upperBound))
    case .naiveSafePeriod:
      guard let nearest = zones.nearest(1, to: fix.position).first else { return .hours(2) }
      return .seconds(min(max(nearest.toAlert.metres / Self.naiveSpeed, Self.leastInterval), 7200))
    }
  }
}
