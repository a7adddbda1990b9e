extension SQLiteSchema {
  /// Collections that are given out as signed packs, and the keys that sign them.
  static let packs = """
    CREATE TABLE pack_key (
      account INTEGER PRIMARY KEY REFERENCES account ON DELETE CASCADE, secret BLOB NOT NULL,
      created_at INTEGER NOT NULL
    );
    CREATE TABLE pack (
      collection INTEGER PRIMARY KEY REFERENCES collection ON DELETE CASCADE, address TEXT NOT NULL UNIQUE,
      version INTEGER NOT NULL, made_at INTEGER NOT NULL, zone_set INTEGER NOT NULL, revision INTEGER NOT NULL
    );
    -- As they were given out, with the version in which each changed last; without bytes those that went.
    CREATE TABLE pack_zone (
      collection INTEGER NOT NULL REFERENCES pack ON DELETE CASCADE, id INTEGER NOT NULL,
      version INTEGER NOT NULL, pad BLOB, PRIMARY KEY (collection, id)
    );
    """
}
