extension SQLiteSchema {
  /// Accounts, devices, zones, fixes, alarms and deliveries.
  static let watching = """
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
      is_erased INTEGER NOT NULL DEFAULT 0,
      -- The number of its last change, and the epoch in which that was made.
      feed INTEGER NOT NULL DEFAULT 0, feed_epoch INTEGER NOT NULL DEFAULT 0,
      is_private INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX account_lower_login ON account (lower(login));
    CREATE TABLE setup_link (
      hash BLOB NOT NULL PRIMARY KEY, is_administrator INTEGER NOT NULL, created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL, is_printed INTEGER NOT NULL DEFAULT 0
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
      zone_set INTEGER NOT NULL, bytes BLOB NOT NULL,
      -- The spans between the last reports in milliseconds, separated by commas.
      silences TEXT NOT NULL
    );
    -- Devices that are gone and whose history still has to go.
    CREATE TABLE deleted_device (device INTEGER PRIMARY KEY);
    CREATE TABLE device_token (
      id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      device INTEGER REFERENCES device ON DELETE CASCADE, hash BLOB NOT NULL UNIQUE, name TEXT NOT NULL,
      created_at INTEGER NOT NULL, expires_at INTEGER, last_used_at INTEGER,
      -- What a token lets in.
      scope INTEGER NOT NULL DEFAULT 3
    );
    CREATE INDEX device_token_account ON device_token (account);
    CREATE INDEX device_token_device ON device_token (device);
    CREATE TABLE collection (
      id INTEGER PRIMARY KEY, owner INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      name TEXT NOT NULL,
      about TEXT NOT NULL, is_public INTEGER NOT NULL, created_at INTEGER NOT NULL,
      revision INTEGER NOT NULL
    );
    CREATE INDEX collection_owner ON collection (owner);
    CREATE INDEX collection_public ON collection (id) WHERE is_public;
    CREATE TABLE membership (
      id INTEGER PRIMARY KEY, collection INTEGER NOT NULL REFERENCES collection ON DELETE CASCADE,
      -- As the owner wrote it; of no account until the person with that login follows the collection.
      login TEXT,
      account INTEGER REFERENCES account ON DELETE CASCADE, since INTEGER NOT NULL,
      -- Whether the owner let the account follow by itself, and not only by a group.
      is_direct INTEGER NOT NULL DEFAULT 1,
      UNIQUE (collection, account)
    );
    CREATE INDEX membership_account ON membership (account);
    CREATE INDEX membership_login ON membership (collection, lower(login));
    CREATE TABLE follow (
      collection INTEGER NOT NULL REFERENCES collection ON DELETE CASCADE,
      account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, since INTEGER NOT NULL,
      watched_since INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (collection, account)
    ) WITHOUT ROWID;
    CREATE INDEX follow_account ON follow (account);
    -- Deleted ones stay, so that an edit made elsewhere before is not taken for a new zone.
    CREATE TABLE zone (
      account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, id INTEGER NOT NULL,
      collection INTEGER REFERENCES collection ON DELETE SET NULL, is_deleted INTEGER NOT NULL,
      revision INTEGER NOT NULL, saved_at INTEGER NOT NULL, record BLOB NOT NULL,
      -- The edit from which on a row is as it is.
      since INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (account, id)
    );
    CREATE INDEX zone_collection ON zone (collection) WHERE collection IS NOT NULL;
    CREATE INDEX zone_deleted ON zone (saved_at) WHERE is_deleted;
    CREATE INDEX zone_account_since ON zone (account, since, is_deleted);
    CREATE INDEX zone_collection_since ON zone (collection, since) WHERE collection IS NOT NULL;
    CREATE TABLE reminder (
      account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, id INTEGER NOT NULL,
      is_deleted INTEGER NOT NULL, revision INTEGER NOT NULL, saved_at INTEGER NOT NULL,
      record BLOB NOT NULL,
      PRIMARY KEY (account, id)
    );
    CREATE INDEX reminder_deleted ON reminder (saved_at) WHERE is_deleted;
    CREATE TABLE channel (
      id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      kind TEXT NOT NULL, name TEXT NOT NULL, address TEXT NOT NULL, secrets TEXT NOT NULL,
      is_active INTEGER NOT NULL, escalation_step INTEGER NOT NULL, devices TEXT,
      created_at INTEGER NOT NULL, revision INTEGER NOT NULL, test_minute INTEGER, test_at INTEGER,
      tested_at INTEGER, test_failure TEXT
    );
    CREATE INDEX channel_account ON channel (account);
    CREATE INDEX channel_test ON channel (test_at) WHERE test_at IS NOT NULL;
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
      longitude REAL NOT NULL, accuracy REAL NOT NULL, received_at INTEGER NOT NULL, speed REAL,
      course REAL,
      altitude REAL, battery REAL, detail TEXT,
      -- How wrong a height may be, one standard deviation, and what it is measured from (`Altitude.Reference`).
      altitude_error REAL, altitude_reference INTEGER,
      PRIMARY KEY (day, device, measured_at, latitude, longitude, accuracy)
    ) WITHOUT ROWID;
    CREATE TABLE raw_body (
      number INTEGER PRIMARY KEY AUTOINCREMENT, device INTEGER REFERENCES device ON DELETE CASCADE,
      received_at INTEGER NOT NULL, source TEXT NOT NULL, reason TEXT NOT NULL, body BLOB NOT NULL,
      size INTEGER
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
      version INTEGER NOT NULL, level REAL, unread INTEGER, engine_id INTEGER NOT NULL,
      is_held_back INTEGER NOT NULL
    );
    CREATE INDEX alarm_engine ON alarm (engine_id);
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
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      channel INTEGER NOT NULL REFERENCES channel ON DELETE CASCADE, alarm INTEGER, collapse_key TEXT,
      payload BLOB NOT NULL, created_at INTEGER NOT NULL, due_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0, is_leased INTEGER NOT NULL DEFAULT 0, ready_at INTEGER NOT NULL,
      -- Which process an item of the outbox is leased to.
      owner TEXT
    );
    CREATE INDEX outbox_ready ON outbox (ready_at, number);
    CREATE INDEX outbox_key ON outbox (channel, collapse_key, number);
    CREATE INDEX outbox_alarm ON outbox (alarm) WHERE alarm IS NOT NULL;
    CREATE INDEX outbox_account ON outbox (account);
    -- Each thing once, at its last change.
    CREATE TABLE change (
      account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, kind INTEGER NOT NULL,
      id INTEGER NOT NULL,
      cursor INTEGER NOT NULL, is_deleted INTEGER NOT NULL, changed_at INTEGER NOT NULL,
      PRIMARY KEY (account, kind, id)
    );
    CREATE UNIQUE INDEX change_cursor ON change (account, cursor);
    -- Counts the transactions that change which zones watch over anybody.
    CREATE TABLE zone_clock (
      one INTEGER PRIMARY KEY CHECK (one = 1), edit INTEGER NOT NULL,
      -- The last edit before zones, or what they were, were forgotten: what changed up to it cannot be told.
      forgotten INTEGER NOT NULL DEFAULT 0
    );
    INSERT INTO zone_clock (one, edit) VALUES (1, 0);
    -- How a zone was from edit `since` on, until edit `until`, which came at ended_at.
    CREATE TABLE former_zone (
      account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, id INTEGER NOT NULL,
      collection INTEGER,
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
    -- When each device has to be looked at, whether or not its engine is in memory.
    CREATE TABLE device_due (
      device INTEGER PRIMARY KEY REFERENCES device ON DELETE CASCADE, at INTEGER NOT NULL,
      -- Each change that makes a device due gives it a new number. A worker clears the due time only if the
      -- number is still the one it read.
      mark INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX device_due_at ON device_due (at);
    -- What phones tell of themselves.
    CREATE TABLE device_status (
      device INTEGER PRIMARY KEY REFERENCES device ON DELETE CASCADE, battery REAL, is_charging INTEGER,
      motion TEXT,
      altitude REAL, told_at INTEGER, low_since INTEGER, unread_since INTEGER, unread INTEGER,
      malformed INTEGER, malformed_since INTEGER, malformed_reason TEXT
    );
    -- Links for a new password.
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
    -- A keyed hash of each address, so that the file does not say where people are.
    CREATE TABLE sign_in_address (
      account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, hash BLOB NOT NULL,
      last_at INTEGER NOT NULL,
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
    -- How often each device's engine was changed: of several processes that have it in memory, one whose number
    -- is older than the stored one reads the engine again.
    CREATE TABLE engine_version (
      device INTEGER PRIMARY KEY REFERENCES device ON DELETE CASCADE, version INTEGER NOT NULL
    );
    -- Where an epoch begins in an account's feed: written with the account's first change in it.
    CREATE TABLE feed_begin (
      account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, epoch INTEGER NOT NULL,
      first INTEGER NOT NULL,
      PRIMARY KEY (account, epoch)
    ) WITHOUT ROWID;
    -- Whose data an edit was about, so that other processes know what to read again; of no account: everything.
    CREATE TABLE edit_note (
      number INTEGER PRIMARY KEY AUTOINCREMENT, account INTEGER REFERENCES account ON DELETE CASCADE
    );
    CREATE INDEX edit_note_account ON edit_note (account);
    -- Tries to sign in and mails sent, by a keyed hash of what is counted: when their bucket is full again.
    CREATE TABLE try_count (key BLOB NOT NULL PRIMARY KEY, full_at INTEGER NOT NULL) WITHOUT ROWID;
    -- Positions of the past that came in files, apart from what phones report, and the files.
    CREATE TABLE track_import (
      id INTEGER PRIMARY KEY, device INTEGER NOT NULL REFERENCES device ON DELETE CASCADE,
      name TEXT NOT NULL,
      started_at INTEGER NOT NULL, changed_at INTEGER NOT NULL, state INTEGER NOT NULL, share REAL,
      fixes_read INTEGER NOT NULL, fixes_added INTEGER NOT NULL, first_at INTEGER, last_at INTEGER,
      detail TEXT NOT NULL
    );
    CREATE INDEX track_import_device ON track_import (device, started_at);
    CREATE INDEX track_import_changed ON track_import (changed_at);
    CREATE TABLE imported_fix (
      device INTEGER NOT NULL, measured_at INTEGER NOT NULL, latitude REAL NOT NULL,
      longitude REAL NOT NULL,
      accuracy REAL NOT NULL, speed REAL, course REAL, track INTEGER NOT NULL, altitude REAL,
      altitude_error REAL, altitude_reference INTEGER, PRIMARY KEY (device, measured_at)
    ) WITHOUT ROWID;
    -- When each process was last seen, and since when one or another has been there without a pause.
    CREATE TABLE process_awake (
      name TEXT NOT NULL PRIMARY KEY, since INTEGER NOT NULL, seen_at INTEGER NOT NULL
    ) WITHOUT ROWID;
    """

  /// Reminders that the server tells.
  static let reminderTelling = """
    -- Which places of reminders the phone is near, in the engine's form.
    ALTER TABLE device_snapshot ADD COLUMN reminders BLOB NOT NULL DEFAULT x'';
    -- When people were last told of a reminder by each phone.
    CREATE TABLE reminder_telling (
      account INTEGER NOT NULL, reminder INTEGER NOT NULL,
      device INTEGER NOT NULL REFERENCES device ON DELETE CASCADE, told_at INTEGER NOT NULL,
      place TEXT NOT NULL, distance REAL NOT NULL,
      PRIMARY KEY (account, reminder, device),
      FOREIGN KEY (account, reminder) REFERENCES reminder (account, id) ON DELETE CASCADE
    ) WITHOUT ROWID;
    CREATE INDEX reminder_telling_device ON reminder_telling (device);
    """

  static let channelRules = """
    -- The rule of a channel: values parted by blanks, categories by line feeds; empty for everything.
    ALTER TABLE channel ADD COLUMN rule_zones TEXT NOT NULL DEFAULT '';
    ALTER TABLE channel ADD COLUMN rule_categories TEXT NOT NULL DEFAULT '';
    ALTER TABLE channel ADD COLUMN rule_directions TEXT NOT NULL DEFAULT '';
    ALTER TABLE channel ADD COLUMN rule_kinds TEXT NOT NULL DEFAULT '';
    ALTER TABLE channel ADD COLUMN rule_hours TEXT NOT NULL DEFAULT '';
    -- An empty list of devices meant none. It means all from now on.
    UPDATE channel SET is_active = 0, devices = NULL WHERE devices = '';
    """

  static let checkIns = """
    -- By when people want to be back. The device is that of the person's name, which has the alarm.
    CREATE TABLE check_in (
      account INTEGER PRIMARY KEY REFERENCES account ON DELETE CASCADE,
      device INTEGER NOT NULL REFERENCES device ON DELETE CASCADE,
      phone INTEGER REFERENCES device ON DELETE SET NULL, note BLOB NOT NULL, alarm INTEGER NOT NULL,
      set_at INTEGER NOT NULL, due_at INTEGER NOT NULL, is_span INTEGER NOT NULL,
      is_reminded INTEGER NOT NULL, missed_at INTEGER
    );
    CREATE INDEX check_in_device ON check_in (device);
    CREATE INDEX check_in_phone ON check_in (phone);
    """

  static let expectedArrivals = """
    -- By when phones are to be at zones: minutes after midnight, weekdays with Monday as bit 0.
    CREATE TABLE expected_arrival (
      id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      zone INTEGER NOT NULL, device INTEGER NOT NULL REFERENCES device ON DELETE CASCADE,
      minute INTEGER NOT NULL, days INTEGER NOT NULL, time_zone TEXT NOT NULL, time_window INTEGER NOT NULL,
      is_enabled INTEGER NOT NULL, created_at INTEGER NOT NULL, next_due INTEGER NOT NULL,
      FOREIGN KEY (account, zone) REFERENCES zone (account, id) ON DELETE CASCADE
    );
    CREATE INDEX expected_arrival_zone ON expected_arrival (account, zone);
    CREATE INDEX expected_arrival_device ON expected_arrival (device);
    CREATE INDEX expected_arrival_due ON expected_arrival (next_due) WHERE is_enabled;
    -- Which expected arrival an alarm is about, and its minute of the day.
    ALTER TABLE alarm ADD COLUMN expected INTEGER;
    ALTER TABLE alarm ADD COLUMN expected_minute INTEGER;
    """
}
