import AlarmEngine

/// The state of a process's connections to the database server.
public struct ConnectionFigures: Hashable, Sendable {
  /// Connections that the next call could use at once, for writing and for reading.
  public let freeWriters: Int
  public let freeReaders: Int
  /// Connections lost since the start.
  public let lost: Int
  /// The delays from a commit of this process until its own notification came back from the server, as it
  /// reaches the other processes: the first thousand measured since these figures were last taken.
  public let heardAfter: [TimeSpan]
}
