import AlarmEngine
import Foundation

/// Roles: work that only one of the processes sharing a database does at a time.
///
/// A role is stored as a server value: its end in milliseconds since 1970, a space, and the owner.
extension SQLStore {
  /// Takes or keeps a role. It succeeds if the role is free, expired, or already the owner's.
  /// - Parameters:
  ///   - owner: the process's name, which stays the same after a restart.
  ///   - span: the time for which the role is held without another call.
  /// - Returns: whether the owner has the role.
  public func takeRole(
    _ name: String, by owner: String, for span: TimeSpan, at now: Instant
  ) async throws(StoreError) -> Bool {
    try await write(.lease) { database in
      if let held = try Self.role(name, database), held.owner != owner {
        // After a clock was set back, nobody waits for longer than `span`.
        guard held.until <= now || held.until > now + span else { return false }
      }
      let value = "\((now + span).millisecondsSince1970) \(owner)"
      try database.run(
        "INSERT INTO server_value (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        [roleKey(name), Data(value.utf8)])
      return true
    }
  }

  /// Releases the role at once if the owner has it.
  public func leaveRole(_ name: String, by owner: String) async throws(StoreError) {
    try await write(.lease) { database in
      guard try Self.role(name, database)?.owner == owner else { return }
      try database.run("DELETE FROM server_value WHERE name = ?", [roleKey(name)])
    }
  }

  private static func role(
    _ name: String, _ database: any SQLTransaction
  ) throws -> (until: Instant, owner: String)? {
    let row = try database.row("SELECT value FROM server_value WHERE name = ?", [roleKey(name)])
    guard let bytes = row?.bytes(0) else { return nil }
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: " ", maxSplits: 1)
    // An unreadable value counts as a free role.
    guard parts.count == 2, let until = Int64(parts[0]) else { return nil }
    return (Instant(millisecondsSince1970: until), String(parts[1]))
  }
}

private func roleKey(_ name: String) -> String { "role-\(name)" }
