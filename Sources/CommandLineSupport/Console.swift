import Foundation

/// The output of a command: answers on one stream, messages about them on the other.
///
/// Answers are collected into large writes. Not shared between threads.
package final class Console {
  /// True if messages go to a terminal, so that a progress bar makes sense.
  package let showsProgress: Bool
  private var answers: [UInt8] = []
  private let output: Destination
  private let messages: Destination

  /// Writes all bytes, or throws.
  package typealias Destination = ([UInt8]) throws(OutputError) -> Void

  package init(output: @escaping Destination, messages: @escaping Destination, showsProgress: Bool = false) {
    self.output = output
    self.messages = messages
    self.showsProgress = showsProgress
  }

  /// Standard output and standard error.
  package static var standard: Console {
    Console(
      output: { (bytes) throws(OutputError) in try writeAll(bytes, to: STDOUT_FILENO) },
      messages: { (bytes) throws(OutputError) in try writeAll(bytes, to: STDERR_FILENO) },
      showsProgress: isatty(STDERR_FILENO) == 1)
  }

  /// One line of the answer.
  package func print(_ line: String) throws(OutputError) {
    answers.append(contentsOf: line.utf8)
    answers.append(UInt8(ascii: "\n"))
    if answers.count >= 1 << 16 { try flush() }
  }

  package func flush() throws(OutputError) {
    guard !answers.isEmpty else { return }
    let bytes = answers
    answers.removeAll(keepingCapacity: true)
    try output(bytes)
  }

  /// Prints one line about the answer. An error here is ignored, since it cannot be reported.
  package func complain(_ line: String) { whisper(line + "\n") }

  /// Prints like `complain`, without a line end.
  package func whisper(_ text: String) { try? messages(Array(text.utf8)) }
}

/// The reason why an answer could not be written.
package enum OutputError: Error, Equatable, CustomStringConvertible {
  /// The reader has closed the pipe, as `head` does when it has read enough.
  case closed
  case failed(errno: Int32)
  /// A report file that could not be written.
  case file(String, reason: String)

  /// The reason why a file could not be written; names a missing folder instead of the file.
  package static func file(_ path: String, after error: any Error) -> Self {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    if !FileManager.default.fileExists(atPath: folder) {
      return .file(path, reason: "there is no folder \(printable(folder))")
    }
    return .file(path, reason: error.localizedDescription)
  }

  package var description: String {
    switch self {
    case .closed: "the output was closed"
    case .failed(let number): "cannot write the output: \(String(cString: strerror(number)))"
    case .file(let path, let reason): "cannot write \(printable(path)): \(reason)"
    }
  }
}

/// Calls `write` until all bytes are written.
private func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(OutputError) {
  var done = 0
  while done < bytes.count {
    let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + done, $0.count - done) }
    if written >= 0 {
      done += written
    } else if errno == EPIPE {
      throw .closed
    } else if errno != EINTR {
      throw .failed(errno: errno)
    }
  }
}
