import CommandLineSupport
import Formats
import Foundation

/// A file that one process at a time can have. The system lets go of it when the process ends, by a kill too, so none is
/// left behind.
final class FolderLock: Sendable {
  private let descriptor: Int32

  /// - Returns: nil where another process has it.
  /// - Throws: `ReadError` where the file cannot be made.
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
