import AlarmEngine
import Foundation

/// What time it is: the system's clock, or one that a test moves.
public struct ServerClock: Sendable {
  public let now: @Sendable () -> Instant

  public init(_ now: @escaping @Sendable () -> Instant) { self.now = now }

  public static let system = ServerClock {
    Instant(millisecondsSince1970: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
  }
}
