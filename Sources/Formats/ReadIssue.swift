/// Something in a file that is not as it should be; the rest of the file is still read.
public struct ReadIssue: Hashable, Sendable {
  public enum Severity: UInt8, Hashable, Sendable {
    /// Read all the same, perhaps not as meant.
    case warning
    /// The item (a zone, a fix) is left out.
    case error
  }
  public let severity: Severity
  /// From 1; nil where the format has no lines worth naming.
  public let line: Int?
  /// One sentence that names what was found and what is allowed: "latitude 91 found, -90 to 90 allowed".
  public let message: String

  public init(_ severity: Severity, line: Int? = nil, _ message: String) {
    self.severity = severity
    self.line = line
    self.message = message
  }
}

/// A file of which nothing can be read.
public struct ReadError: Error, Equatable, Sendable, CustomStringConvertible {
  public let description: String
  public init(_ description: String) { self.description = description }
}

/// Told of progress now and then while a long file is read: the bytes done and, where known, all of them.
/// Answers false to stop; the reader then throws `CancellationError`.
public typealias ReadProgress = (_ done: Int, _ total: Int?) -> Bool
