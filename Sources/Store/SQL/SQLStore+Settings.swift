import AlarmEngine
import Foundation

/// The settings of accounts, and the server's own values.
extension SQLStore {
  /// The account's settings: `{}` at revision 0 if none were saved.
  public func settings(of account: AccountID) async throws(StoreError) -> AccountSettings {
    try await read { try Self.settings(account, $0) }
  }

  private static func settings(_ account: AccountID, _ database: any SQLTransaction) throws -> AccountSettings
  {
    _ = try Self.account(account, database)
    let row = try database.row("SELECT json, revision FROM setting WHERE account = ?", [account.sql])
    guard let row else { return AccountSettings(json: "{}", revision: Revision(rawValue: 0)) }
    return AccountSettings(json: row[0], revision: row.revision(1))
  }

  @discardableResult
  public func saveSettings(
    _ json: String, of account: AccountID, over revision: Revision, at now: Instant
  ) async throws(StoreError) -> AccountSettings {
    try await write { database in
      let stored = try Self.settings(account, database)
      guard stored.revision == revision else { throw StoreError.stale(stored: stored.revision) }
      try database.run(
        """
        INSERT INTO setting (account, json, revision) VALUES (?, ?, 1)
        ON CONFLICT (account) DO UPDATE SET json = excluded.json, revision = setting.revision + 1
        """, [account.sql, json])
      try Self.makeDue(devicesOf: account, at: now, database)
      try Self.change(.settings, account.rawValue, of: account, at: now, database)
      return try Self.settings(account, database)
    }
  }

  /// Returns the server's own value with that name, for example a signing key. If there is none, `standard`
  /// is stored and returned, so that all processes use the same value.
  public func serverValue(
    _ name: String, orElse standard: [UInt8]
  ) async throws(StoreError) -> [UInt8] {
    try await write { database in
      try database.run(
        "INSERT INTO server_value (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", [name, Data(standard)])
      return try database.row("SELECT value FROM server_value WHERE name = ?", [name])?.bytes(0) ?? standard
    }
  }

  public func setServerValue(_ name: String, to value: [UInt8]) async throws(StoreError) {
    try await write { database in
      try Self.noteEditOfServer(database)
      _ = try database.run(
        "INSERT INTO server_value (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        [name, Data(value)])
    }
  }
}
