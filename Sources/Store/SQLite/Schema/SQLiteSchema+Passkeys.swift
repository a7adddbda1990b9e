extension SQLiteSchema {
  /// Public keys that accounts are signed in to with.
  static let passkeys = """
    CREATE TABLE passkey (
      id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      credential BLOB NOT NULL UNIQUE, public_key BLOB NOT NULL, relying_party TEXT NOT NULL,
      sign_count INTEGER NOT NULL, name TEXT NOT NULL, created_at INTEGER NOT NULL, last_used_at INTEGER
    );
    CREATE INDEX passkey_account ON passkey (account);
    """
}
