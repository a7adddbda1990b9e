extension SQLiteSchema {
  /// The statements by which keys of packs named the keys that followed them; the earliest has the lowest number.
  static let packKeyChanges = """
    CREATE TABLE pack_key_change (
      account INTEGER NOT NULL REFERENCES pack_key ON DELETE CASCADE, number INTEGER NOT NULL,
      statement BLOB NOT NULL, PRIMARY KEY (account, number)
    );
    """
}
