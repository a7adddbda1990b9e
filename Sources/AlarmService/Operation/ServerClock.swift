import AlarmEngine
import Foundation

/// What time it is: the system's clocks, or ones that a test moves.
public struct ServerClock: Sendable {
  public let now: @Sendable () -> Instant
  /// Time for which the machine has run, from some start of its own. It stands still while the machine sleeps, and
  /// nobody sets it.
  let uptime: @Sendable () -> TimeSpan
  /// Time that has passed, from some start of its own: whatever the machine or this process did meanwhile. Nobody sets it.
  let elapsed: @Sendable () -> TimeSpan

  /// - Parameter elapsed: nil for a time that stands still: then no pause of the process is noticed.
  public init(
    _ now: @escaping @Sendable () -> Instant, uptime: (@Sendable () -> TimeSpan)? = nil,
    elapsed: (@Sendable () -> TimeSpan)? = nil
  ) {
    self.now = now
    self.uptime = uptime ?? { .milliseconds(now().millisecondsSince1970) }
    self.elapsed = elapsed ?? { .zero }
  }

  public static let system = {
    let (start, begin) = (SuspendingClock.now, ContinuousClock.now)
    return ServerClock(
      {
        Instant(millisecondsSince1970: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
      },
      uptime: { .milliseconds(Int64((SuspendingClock.now - start).inSeconds * 1000)) },
      elapsed: { .milliseconds(Int64((ContinuousClock.now - begin).inSeconds * 1000)) })
  }()
}
