import AlarmEngine
import Foundation

/// The server's clocks: those of the system, or ones that a test moves.
public struct ServerClock: Sendable {
  public let now: @Sendable () -> Instant
  /// The time for which the machine has run, from an arbitrary start. It stops while the machine sleeps and
  /// cannot be set.
  let uptime: @Sendable () -> TimeSpan
  /// The time that has passed, from an arbitrary start, including sleep and pauses of this process. It cannot
  /// be set.
  let elapsed: @Sendable () -> TimeSpan

  /// - Parameter elapsed: nil for a time that never advances; pauses of the process are then not noticed.
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
