import CPostgreSQL
import Foundation

/// Waits for a connection's socket, with `poll`.
enum SocketWait {
  /// True if there is something to read before the deadline. The end of the stream counts.
  static func isReadable(_ handle: OpaquePointer, until deadline: ContinuousClock.Instant) -> Bool {
    var waited = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
    guard waited.fd >= 0 else { return true }
    while true {
      let left = max(.zero, deadline - ContinuousClock.now)
      // Rounded up, so that the loop does not spin in the last millisecond.
      let milliseconds =
        left.components.seconds * 1000 + (left.components.attoseconds + 999_999_999_999_999)
        / 1_000_000_000_000_000
      switch poll(&waited, 1, Int32(clamping: milliseconds)) {
      case 0: return false
      case -1 where errno == EINTR: continue
      default: return true
      }
    }
  }
}
