#if PostgreSQL
  extension PostgreSQLSchema {
    /// Accounts, devices, zones, fixes, alarms and deliveries, in PostgreSQL's types. Texts are compared by
    /// their bytes, as in SQLite.
    ///
    /// Functions `min` and `max` of two numbers, as in SQLite, stand for PostgreSQL's `least` and `greatest`.
    static let watching = """
      CREATE TABLE proximity_schema (version bigint NOT NULL);
      CREATE FUNCTION min(bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT least($1, $2)';
      CREATE FUNCTION max(bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT greatest($1, $2)';
      CREATE TABLE server_value (
        name text COLLATE "C" PRIMARY KEY, value bytea NOT NULL
      );
      CREATE TABLE hybrid_clock (
        one bigint PRIMARY KEY CHECK (one = 1), node bigint NOT NULL, time bigint, counter bigint, made_by bigint
      );
      INSERT INTO hybrid_clock (one, node) VALUES (1, hashtextextended(CAST(random() AS text), pg_backend_pid()));
      CREATE TABLE account (
        id bigint PRIMARY KEY, login text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL,
        password_hash text COLLATE "C", is_administrator boolean NOT NULL, is_disabled boolean NOT NULL,
        created_at bigint NOT NULL, revision bigint NOT NULL, zone_set bigint NOT NULL DEFAULT 1,
        is_erased boolean NOT NULL DEFAULT FALSE, feed bigint NOT NULL DEFAULT 0,
        feed_epoch bigint NOT NULL DEFAULT 0, is_private boolean NOT NULL DEFAULT FALSE
      ) WITH (fillfactor = 50);
      CREATE UNIQUE INDEX account_lower_login ON account (lower(login));
      CREATE TABLE setup_link (
        hash bytea PRIMARY KEY, is_administrator boolean NOT NULL, created_at bigint NOT NULL,
        expires_at bigint NOT NULL, is_printed boolean NOT NULL DEFAULT FALSE
      );
      CREATE TABLE session (
        id bigint PRIMARY KEY, account bigint NOT NULL REFERENCES account ON DELETE CASCADE, hash bytea NOT NULL,
        user_agent text COLLATE "C" NOT NULL, created_at bigint NOT NULL, last_seen_at bigint NOT NULL,
        expires_at bigint NOT NULL, UNIQUE (hash)
      );
      CREATE INDEX session_account ON session (account);
      CREATE TABLE device (
        id bigint PRIMARY KEY, account bigint REFERENCES account ON DELETE CASCADE, name text COLLATE "C" NOT NULL,
        tracker_id text COLLATE "C" NOT NULL, is_armed boolean NOT NULL, settings text COLLATE "C" NOT NULL,
        report_interval bigint, passphrase text COLLATE "C", created_at bigint NOT NULL, revision bigint NOT NULL
      );
      CREATE INDEX device_account ON device (account);
      CREATE INDEX device_report ON device (id) WHERE report_interval IS NOT NULL;
      CREATE TABLE device_identity (
        scheme text COLLATE "C" NOT NULL, value text COLLATE "C" NOT NULL,
        account bigint REFERENCES account ON DELETE CASCADE,
        device bigint NOT NULL REFERENCES device ON DELETE CASCADE
      );
      CREATE UNIQUE INDEX device_identity_open ON device_identity (scheme, value) WHERE account IS NULL;
      CREATE UNIQUE INDEX device_identity_own ON device_identity (scheme, value, account) WHERE account IS NOT NULL;
      CREATE INDEX device_identity_device ON device_identity (device);
      CREATE INDEX device_identity_account ON device_identity (account);
      CREATE TABLE device_last (
        device bigint PRIMARY KEY REFERENCES device ON DELETE CASCADE, heard_at bigint NOT NULL, measured_at bigint,
        latitude double precision, longitude double precision, accuracy double precision, received_at bigint,
        speed double precision, course double precision
      ) WITH (fillfactor = 50);
      CREATE TABLE device_snapshot (
        device bigint PRIMARY KEY REFERENCES device ON DELETE CASCADE, through bigint NOT NULL,
        zone_set bigint NOT NULL, bytes bytea NOT NULL, silences text COLLATE "C" NOT NULL
      ) WITH (fillfactor = 50);
      CREATE TABLE deleted_device (
        device bigint PRIMARY KEY
      );
      CREATE TABLE device_token (
        id bigint PRIMARY KEY, account bigint NOT NULL REFERENCES account ON DELETE CASCADE,
        device bigint REFERENCES device ON DELETE CASCADE, hash bytea NOT NULL, name text COLLATE "C" NOT NULL,
        created_at bigint NOT NULL, expires_at bigint, last_used_at bigint,
        -- What a token lets in.
        -- device.
        scope bigint NOT NULL DEFAULT 3, UNIQUE (hash)
      );
      CREATE INDEX device_token_account ON device_token (account);
      CREATE INDEX device_token_device ON device_token (device);
      CREATE TABLE collection (
        id bigint PRIMARY KEY, owner bigint NOT NULL REFERENCES account ON DELETE CASCADE,
        name text COLLATE "C" NOT NULL, about text COLLATE "C" NOT NULL, is_public boolean NOT NULL,
        created_at bigint NOT NULL, revision bigint NOT NULL
      );
      CREATE INDEX collection_owner ON collection (owner);
      CREATE INDEX collection_public ON collection (id) WHERE is_public;
      CREATE TABLE membership (
        id bigint PRIMARY KEY, collection bigint NOT NULL REFERENCES collection ON DELETE CASCADE,
        login text COLLATE "C", account bigint REFERENCES account ON DELETE CASCADE, since bigint NOT NULL,
        is_direct boolean NOT NULL DEFAULT TRUE, UNIQUE (collection, account)
      );
      CREATE INDEX membership_account ON membership (account);
      CREATE INDEX membership_login ON membership (collection, lower(login));
      CREATE TABLE follow (
        collection bigint NOT NULL REFERENCES collection ON DELETE CASCADE,
        account bigint NOT NULL REFERENCES account ON DELETE CASCADE, since bigint NOT NULL,
        watched_since bigint NOT NULL DEFAULT 0, PRIMARY KEY (collection, account)
      );
      CREATE INDEX follow_account ON follow (account);
      CREATE TABLE zone (
        account bigint NOT NULL REFERENCES account ON DELETE CASCADE, id bigint NOT NULL,
        collection bigint REFERENCES collection ON DELETE SET NULL, is_deleted boolean NOT NULL,
        revision bigint NOT NULL, saved_at bigint NOT NULL, record bytea NOT NULL, since bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (account, id)
      );
      CREATE INDEX zone_collection ON zone (collection) WHERE collection IS NOT NULL;
      CREATE INDEX zone_deleted ON zone (saved_at) WHERE is_deleted;
      CREATE INDEX zone_account_since ON zone (account, since, is_deleted);
      CREATE INDEX zone_collection_since ON zone (collection, since) WHERE collection IS NOT NULL;
      CREATE TABLE reminder (
        account bigint NOT NULL REFERENCES account ON DELETE CASCADE, id bigint NOT NULL, is_deleted boolean NOT NULL,
        revision bigint NOT NULL, saved_at bigint NOT NULL, record bytea NOT NULL, PRIMARY KEY (account, id)
      );
      CREATE INDEX reminder_deleted ON reminder (saved_at) WHERE is_deleted;
      CREATE TABLE channel (
        id bigint PRIMARY KEY, account bigint NOT NULL REFERENCES account ON DELETE CASCADE,
        kind text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL, address text COLLATE "C" NOT NULL,
        secrets text COLLATE "C" NOT NULL, is_active boolean NOT NULL, escalation_step bigint NOT NULL,
        devices text COLLATE "C", created_at bigint NOT NULL, revision bigint NOT NULL, test_minute bigint,
        test_at bigint, tested_at bigint, test_failure text COLLATE "C"
      );
      CREATE INDEX channel_account ON channel (account);
      CREATE INDEX channel_test ON channel (test_at) WHERE test_at IS NOT NULL;
      CREATE TABLE message (
        id bigint PRIMARY KEY, account bigint NOT NULL REFERENCES account ON DELETE CASCADE,
        your_moniker bytea NOT NULL, to_moniker bytea NOT NULL, contact_number bytea NOT NULL,
        supplement bytea NOT NULL, revision bigint NOT NULL
      );
      CREATE INDEX message_account ON message (account);
      CREATE TABLE sound (
        id bigint PRIMARY KEY, account bigint NOT NULL REFERENCES account ON DELETE CASCADE,
        name text COLLATE "C" NOT NULL, about text COLLATE "C" NOT NULL, media_type text COLLATE "C" NOT NULL,
        size bigint NOT NULL, saved_at bigint NOT NULL, bytes bytea NOT NULL, UNIQUE (account, name)
      );
      CREATE TABLE notice (
        account bigint NOT NULL REFERENCES account ON DELETE CASCADE, zone bigint NOT NULL,
        device bigint NOT NULL REFERENCES device ON DELETE CASCADE, shown bigint NOT NULL, opened bigint NOT NULL,
        last_shown_at bigint NOT NULL, PRIMARY KEY (account, zone, device)
      );
      CREATE INDEX notice_device ON notice (device);
      CREATE TABLE setting (
        account bigint PRIMARY KEY REFERENCES account ON DELETE CASCADE, json text COLLATE "C" NOT NULL,
        revision bigint NOT NULL
      );
      CREATE TABLE fix (
        day bigint NOT NULL, device bigint NOT NULL, measured_at bigint NOT NULL, latitude double precision NOT NULL,
        longitude double precision NOT NULL, accuracy double precision NOT NULL, received_at bigint NOT NULL,
        speed double precision, course double precision, altitude double precision, battery double precision,
        detail text COLLATE "C",
        -- How wrong a height may be, one standard deviation, and what it is measured from (`Altitude.Reference`).
        altitude_error double precision, altitude_reference bigint,
        PRIMARY KEY (day, device, measured_at, latitude, longitude, accuracy)
      ) PARTITION BY RANGE (day);
      CREATE TABLE fix_other PARTITION OF fix DEFAULT;
      DO $$
      DECLARE tomorrow bigint := floor(extract(epoch FROM clock_timestamp()) / 86400) + 1;
      BEGIN
        EXECUTE format('CREATE TABLE \(PostgreSQLDays.first) PARTITION OF fix FOR VALUES FROM (MINVALUE) TO (%s)', tomorrow + 1);
      END $$;
      CREATE TABLE raw_body (
        number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, device bigint REFERENCES device ON DELETE CASCADE,
        received_at bigint NOT NULL, source text COLLATE "C" NOT NULL, reason text COLLATE "C" NOT NULL,
        body bytea NOT NULL, size bigint
      );
      CREATE INDEX raw_body_device ON raw_body (device, number);
      CREATE TABLE command (
        number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, device bigint NOT NULL, at bigint NOT NULL,
        kind bigint NOT NULL, alarm bigint, argument bigint, given_by text COLLATE "C" NOT NULL
      );
      CREATE INDEX command_device ON command (device, at, number);
      CREATE INDEX command_at ON command (at);
      CREATE TABLE event (
        number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, device bigint NOT NULL, time bigint NOT NULL,
        is_retracted boolean NOT NULL, bytes bytea NOT NULL
      );
      CREATE INDEX event_device ON event (device, time, number);
      CREATE INDEX event_time ON event (time);
      CREATE TABLE alarm (
        id bigint PRIMARY KEY, account bigint NOT NULL REFERENCES account ON DELETE CASCADE, device bigint NOT NULL,
        subject bigint NOT NULL, zone bigint, zone_name bytea, cause bigint, silent_since bigint,
        state bigint NOT NULL, state_argument bigint, is_open boolean NOT NULL, began bigint NOT NULL,
        decided_at bigint NOT NULL, learned_at bigint NOT NULL, distance double precision, latitude double precision,
        longitude double precision, last_rang_at bigint NOT NULL, rings bigint NOT NULL, cleared_at bigint,
        answered_at bigint, answered_by text COLLATE "C", escalation_step bigint NOT NULL, version bigint NOT NULL,
        level double precision, unread bigint, engine_id bigint NOT NULL, is_held_back boolean NOT NULL
      );
      CREATE INDEX alarm_engine ON alarm (engine_id);
      CREATE INDEX alarm_account ON alarm (account, began, id);
      CREATE INDEX alarm_device ON alarm (device, began, id);
      CREATE INDEX alarm_open ON alarm (id) WHERE is_open;
      CREATE INDEX alarm_ended ON alarm (coalesce(cleared_at, last_rang_at)) WHERE NOT is_open;
      CREATE TABLE attempt (
        number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
        alarm bigint NOT NULL REFERENCES alarm ON DELETE CASCADE, channel bigint NOT NULL, attempt bigint NOT NULL,
        started_at bigint NOT NULL, ended_at bigint NOT NULL, outcome text COLLATE "C" NOT NULL,
        detail text COLLATE "C" NOT NULL
      );
      CREATE INDEX attempt_alarm ON attempt (alarm, ended_at);
      CREATE TABLE outbox (
        number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
        account bigint NOT NULL REFERENCES account ON DELETE CASCADE,
        channel bigint NOT NULL REFERENCES channel ON DELETE CASCADE, alarm bigint, collapse_key text COLLATE "C",
        payload bytea NOT NULL, created_at bigint NOT NULL, due_at bigint NOT NULL, expires_at bigint NOT NULL,
        attempts bigint NOT NULL DEFAULT 0, is_leased boolean NOT NULL DEFAULT FALSE, ready_at bigint NOT NULL,
        owner text COLLATE "C"
      );
      CREATE INDEX outbox_ready ON outbox (ready_at, number);
      CREATE INDEX outbox_key ON outbox (channel, collapse_key, number);
      CREATE INDEX outbox_alarm ON outbox (alarm) WHERE alarm IS NOT NULL;
      CREATE INDEX outbox_account ON outbox (account);
      CREATE TABLE zone_clock (
        one bigint PRIMARY KEY CHECK (one = 1), edit bigint NOT NULL,
        -- The last edit before zones, or what they were, were forgotten: what changed up to it cannot be told.
        forgotten bigint NOT NULL DEFAULT 0
      );
      INSERT INTO zone_clock (one, edit) VALUES (1, 0);
      CREATE TABLE former_zone (
        account bigint NOT NULL REFERENCES account ON DELETE CASCADE, id bigint NOT NULL, collection bigint,
        revision bigint NOT NULL, saved_at bigint NOT NULL, record bytea NOT NULL, since bigint NOT NULL,
        until bigint NOT NULL, ended_at bigint NOT NULL
      );
      CREATE INDEX former_zone_account ON former_zone (account, until);
      CREATE INDEX former_zone_collection ON former_zone (collection, until) WHERE collection IS NOT NULL;
      CREATE INDEX former_zone_ended ON former_zone (ended_at);
      CREATE TABLE former_follow (
        account bigint NOT NULL REFERENCES account ON DELETE CASCADE, collection bigint NOT NULL,
        since bigint NOT NULL, until bigint NOT NULL, ended_at bigint NOT NULL
      );
      CREATE INDEX former_follow_account ON former_follow (account, until);
      CREATE INDEX former_follow_collection ON former_follow (collection);
      CREATE INDEX former_follow_ended ON former_follow (ended_at);
      CREATE TABLE zone_set (
        account bigint NOT NULL REFERENCES account ON DELETE CASCADE, revision bigint NOT NULL, edit bigint NOT NULL,
        at bigint NOT NULL, UNIQUE (account, revision)
      );
      CREATE INDEX zone_set_at ON zone_set (at);
      CREATE TABLE device_due (
        device bigint PRIMARY KEY REFERENCES device ON DELETE CASCADE, at bigint NOT NULL,
        mark bigint NOT NULL DEFAULT 0
      );
      CREATE INDEX device_due_at ON device_due (at);
      CREATE TABLE device_status (
        device bigint PRIMARY KEY REFERENCES device ON DELETE CASCADE, battery double precision, is_charging boolean,
        motion text COLLATE "C", altitude double precision, told_at bigint, low_since bigint, unread_since bigint,
        unread bigint, malformed bigint, malformed_since bigint, malformed_reason text COLLATE "C"
      );
      CREATE TABLE password_reset (
        hash bytea PRIMARY KEY, account bigint NOT NULL REFERENCES account ON DELETE CASCADE,
        expires_at bigint NOT NULL
      );
      CREATE INDEX password_reset_account ON password_reset (account);
      CREATE TABLE mail_address (
        account bigint NOT NULL REFERENCES account ON DELETE CASCADE, address text COLLATE "C" NOT NULL,
        is_own boolean NOT NULL, hash bytea, expires_at bigint, confirmed_at bigint, PRIMARY KEY (account, address),
        UNIQUE (hash)
      );
      CREATE TABLE sign_in_address (
        account bigint NOT NULL REFERENCES account ON DELETE CASCADE, hash bytea NOT NULL, last_at bigint NOT NULL,
        PRIMARY KEY (account, hash)
      );
      CREATE TABLE feed_epoch (
        number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, epoch bigint NOT NULL, first bigint NOT NULL,
        UNIQUE (epoch)
      );
      CREATE TABLE feed_floor (
        account bigint PRIMARY KEY REFERENCES account ON DELETE CASCADE, cursor bigint NOT NULL
      );
      CREATE TABLE engine_version (
        device bigint PRIMARY KEY REFERENCES device ON DELETE CASCADE, version bigint NOT NULL
      ) WITH (fillfactor = 50);
      CREATE TABLE change (
        account bigint NOT NULL REFERENCES account ON DELETE CASCADE, kind bigint NOT NULL, id bigint NOT NULL,
        cursor bigint NOT NULL, is_deleted boolean NOT NULL, changed_at bigint NOT NULL,
        PRIMARY KEY (account, kind, id)
      );
      CREATE UNIQUE INDEX change_cursor ON change (account, cursor);
      CREATE TABLE feed_begin (
        account bigint NOT NULL REFERENCES account ON DELETE CASCADE, epoch bigint NOT NULL, first bigint NOT NULL,
        PRIMARY KEY (account, epoch)
      );
      CREATE TABLE edit_note (
        number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
        account bigint REFERENCES account ON DELETE CASCADE
      );
      CREATE INDEX edit_note_account ON edit_note (account);
      -- Tries to sign in and mails sent, by a keyed hash of what is counted: when their bucket is full again.
      CREATE TABLE try_count (key bytea PRIMARY KEY, full_at bigint NOT NULL) WITH (fillfactor = 50);
      -- Positions of the past that came in files, and the files.
      CREATE TABLE track_import (
        id bigint PRIMARY KEY, device bigint NOT NULL REFERENCES device ON DELETE CASCADE,
        name text COLLATE "C" NOT NULL,
        started_at bigint NOT NULL, changed_at bigint NOT NULL, state bigint NOT NULL, share double precision,
        fixes_read bigint NOT NULL, fixes_added bigint NOT NULL, first_at bigint, last_at bigint,
        detail text COLLATE "C" NOT NULL
      );
      CREATE INDEX track_import_device ON track_import (device, started_at);
      CREATE INDEX track_import_changed ON track_import (changed_at);
      CREATE TABLE imported_fix (
        device bigint NOT NULL, measured_at bigint NOT NULL, latitude double precision NOT NULL,
        longitude double precision NOT NULL, accuracy double precision NOT NULL, speed double precision,
        course double precision, track bigint NOT NULL, altitude double precision, altitude_error double precision,
        altitude_reference bigint, PRIMARY KEY (device, measured_at)
      );
      -- A row for each process, written every few seconds.
      CREATE TABLE process_awake (
        name text COLLATE "C" PRIMARY KEY, since bigint NOT NULL, seen_at bigint NOT NULL
      ) WITH (fillfactor = 50);
      """

    /// Reminders that the server tells.
    static let reminderTelling = """
      -- Which places of reminders the phone is near, in the engine's form.
      ALTER TABLE device_snapshot ADD COLUMN reminders bytea NOT NULL DEFAULT '';
      CREATE TABLE reminder_telling (
        account bigint NOT NULL, reminder bigint NOT NULL, device bigint NOT NULL REFERENCES device ON DELETE CASCADE,
        told_at bigint NOT NULL, place text COLLATE "C" NOT NULL, distance double precision NOT NULL,
        PRIMARY KEY (account, reminder, device),
        FOREIGN KEY (account, reminder) REFERENCES reminder (account, id) ON DELETE CASCADE
      );
      CREATE INDEX reminder_telling_device ON reminder_telling (device);
      """

    static let channelRules = """
      -- The rule of a channel: values parted by blanks, categories by line feeds; empty for everything.
      ALTER TABLE channel ADD COLUMN rule_zones text COLLATE "C" NOT NULL DEFAULT '';
      ALTER TABLE channel ADD COLUMN rule_categories text COLLATE "C" NOT NULL DEFAULT '';
      ALTER TABLE channel ADD COLUMN rule_directions text COLLATE "C" NOT NULL DEFAULT '';
      ALTER TABLE channel ADD COLUMN rule_kinds text COLLATE "C" NOT NULL DEFAULT '';
      ALTER TABLE channel ADD COLUMN rule_hours text COLLATE "C" NOT NULL DEFAULT '';
      -- An empty list of devices meant none. It means all from now on.
      UPDATE channel SET is_active = FALSE, devices = NULL WHERE devices = '';
      """

    static let checkIns = """
      -- By when people want to be back. The device is that of the person's name, which has the alarm.
      CREATE TABLE check_in (
        account bigint PRIMARY KEY REFERENCES account ON DELETE CASCADE,
        device bigint NOT NULL REFERENCES device ON DELETE CASCADE,
        phone bigint REFERENCES device ON DELETE SET NULL, note bytea NOT NULL, alarm bigint NOT NULL,
        set_at bigint NOT NULL, due_at bigint NOT NULL, is_span boolean NOT NULL,
        is_reminded boolean NOT NULL, missed_at bigint
      );
      CREATE INDEX check_in_device ON check_in (device);
      CREATE INDEX check_in_phone ON check_in (phone);
      """

    static let expectedArrivals = """
      -- By when phones are to be at zones: minutes after midnight, weekdays with Monday as bit 0.
      CREATE TABLE expected_arrival (
        id bigint PRIMARY KEY, account bigint NOT NULL REFERENCES account ON DELETE CASCADE, zone bigint NOT NULL,
        device bigint NOT NULL REFERENCES device ON DELETE CASCADE, minute bigint NOT NULL, days bigint NOT NULL,
        time_zone text COLLATE "C" NOT NULL, time_window bigint NOT NULL, is_enabled boolean NOT NULL,
        created_at bigint NOT NULL, next_due bigint NOT NULL,
        FOREIGN KEY (account, zone) REFERENCES zone (account, id) ON DELETE CASCADE
      );
      CREATE INDEX expected_arrival_zone ON expected_arrival (account, zone);
      CREATE INDEX expected_arrival_device ON expected_arrival (device);
      CREATE INDEX expected_arrival_due ON expected_arrival (next_due) WHERE is_enabled;
      ALTER TABLE alarm ADD COLUMN expected bigint;
      ALTER TABLE alarm ADD COLUMN expected_minute bigint;
      """
  }
#endif
