/// Detects that a host's clock was set, by comparing it with a clock that is never set.
public struct ClockComparison: Hashable, Sendable {
  private struct Reading: Hashable, Sendable {
    var now: Instant
    var uptime: TimeSpan
  }
  private var last: Reading?

  /// A smaller difference counts as drift between two running clocks. Drift that has accumulated to this much
  /// counts as a jump.
  public static let grain = TimeSpan.seconds(1)

  /// - Parameter uptime: the reading of a clock that is never set and also runs while the phone sleeps, with
  ///   any zero; nil if the host has none. Then no jump is ever found.
  public init(now: Instant, uptime: TimeSpan?) { last = uptime.map { Reading(now: now, uptime: $0) } }

  /// Returns how far the clock was set since the last jump that was found, or since `init`; negative if it
  /// was set back, nil if it was not set.
  public mutating func jump(now: Instant, uptime: TimeSpan?) -> TimeSpan? {
    guard let uptime, let last else { return nil }
    let jump = (now - last.now) - (uptime - last.uptime)
    guard jump <= .zero - Self.grain || jump >= Self.grain else { return nil }
    self.last = Reading(now: now, uptime: uptime)
    return jump
  }
}
