/// A defect in a file; the rest of the file is still read.
public struct ReadIssue: Hashable, Sendable {
  public enum Severity: UInt8, Hashable, Sendable {
    /// The item is read, perhaps not as meant.
    case warning
    /// The item (a zone, a fix) is left out.
    case error
  }
  public let severity: Severity
  /// The line, from 1; nil for formats without meaningful lines.
  public let line: Int?
  /// One sentence that names what was found and what is allowed: "latitude 91 found, -90 to 90 allowed".
  public let message: String

  public init(_ severity: Severity, line: Int? = nil, _ message: String) {
    self.severity = severity
    self.line = line
    self.message = message
  }
}

/// A file that cannot be read at all.
public struct ReadError: Error, Equatable, Sendable, CustomStringConvertible {
  public let description: String
  public init(_ description: String) { self.description = description }
}

/// A progress callback while a long file is read: the bytes done and, if known, the total. Returns false to
/// stop; the reader then throws `CancellationError`.
public typealias ReadProgress = (_ done: Int, _ total: Int?) -> Bool
