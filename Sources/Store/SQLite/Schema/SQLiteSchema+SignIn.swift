extension SQLiteSchema {
  /// What a token lets in. All there were did everything; those of one device never did more than report.
  static let tokenScopes = """
    ALTER TABLE device_token ADD COLUMN scope INTEGER NOT NULL DEFAULT 3;
    UPDATE device_token SET scope = 1 WHERE device IS NOT NULL;
    """

  /// Secrets of authenticator apps, and the hashes of codes on paper.
  static let secondFactors = """
    CREATE TABLE second_factor (
      account INTEGER PRIMARY KEY REFERENCES account ON DELETE CASCADE, secret BLOB NOT NULL,
      confirmed_at INTEGER, last_step INTEGER NOT NULL
    );
    CREATE TABLE recovery_code (
      account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, hash BLOB NOT NULL,
      PRIMARY KEY (account, hash)
    ) WITHOUT ROWID;
    """

  /// What was done in accounts.
  static let auditLog = """
    CREATE TABLE audit_entry (
      id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, at INTEGER NOT NULL,
      action TEXT NOT NULL, subject TEXT NOT NULL, is_refused INTEGER NOT NULL, actor INTEGER NOT NULL,
      actor_name TEXT NOT NULL, address TEXT NOT NULL
    );
    CREATE INDEX audit_entry_account ON audit_entry (account, id);
    CREATE INDEX audit_entry_at ON audit_entry (at);
    """
}
