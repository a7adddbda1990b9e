extension SQLiteSchema {
  /// Who signs in by a provider, and challenges that are used up.
  static let identities = """
    CREATE TABLE login_identity (
      id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, issuer TEXT NOT NULL,
      subject TEXT NOT NULL, name TEXT NOT NULL, bound_at INTEGER NOT NULL, last_used_at INTEGER,
      UNIQUE (issuer, subject)
    );
    CREATE INDEX login_identity_account ON login_identity (account);
    CREATE TABLE used_challenge (hash BLOB PRIMARY KEY, expires_at INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX used_challenge_expires_at ON used_challenge (expires_at);
    """
}
