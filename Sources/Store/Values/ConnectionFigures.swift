import AlarmEngine

/// How a process stands with its database's server.
public struct ConnectionFigures: Hashable, Sendable {
  /// Connections that would be there for the next call at once, for writing and for reading.
  public let freeWriters: Int
  public let freeReaders: Int
  /// Connections that were lost since the start.
  public let lost: Int
  /// From a commit of this process until its note of it came back from the server, as it comes to the others: each that was
  /// measured since the last time these figures were taken, the latest thousand at most.
  public let heardAfter: [TimeSpan]
}
