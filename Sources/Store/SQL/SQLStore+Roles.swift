import AlarmEngine
import Foundation

/// Work that one process at a time does, of those that share a database.
///
/// A role is one of the server's own values: when it runs out (milliseconds since 1970), a blank, whose it is.
extension SQLStore {
  /// Takes a role, or goes on having it: it is free, the owner's already, or nobody has asked for it until it ran out.
  /// - Parameters:
  ///   - owner: the process's name, which it has again after a restart.
  ///   - span: how long it then stays the owner's without another call.
  /// - Returns: whether the owner has it.
  public func takeRole(
    _ name: String, by owner: String, for span: TimeSpan, at now: Instant
  ) async throws(StoreError) -> Bool {
    try await write(.lease) { database in
      if let held = try Self.role(name, database), held.owner != owner {
        // A clock that was set back lets nobody wait for longer than the role lasts.
        guard held.until <= now || held.until > now + span else { return false }
      }
      let value = "\((now + span).millisecondsSince1970) \(owner)"
      try database.run(
        "INSERT INTO server_value (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        [roleKey(name), Data(value.utf8)])
      return true
    }
  }

  /// Leaves the role to others at once, if the owner has it.
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
    // What cannot be read is nobody's.
    guard parts.count == 2, let until = Int64(parts[0]) else { return nil }
    return (Instant(millisecondsSince1970: until), String(parts[1]))
  }
}

private func roleKey(_ name: String) -> String { "role-\(name)" }
