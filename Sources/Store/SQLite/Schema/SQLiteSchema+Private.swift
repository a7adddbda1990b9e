extension SQLiteSchema {
  /// Accounts whose places the server never learns, and sealed messages: public keys of browsers, who agreed to hear from whom,
  /// and what waits to be fetched. A message names its sender, so that a reader knows whose agreement it came by.
  static let privateMode = """
    ALTER TABLE account ADD COLUMN is_private INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE sealed_key (
      id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      public_key BLOB NOT NULL, name TEXT NOT NULL, created_at INTEGER NOT NULL, fetched_at INTEGER NOT NULL,
      UNIQUE (account, public_key)
    );
    CREATE TABLE sealed_contact (
      id INTEGER PRIMARY KEY, owner INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, login TEXT NOT NULL,
      viewer INTEGER REFERENCES account ON DELETE CASCADE, created_at INTEGER NOT NULL
    );
    CREATE INDEX sealed_contact_owner ON sealed_contact (owner);
    CREATE INDEX sealed_contact_viewer ON sealed_contact (viewer);
    CREATE INDEX sealed_contact_login ON sealed_contact (lower(login));
    CREATE TABLE sealed_message (
      id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      sealed_key INTEGER NOT NULL REFERENCES sealed_key ON DELETE CASCADE,
      sender INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, bytes BLOB NOT NULL,
      created_at INTEGER NOT NULL
    );
    CREATE INDEX sealed_message_key ON sealed_message (sealed_key, created_at, id);
    CREATE INDEX sealed_message_account ON sealed_message (account);
    CREATE INDEX sealed_message_sender ON sealed_message (sender);
    CREATE INDEX sealed_message_at ON sealed_message (created_at);
    """
}
