extension SQLiteSchema {
  /// Who gets in and is written to: set-up links that the server printed, links for a new password, confirmed mail
  /// addresses, addresses of the network that somebody signed in from. And where the change feed was begun anew.
  ///
  /// A mail channel that is there already has been told of alarms all along: its address counts as confirmed, so that no
  /// alarm is lost by the update.
  static let access = """
    ALTER TABLE setup_link ADD COLUMN is_printed INTEGER NOT NULL DEFAULT 0;
    UPDATE setup_link SET is_printed = is_administrator;
    CREATE TABLE password_reset (
      hash BLOB NOT NULL PRIMARY KEY, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      expires_at INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX password_reset_account ON password_reset (account);
    -- A link for confirming is open while there is a hash.
    CREATE TABLE mail_address (
      account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, address TEXT NOT NULL,
      is_own INTEGER NOT NULL, hash BLOB UNIQUE, expires_at INTEGER, confirmed_at INTEGER,
      PRIMARY KEY (account, address)
    ) WITHOUT ROWID;
    INSERT OR IGNORE INTO mail_address (account, address, is_own, confirmed_at)
      SELECT account, json_extract(secrets, '$.address'), 0, created_at FROM channel
      WHERE kind = 'email' AND json_valid(secrets) AND json_extract(secrets, '$.address') IS NOT NULL;
    -- A keyed hash of each address, so that the file does not say where people are.
    CREATE TABLE sign_in_address (
      account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, hash BLOB NOT NULL, last_at INTEGER NOT NULL,
      PRIMARY KEY (account, hash)
    ) WITHOUT ROWID;
    -- Each start of a server: the last change at that moment.
    CREATE TABLE feed_epoch (
      number INTEGER PRIMARY KEY AUTOINCREMENT, epoch INTEGER NOT NULL UNIQUE, first INTEGER NOT NULL
    );
    -- The last change of an account that the feed has forgotten.
    CREATE TABLE feed_floor (
      account INTEGER PRIMARY KEY REFERENCES account ON DELETE CASCADE, cursor INTEGER NOT NULL
    );
    """

  /// Tries to sign in and mails sent, by a keyed hash of what is counted: when their bucket is full again.
  /// When a channel is tested of its own accord, and what came of its last test.
  static let channelTests = """
    ALTER TABLE channel ADD COLUMN test_minute INTEGER;
    ALTER TABLE channel ADD COLUMN test_at INTEGER;
    ALTER TABLE channel ADD COLUMN tested_at INTEGER;
    ALTER TABLE channel ADD COLUMN test_failure TEXT;
    CREATE INDEX channel_test ON channel (test_at) WHERE test_at IS NOT NULL;
    """

  static let tryCounts =
    "CREATE TABLE try_count (key BLOB NOT NULL PRIMARY KEY, full_at INTEGER NOT NULL) WITHOUT ROWID;"
}
