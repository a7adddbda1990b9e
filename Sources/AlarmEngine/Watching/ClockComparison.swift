/// Finds out that a host's clock was set, by a clock that nobody sets.
public struct ClockComparison: Hashable, Sendable {
  private struct Reading: Hashable, Sendable {
    var now: Instant
    var uptime: TimeSpan
  }
  private var last: Reading?

  /// Less than that is the difference between two clocks that both run, and no jump until it has grown.
  public static let grain = TimeSpan.seconds(1)

  /// - Parameter uptime: of a clock that nobody sets and that also runs while the phone sleeps, counted from any moment;
  ///   nil where the host has none. Then no jump is ever found.
  public init(now: Instant, uptime: TimeSpan?) { last = uptime.map { Reading(now: now, uptime: $0) } }

  /// By how much the clock was set since the last jump that was found, or since the beginning; nil where it was not.
  public mutating func jump(now: Instant, uptime: TimeSpan?) -> TimeSpan? {
    guard let uptime, let last else { return nil }
    let jump = (now - last.now) - (uptime - last.uptime)
    guard jump <= .zero - Self.grain || jump >= Self.grain else { return nil }
    self.last = Reading(now: now, uptime: uptime)
    return jump
  }
}
