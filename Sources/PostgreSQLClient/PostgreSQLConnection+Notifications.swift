import CPostgreSQL

extension PostgreSQLConnection {
  /// Subscribes this connection to notifications sent with `NOTIFY channel`.
  public func listen(_ channel: String) throws(PostgreSQLError) {
    let handle = try opened()
    guard let name = PQescapeIdentifier(handle, channel, channel.utf8.count) else { throw failure() }
    defer { PQfreemem(name) }
    try script("LISTEN " + String(cString: name))
  }

  /// Waits for notifications, at most `milliseconds`, and returns all that have arrived. Empty after a
  /// timeout.
  ///
  /// - Throws: when the connection is lost. Notifications sent until another connection listens are lost as
  ///   well.
  public func notifications(
    within milliseconds: Int
  ) throws(PostgreSQLError) -> [(channel: String, payload: String)] {
    let handle = try opened()
    let deadline = ContinuousClock.now + .milliseconds(milliseconds)
    while true {
      // A notification may have arrived already, perhaps with the answer to a statement.
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

  /// Checks, without waiting, whether the server has closed the connection.
  var hasBeenClosedByServer: Bool {
    guard let handle, !isLost else { return true }
    guard SocketWait.isReadable(handle, until: .now) else { return false }
    // Reads more than once, because the server's last message precedes the end of the stream.
    for _ in 0..<8 where !isLost && SocketWait.isReadable(handle, until: .now) {
      if PQconsumeInput(handle) != 1 { return true }
    }
    return isLost
  }
}
