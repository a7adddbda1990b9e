import CPostgreSQL

extension PostgreSQLConnection {
  /// Subscribes this connection to what is told with `NOTIFY channel`.
  public func listen(_ channel: String) throws(PostgreSQLError) {
    let handle = try opened()
    guard let name = PQescapeIdentifier(handle, channel, channel.utf8.count) else { throw failure() }
    defer { PQfreemem(name) }
    try script("LISTEN " + String(cString: name))
  }

  /// Waits until something is told, at most so long, and returns all that has been. Empty when the time is over.
  ///
  /// - Throws: when the connection is lost. What was told until another listens is lost as well.
  public func notifications(
    within milliseconds: Int
  ) throws(PostgreSQLError) -> [(channel: String, payload: String)] {
    let handle = try opened()
    let deadline = ContinuousClock.now + .milliseconds(milliseconds)
    while true {
      // First what has come already, perhaps with the answer to a statement.
      guard PQconsumeInput(handle) == 1, !isLost else { throw failure() }
      var told: [(channel: String, payload: String)] = []
      while let notification = PQnotifies(handle) {
        told.append(
          (String(cString: notification.pointee.relname), String(cString: notification.pointee.extra)))
        PQfreemem(notification)
      }
      guard told.isEmpty else { return told }
      guard SocketWait.isReadable(handle, until: deadline) else { return [] }
    }
  }

  /// Looks, without waiting, whether the server has closed the connection meanwhile.
  var hasBeenClosedByServer: Bool {
    guard let handle, !isLost else { return true }
    guard SocketWait.isReadable(handle, until: .now) else { return false }
    // More than once: the server's last words come before the end.
    for _ in 0..<8 where !isLost && SocketWait.isReadable(handle, until: .now) {
      if PQconsumeInput(handle) != 1 { return true }
    }
    return isLost
  }
}
