import AlarmEngine
import Foundation

/// Sounds that accounts have uploaded.
extension SQLStore {
  private static let columns = "id, account, name, about, media_type, size, saved_at"

  private static func sound(_ row: SQLRow) -> Sound {
    Sound(
      id: row.id(0), account: row.id(1), name: row[2], about: row[3], mediaType: row[4], size: row[5],
      savedAt: row.instant(6))
  }

  /// Saves a sound, replacing the account's sound with the same id.
  /// - Throws: `.taken` if another sound has the name.
  public func save(_ sound: Sound, bytes: [UInt8]) async throws(StoreError) {
    try await write { database in
      _ = try Self.account(sound.account, database)
      let owner = try database.integer("SELECT account FROM sound WHERE id = ?", [sound.id.sql])
      guard owner == nil || owner == sound.account.sql else { throw StoreError.taken }
      try database.insert(
        """
        INSERT INTO sound (\(Self.columns), bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, about = excluded.about,
          media_type = excluded.media_type, size = excluded.size, saved_at = excluded.saved_at,
          bytes = excluded.bytes
        """,
        [
          sound.id.sql, sound.account.sql, sound.name, sound.about, sound.mediaType, bytes.count,
          sound.savedAt.sql, Data(bytes),
        ])
      try Self.change(.sound, sound.id.rawValue, of: sound.account, at: sound.savedAt, database)
    }
  }

  /// The sounds, ascending by name.
  public func sounds(of account: AccountID) async throws(StoreError) -> [Sound] {
    try await read { database in
      try database.rows("SELECT \(Self.columns) FROM sound WHERE account = ? ORDER BY name", [account.sql])
        .map { Self.sound($0) }
    }
  }

  public func sound(
    _ id: SoundID, of account: AccountID
  ) async throws(StoreError) -> (sound: Sound, bytes: [UInt8]) {
    try await read { database in
      let row = try database.row(
        "SELECT \(Self.columns), bytes FROM sound WHERE id = ? AND account = ?", [id.sql, account.sql])
      guard let row else { throw StoreError.notFound }
      return (Self.sound(row), row.bytes(7))
    }
  }

  public func deleteSound(
    _ id: SoundID, of account: AccountID, at now: Instant
  ) async throws(StoreError) {
    try await write { database in
      let deleted = try database.run(
        "DELETE FROM sound WHERE id = ? AND account = ?", [id.sql, account.sql])
      guard deleted == 1 else { throw StoreError.notFound }
      try Self.change(.sound, id.rawValue, of: account, deleted: true, at: now, database)
    }
  }
}
