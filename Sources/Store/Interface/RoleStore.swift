import AlarmEngine

/// Work that one process at a time does, of those that share a database.
public protocol RoleStore: Sendable {
  /// Takes a role, or goes on having it: it is free, the owner's already, or nobody has asked for it until it ran out.
  /// - Parameters:
  ///   - owner: the process's name, which it has again after a restart.
  ///   - span: how long it then stays the owner's without another call.
  /// - Returns: whether the owner has it.
  func takeRole(
    _ name: String, by owner: String, for span: TimeSpan, at now: Instant
  ) async throws(StoreError) -> Bool
  /// Leaves the role to others at once, if the owner has it.
  func leaveRole(_ name: String, by owner: String) async throws(StoreError)
}
