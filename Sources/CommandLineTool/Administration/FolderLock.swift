import CommandLineSupport
import Formats
import Foundation

/// A lock file that one process at a time can hold. The system releases the lock when the process ends, even
/// by a kill, so no stale lock remains.
final class FolderLock: Sendable {
  private let descriptor: Int32

  /// - Returns: nil if another process holds the lock.
  /// - Throws: `ReadError` if the file cannot be made.
  init?(_ path: String) throws {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw ReadError("\(path) cannot be opened: \(String(cString: strerror(errno)))")
    }
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      let reason = errno
      close(file)
      if reason == EWOULDBLOCK { return nil }
      throw ReadError("\(path) cannot be locked: \(String(cString: strerror(reason)))")
    }
    descriptor = file
  }

  deinit { close(descriptor) }
}
