extension SQLiteSchema {
  /// Zones of the past: what watched over whom, and from which edit to which.
  static let zoneHistory = """
    -- Counts the transactions that change which zones watch over anybody.
    CREATE TABLE zone_clock (one INTEGER PRIMARY KEY CHECK (one = 1), edit INTEGER NOT NULL);
    INSERT INTO zone_clock (one, edit) VALUES (1, 0);

    -- The edit from which on a row is as it is; 0: from before there was a history.
    ALTER TABLE zone ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE follow ADD COLUMN watched_since INTEGER NOT NULL DEFAULT 0;

    -- How a zone was from edit `since` on, until edit `until`, which came at ended_at.
    CREATE TABLE former_zone (
      account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, id INTEGER NOT NULL, collection INTEGER,
      revision INTEGER NOT NULL, saved_at INTEGER NOT NULL, record BLOB NOT NULL, since INTEGER NOT NULL,
      until INTEGER NOT NULL, ended_at INTEGER NOT NULL
    );
    CREATE INDEX former_zone_account ON former_zone (account, until);
    CREATE INDEX former_zone_collection ON former_zone (collection, until) WHERE collection IS NOT NULL;
    CREATE INDEX former_zone_ended ON former_zone (ended_at);
    CREATE TABLE former_follow (
      account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, collection INTEGER NOT NULL,
      since INTEGER NOT NULL, until INTEGER NOT NULL, ended_at INTEGER NOT NULL
    );
    CREATE INDEX former_follow_account ON former_follow (account, until);
    CREATE INDEX former_follow_collection ON former_follow (collection);
    CREATE INDEX former_follow_ended ON former_follow (ended_at);

    -- An account's zone_set, by which edit it came, and when by our clock, which never goes back here.
    CREATE TABLE zone_set (
      account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, revision INTEGER NOT NULL,
      edit INTEGER NOT NULL, at INTEGER NOT NULL, UNIQUE (account, revision)
    );
    CREATE INDEX zone_set_at ON zone_set (at);
    INSERT INTO zone_set (account, revision, edit, at) SELECT id, zone_set, 0, created_at FROM account;
    """
}
