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

/// Tells when the system's clock was set, or the machine slept: by the machine's uptime, which neither changes.
struct SystemClockComparison {
  enum Jump: Hashable {
    /// The clock was set back by this.
    case back(TimeSpan)
    /// The clock was set forward by this, or the machine slept for so long.
    case ahead(TimeSpan)
  }

  /// Smaller jumps are how clocks are kept right, and delay nothing by more than themselves.
  static let smallestBack = TimeSpan.seconds(1)
  static let smallestAhead = TimeSpan.seconds(30)

  private var last: (now: Instant, uptime: TimeSpan)?

  /// - Returns: what happened since the last look; nil the first time, and when nothing did.
  mutating func look(_ clock: ServerClock) -> Jump? {
    let (now, uptime) = (clock.now(), clock.uptime())
    defer { last = (now, uptime) }
    guard let last else { return nil }
    let gained = (now - last.now) - (uptime - last.uptime)
    if gained <= .zero - Self.smallestBack { return .back(.zero - gained) }
    return gained >= Self.smallestAhead ? .ahead(gained) : nil
  }
}
