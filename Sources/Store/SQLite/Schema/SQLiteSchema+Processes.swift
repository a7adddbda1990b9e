/// What several processes on one store need.
extension SQLiteSchema {
  /// How often each device's engine was changed: of several processes that have it in memory, one whose number is older
  /// than the stored one reads the engine again.
  static let engineVersions = """
    CREATE TABLE engine_version (
      device INTEGER PRIMARY KEY REFERENCES device ON DELETE CASCADE, version INTEGER NOT NULL
    );
    INSERT INTO engine_version (device, version) SELECT id, 0 FROM device;
    """

  /// Which process an item of the outbox is leased to.
  static let leaseOwners = "ALTER TABLE outbox ADD COLUMN owner TEXT;"

  /// The change feed is counted for each account. Every account goes on from the last number that was counted for all, so
  /// that cursors which readers have kept stay good.
  static let accountFeeds = """
    -- The number of its last change, and the epoch in which that was made.
    ALTER TABLE account ADD COLUMN feed INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE account ADD COLUMN feed_epoch INTEGER NOT NULL DEFAULT 0;
    UPDATE account SET feed = coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'change'), 0),
      feed_epoch = coalesce((SELECT max(number) FROM feed_epoch), 0);

    CREATE TABLE account_change (
      account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, kind INTEGER NOT NULL, id INTEGER NOT NULL,
      cursor INTEGER NOT NULL, is_deleted INTEGER NOT NULL, changed_at INTEGER NOT NULL,
      PRIMARY KEY (account, kind, id)
    );
    INSERT INTO account_change (account, kind, id, cursor, is_deleted, changed_at)
      SELECT account, kind, id, cursor, is_deleted, changed_at FROM change;
    DROP TABLE change;
    ALTER TABLE account_change RENAME TO change;
    CREATE UNIQUE INDEX change_cursor ON change (account, cursor);

    -- Where an epoch begins in an account's feed: written with the account's first change in it. In feed_epoch `first` is
    -- the last change of all accounts before the epoch; of epochs that are counted here, the largest number there is.
    CREATE TABLE feed_begin (
      account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, epoch INTEGER NOT NULL, first INTEGER NOT NULL,
      PRIMARY KEY (account, epoch)
    ) WITHOUT ROWID;
    """

  /// Whose data an edit was about, so that other processes know what to read again; of no account: everything.
  static let editNotes = """
    CREATE TABLE edit_note (
      number INTEGER PRIMARY KEY AUTOINCREMENT, account INTEGER REFERENCES account ON DELETE CASCADE
    );
    CREATE INDEX edit_note_account ON edit_note (account);
    """

  /// When each process was last seen, and since when one or another has been there without a pause.
  static let processesAwake = """
    CREATE TABLE process_awake (
      name TEXT NOT NULL PRIMARY KEY, since INTEGER NOT NULL, seen_at INTEGER NOT NULL
    ) WITHOUT ROWID;
    """
}
