import AlarmEngine
import Foundation

/// What time it is: the system's clocks, or ones that a test moves.
public struct ServerClock: Sendable {
  public let now: @Sendable () -> Instant
  /// Time for which the machine has run, from some start of its own. It stands still while the machine sleeps, and
  /// nobody sets it.
  let uptime: @Sendable () -> TimeSpan

  public init(_ now: @escaping @Sendable () -> Instant, uptime: (@Sendable () -> TimeSpan)? = nil) {
    self.now = now
    self.uptime = uptime ?? { .milliseconds(now().millisecondsSince1970) }
  }

  public static let system = {
    let start = SuspendingClock.now
    return ServerClock(
      { Instant(millisecondsSince1970: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))) },
      uptime: { .milliseconds(Int64((SuspendingClock.now - start).inSeconds * 1000)) })
  }()
}
