extension SQLiteSchema {
  static let version1 = """
    CREATE TABLE server_value (name TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;

    -- The server's hybrid logical clock: its node, and the latest time it made or received.
    CREATE TABLE hybrid_clock (
      one INTEGER PRIMARY KEY CHECK (one = 1), node INTEGER NOT NULL,
      time INTEGER, counter INTEGER, made_by INTEGER
    );
    INSERT INTO hybrid_clock (one, node) VALUES (1, random());

    CREATE TABLE account (
      id INTEGER PRIMARY KEY, login TEXT NOT NULL COLLATE NOCASE UNIQUE, name TEXT NOT NULL,
      password_hash TEXT, is_administrator INTEGER NOT NULL, is_disabled INTEGER NOT NULL,
      created_at INTEGER NOT NULL, revision INTEGER NOT NULL,
      -- Counts the changes of the zones that watch over its devices.
      zone_set INTEGER NOT NULL DEFAULT 1,
      is_erased INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE setup_link (
      hash BLOB NOT NULL PRIMARY KEY, is_administrator INTEGER NOT NULL, created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE session (
      id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      hash BLOB NOT NULL UNIQUE, user_agent TEXT NOT NULL, created_at INTEGER NOT NULL,
      last_seen_at INTEGER NOT NULL, expires_at INTEGER NOT NULL
    );
    CREATE INDEX session_account ON session (account);

    CREATE TABLE device (
      id INTEGER PRIMARY KEY, account INTEGER REFERENCES account ON DELETE CASCADE, name TEXT NOT NULL,
      tracker_id TEXT NOT NULL, is_armed INTEGER NOT NULL, settings TEXT NOT NULL, report_interval INTEGER,
      passphrase TEXT, created_at INTEGER NOT NULL, revision INTEGER NOT NULL
    );
    CREATE INDEX device_account ON device (account);
    CREATE INDEX device_report ON device (id) WHERE report_interval IS NOT NULL;
    CREATE TABLE device_identity (
      scheme TEXT NOT NULL, value TEXT NOT NULL, account INTEGER REFERENCES account ON DELETE CASCADE,
      device INTEGER NOT NULL REFERENCES device ON DELETE CASCADE
    );
    CREATE UNIQUE INDEX device_identity_open ON device_identity (scheme, value) WHERE account IS NULL;
    CREATE UNIQUE INDEX device_identity_own ON device_identity (scheme, value, account)
      WHERE account IS NOT NULL;
    CREATE INDEX device_identity_device ON device_identity (device);
    CREATE INDEX device_identity_account ON device_identity (account);
    -- The last fix by its own time, and when anything came.
    CREATE TABLE device_last (
      device INTEGER PRIMARY KEY REFERENCES device ON DELETE CASCADE, heard_at INTEGER NOT NULL,
      measured_at INTEGER, latitude REAL, longitude REAL, accuracy REAL, received_at INTEGER, speed REAL,
      course REAL
    );
    CREATE TABLE device_snapshot (
      device INTEGER PRIMARY KEY REFERENCES device ON DELETE CASCADE, through INTEGER NOT NULL,
      zone_set INTEGER NOT NULL, bytes BLOB NOT NULL
    );
    -- Devices that are gone and whose history still has to go.
    CREATE TABLE deleted_device (device INTEGER PRIMARY KEY);
    CREATE TABLE device_token (
      id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      device INTEGER REFERENCES device ON DELETE CASCADE, hash BLOB NOT NULL UNIQUE, name TEXT NOT NULL,
      created_at INTEGER NOT NULL, expires_at INTEGER, last_used_at INTEGER
    );
    CREATE INDEX device_token_account ON device_token (account);
    CREATE INDEX device_token_device ON device_token (device);

    CREATE TABLE collection (
      id INTEGER PRIMARY KEY, owner INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, name TEXT NOT NULL,
      about TEXT NOT NULL, is_public INTEGER NOT NULL, created_at INTEGER NOT NULL, revision INTEGER NOT NULL
    );
    CREATE INDEX collection_owner ON collection (owner);
    CREATE INDEX collection_public ON collection (id) WHERE is_public;
    CREATE TABLE membership (
      collection INTEGER NOT NULL REFERENCES collection ON DELETE CASCADE,
      account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, since INTEGER NOT NULL,
      PRIMARY KEY (collection, account)
    ) WITHOUT ROWID;
    CREATE INDEX membership_account ON membership (account);
    CREATE TABLE follow (
      collection INTEGER NOT NULL REFERENCES collection ON DELETE CASCADE,
      account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, since INTEGER NOT NULL,
      PRIMARY KEY (collection, account)
    ) WITHOUT ROWID;
    CREATE INDEX follow_account ON follow (account);

    -- Deleted ones stay, so that an edit made elsewhere before is not taken for a new zone.
    CREATE TABLE zone (
      account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, id INTEGER NOT NULL,
      collection INTEGER REFERENCES collection ON DELETE SET NULL, is_deleted INTEGER NOT NULL,
      revision INTEGER NOT NULL, saved_at INTEGER NOT NULL, record BLOB NOT NULL,
      PRIMARY KEY (account, id)
    );
    CREATE INDEX zone_collection ON zone (collection) WHERE collection IS NOT NULL;
    CREATE INDEX zone_deleted ON zone (saved_at) WHERE is_deleted;
    CREATE TABLE reminder (
      account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, id INTEGER NOT NULL,
      is_deleted INTEGER NOT NULL, revision INTEGER NOT NULL, saved_at INTEGER NOT NULL, record BLOB NOT NULL,
      PRIMARY KEY (account, id)
    );
    CREATE INDEX reminder_deleted ON reminder (saved_at) WHERE is_deleted;

    CREATE TABLE channel (
      id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      kind TEXT NOT NULL, name TEXT NOT NULL, address TEXT NOT NULL, secrets TEXT NOT NULL,
      is_active INTEGER NOT NULL, escalation_step INTEGER NOT NULL, devices TEXT,
      created_at INTEGER NOT NULL, revision INTEGER NOT NULL
    );
    CREATE INDEX channel_account ON channel (account);
    CREATE TABLE message (
      id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      your_moniker BLOB NOT NULL, to_moniker BLOB NOT NULL, contact_number BLOB NOT NULL,
      supplement BLOB NOT NULL, revision INTEGER NOT NULL
    );
    CREATE INDEX message_account ON message (account);
    CREATE TABLE sound (
      id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      name TEXT NOT NULL, about TEXT NOT NULL, media_type TEXT NOT NULL, size INTEGER NOT NULL,
      saved_at INTEGER NOT NULL, bytes BLOB NOT NULL, UNIQUE (account, name)
    );
    CREATE TABLE notice (
      account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, zone INTEGER NOT NULL,
      device INTEGER NOT NULL REFERENCES device ON DELETE CASCADE, shown INTEGER NOT NULL,
      opened INTEGER NOT NULL, last_shown_at INTEGER NOT NULL, PRIMARY KEY (account, zone, device)
    ) WITHOUT ROWID;
    CREATE INDEX notice_device ON notice (device);
    CREATE TABLE setting (
      account INTEGER PRIMARY KEY REFERENCES account ON DELETE CASCADE, json TEXT NOT NULL,
      revision INTEGER NOT NULL
    );

    -- Clustered by day of measurement, so that the present day's part stays small and old days go as a whole. An
    -- accuracy that is not stated is infinite. The device is checked when a batch is written, not for each row.
    CREATE TABLE fix (
      day INTEGER NOT NULL, device INTEGER NOT NULL, measured_at INTEGER NOT NULL, latitude REAL NOT NULL,
      longitude REAL NOT NULL, accuracy REAL NOT NULL, received_at INTEGER NOT NULL, speed REAL, course REAL,
      altitude REAL, battery REAL, detail TEXT,
      PRIMARY KEY (day, device, measured_at, latitude, longitude, accuracy)
    ) WITHOUT ROWID;
    CREATE TABLE raw_body (
      number INTEGER PRIMARY KEY AUTOINCREMENT, device INTEGER REFERENCES device ON DELETE CASCADE,
      received_at INTEGER NOT NULL, source TEXT NOT NULL, reason TEXT NOT NULL, body BLOB NOT NULL
    );
    CREATE INDEX raw_body_device ON raw_body (device, number);
    CREATE TABLE command (
      number INTEGER PRIMARY KEY, device INTEGER NOT NULL, at INTEGER NOT NULL, kind INTEGER NOT NULL,
      alarm INTEGER, argument INTEGER, given_by TEXT NOT NULL
    );
    CREATE INDEX command_device ON command (device, at, number);
    CREATE INDEX command_at ON command (at);
    CREATE TABLE event (
      number INTEGER PRIMARY KEY, device INTEGER NOT NULL, time INTEGER NOT NULL,
      is_retracted INTEGER NOT NULL, bytes BLOB NOT NULL
    );
    CREATE INDEX event_device ON event (device, time, number);
    CREATE INDEX event_time ON event (time);

    CREATE TABLE alarm (
      id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      device INTEGER NOT NULL, subject INTEGER NOT NULL, zone INTEGER, zone_name BLOB, cause INTEGER,
      silent_since INTEGER, state INTEGER NOT NULL, state_argument INTEGER, is_open INTEGER NOT NULL,
      began INTEGER NOT NULL, decided_at INTEGER NOT NULL, learned_at INTEGER NOT NULL, distance REAL,
      latitude REAL, longitude REAL, last_rang_at INTEGER NOT NULL, rings INTEGER NOT NULL,
      cleared_at INTEGER, answered_at INTEGER, answered_by TEXT, escalation_step INTEGER NOT NULL,
      version INTEGER NOT NULL
    );
    CREATE INDEX alarm_account ON alarm (account, began, id);
    CREATE INDEX alarm_device ON alarm (device, began, id);
    CREATE INDEX alarm_open ON alarm (id) WHERE is_open;
    CREATE INDEX alarm_ended ON alarm (ifnull(cleared_at, last_rang_at)) WHERE NOT is_open;
    CREATE TABLE attempt (
      number INTEGER PRIMARY KEY, alarm INTEGER NOT NULL REFERENCES alarm ON DELETE CASCADE,
      channel INTEGER NOT NULL, attempt INTEGER NOT NULL, started_at INTEGER NOT NULL,
      ended_at INTEGER NOT NULL, outcome TEXT NOT NULL, detail TEXT NOT NULL
    );
    CREATE INDEX attempt_alarm ON attempt (alarm, ended_at);
    -- Due, or leased until, at ready_at.
    CREATE TABLE outbox (
      number INTEGER PRIMARY KEY AUTOINCREMENT, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      channel INTEGER NOT NULL REFERENCES channel ON DELETE CASCADE, alarm INTEGER, collapse_key TEXT,
      payload BLOB NOT NULL, created_at INTEGER NOT NULL, due_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0, is_leased INTEGER NOT NULL DEFAULT 0, ready_at INTEGER NOT NULL
    );
    CREATE INDEX outbox_ready ON outbox (ready_at, number);
    CREATE INDEX outbox_key ON outbox (channel, collapse_key, number);
    CREATE INDEX outbox_alarm ON outbox (alarm) WHERE alarm IS NOT NULL;
    CREATE INDEX outbox_account ON outbox (account);

    -- Each thing once, at its last change.
    CREATE TABLE change (
      cursor INTEGER PRIMARY KEY AUTOINCREMENT, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      kind INTEGER NOT NULL, id INTEGER NOT NULL, is_deleted INTEGER NOT NULL, changed_at INTEGER NOT NULL,
      UNIQUE (account, kind, id)
    );
    CREATE INDEX change_account ON change (account, cursor);
    """
}
