#if PostgreSQL
  import PostgreSQLClient

  /// The tables in PostgreSQL, as a list of steps that only ever grows. The first holds what SQLite's first twelve made; each
  /// later one has its counterpart there, or is PostgreSQL's own, and a step never takes away what a process of the version before still uses.
  enum PostgreSQLSchema {
    static let steps: [String] = [
      version1, tryCounts, fixDays, channelTests, imports, processesAwake, shares, tokenScopes,
      secondFactors, auditLog, heights, packs, room, privateMode, groups, deputies,
      companions, identities, passkeys, packKeyChanges, importedHeights, zonesSince,
    ]

    /// Tries to sign in and mails sent. Room is left on the pages, since the same few rows are written again and again.
    private static let tryCounts =
      "CREATE TABLE try_count (key bytea PRIMARY KEY, full_at bigint NOT NULL) WITH (fillfactor = 50);"

    /// When a channel is tested of its own accord, and what came of its last test.
    private static let channelTests = """
      ALTER TABLE channel ADD COLUMN test_minute bigint, ADD COLUMN test_at bigint, ADD COLUMN tested_at bigint,
        ADD COLUMN test_failure text COLLATE "C";
      CREATE INDEX channel_test ON channel (test_at) WHERE test_at IS NOT NULL;
      """

    /// Positions of the past that came in files, and the files.
    private static let imports = """
      CREATE TABLE track_import (
        id bigint PRIMARY KEY, device bigint NOT NULL REFERENCES device ON DELETE CASCADE, name text COLLATE "C" NOT NULL,
        started_at bigint NOT NULL, changed_at bigint NOT NULL, state bigint NOT NULL, share double precision,
        fixes_read bigint NOT NULL, fixes_added bigint NOT NULL, first_at bigint, last_at bigint,
        detail text COLLATE "C" NOT NULL
      );
      CREATE INDEX track_import_device ON track_import (device, started_at);
      CREATE INDEX track_import_changed ON track_import (changed_at);
      CREATE TABLE imported_fix (
        device bigint NOT NULL, measured_at bigint NOT NULL, latitude double precision NOT NULL,
        longitude double precision NOT NULL, accuracy double precision NOT NULL, speed double precision,
        course double precision, track bigint NOT NULL, PRIMARY KEY (device, measured_at)
      );
      """

    /// A row for each process, written every few seconds.
    private static let processesAwake = """
      CREATE TABLE process_awake (
        name text COLLATE "C" PRIMARY KEY, since bigint NOT NULL, seen_at bigint NOT NULL
      ) WITH (fillfactor = 50);
      """

    /// Who may see where whose devices are.
    private static let shares = """
      CREATE TABLE share (
        id bigint PRIMARY KEY, owner bigint NOT NULL REFERENCES account ON DELETE CASCADE,
        device bigint NOT NULL REFERENCES device ON DELETE CASCADE, login text COLLATE "C", hash bytea UNIQUE,
        viewer bigint REFERENCES account ON DELETE CASCADE, name text COLLATE "C" NOT NULL, accuracy bigint NOT NULL,
        created_at bigint NOT NULL, ends_at bigint, zone bigint, looked_to bigint NOT NULL
      );
      CREATE INDEX share_owner ON share (owner);
      CREATE INDEX share_device ON share (device);
      CREATE INDEX share_viewer ON share (viewer);
      CREATE INDEX share_login ON share (lower(login));
      """

    /// What a token lets in. A process of the version before makes tokens as ever: for everything, or for one device.
    private static let tokenScopes = """
      ALTER TABLE device_token ADD COLUMN scope bigint NOT NULL DEFAULT 3;
      UPDATE device_token SET scope = 1 WHERE device IS NOT NULL;
      """

    /// Secrets of authenticator apps, and the hashes of codes on paper.
    private static let secondFactors = """
      CREATE TABLE second_factor (
        account bigint PRIMARY KEY REFERENCES account ON DELETE CASCADE, secret bytea NOT NULL,
        confirmed_at bigint, last_step bigint NOT NULL
      );
      CREATE TABLE recovery_code (
        account bigint NOT NULL REFERENCES account ON DELETE CASCADE, hash bytea NOT NULL,
        PRIMARY KEY (account, hash)
      );
      """

    /// What was done in accounts.
    private static let auditLog = """
      CREATE TABLE audit_entry (
        id bigint PRIMARY KEY, account bigint NOT NULL REFERENCES account ON DELETE CASCADE, at bigint NOT NULL,
        action text COLLATE "C" NOT NULL, subject text COLLATE "C" NOT NULL, is_refused boolean NOT NULL,
        actor bigint NOT NULL, actor_name text COLLATE "C" NOT NULL, address text COLLATE "C" NOT NULL
      );
      CREATE INDEX audit_entry_account ON audit_entry (account, id);
      CREATE INDEX audit_entry_at ON audit_entry (at);
      """

    /// How wrong a height may be, one standard deviation, and what it is measured from (`Altitude.Reference`). Processes of the
    /// version before store none.
    private static let heights = """
      ALTER TABLE fix ADD COLUMN altitude_error double precision, ADD COLUMN altitude_reference bigint;
      """

    /// Collections that are given out as signed packs, and the keys that sign them.
    private static let packs = """
      CREATE TABLE pack_key (
        account bigint PRIMARY KEY REFERENCES account ON DELETE CASCADE, secret bytea NOT NULL,
        created_at bigint NOT NULL
      );
      CREATE TABLE pack (
        collection bigint PRIMARY KEY REFERENCES collection ON DELETE CASCADE,
        address text COLLATE "C" NOT NULL UNIQUE, version bigint NOT NULL, made_at bigint NOT NULL,
        zone_set bigint NOT NULL, revision bigint NOT NULL
      );
      CREATE TABLE pack_zone (
        collection bigint NOT NULL REFERENCES pack ON DELETE CASCADE, id bigint NOT NULL, version bigint NOT NULL,
        pad bytea, PRIMARY KEY (collection, id)
      );
      """

    /// What each post changes: with room on their pages the rows stay where they are, and no index has to be changed.
    private static let room = """
      ALTER TABLE engine_version SET (fillfactor = 50);
      ALTER TABLE device_last SET (fillfactor = 50);
      ALTER TABLE device_snapshot SET (fillfactor = 50);
      ALTER TABLE account SET (fillfactor = 50);
      """

    /// Accounts whose places the server never learns, and sealed messages. A process of the version before knows no private
    /// accounts: all processes are renewed before the first is made.
    private static let privateMode = """
      ALTER TABLE account ADD COLUMN is_private boolean NOT NULL DEFAULT FALSE;
      CREATE TABLE sealed_key (
        id bigint PRIMARY KEY, account bigint NOT NULL REFERENCES account ON DELETE CASCADE,
        public_key bytea NOT NULL, name text COLLATE "C" NOT NULL, created_at bigint NOT NULL,
        fetched_at bigint NOT NULL, UNIQUE (account, public_key)
      );
      CREATE TABLE sealed_contact (
        id bigint PRIMARY KEY, owner bigint NOT NULL REFERENCES account ON DELETE CASCADE,
        login text COLLATE "C" NOT NULL, viewer bigint REFERENCES account ON DELETE CASCADE, created_at bigint NOT NULL
      );
      CREATE INDEX sealed_contact_owner ON sealed_contact (owner);
      CREATE INDEX sealed_contact_viewer ON sealed_contact (viewer);
      CREATE INDEX sealed_contact_login ON sealed_contact (lower(login));
      CREATE TABLE sealed_message (
        id bigint PRIMARY KEY, account bigint NOT NULL REFERENCES account ON DELETE CASCADE,
        sealed_key bigint NOT NULL REFERENCES sealed_key ON DELETE CASCADE,
        sender bigint NOT NULL REFERENCES account ON DELETE CASCADE, bytes bytea NOT NULL, created_at bigint NOT NULL
      );
      CREATE INDEX sealed_message_key ON sealed_message (sealed_key, created_at, id);
      CREATE INDEX sealed_message_account ON sealed_message (account);
      CREATE INDEX sealed_message_sender ON sealed_message (sender);
      CREATE INDEX sealed_message_at ON sealed_message (created_at);
      """

    /// Groups of people and the collections that are given to them. What a group lets a member follow stands in `membership`
    /// as well, so that processes of the version before watch it too.
    private static let groups = """
      CREATE TABLE people_group (
        id bigint PRIMARY KEY, owner bigint NOT NULL REFERENCES account ON DELETE CASCADE,
        name text COLLATE "C" NOT NULL, created_at bigint NOT NULL, hash bytea UNIQUE, link_ends_at bigint
      );
      CREATE INDEX people_group_owner ON people_group (owner);
      CREATE TABLE group_member (
        id bigint PRIMARY KEY, group_id bigint NOT NULL REFERENCES people_group ON DELETE CASCADE,
        login text COLLATE "C", account bigint REFERENCES account ON DELETE CASCADE, created_at bigint NOT NULL,
        joined_at bigint, ended_at bigint, ended_by bigint
      );
      CREATE INDEX group_member_group ON group_member (group_id);
      CREATE INDEX group_member_account ON group_member (account);
      CREATE INDEX group_member_login ON group_member (lower(login));
      CREATE TABLE group_collection (
        group_id bigint NOT NULL REFERENCES people_group ON DELETE CASCADE,
        collection bigint NOT NULL REFERENCES collection ON DELETE CASCADE, PRIMARY KEY (group_id, collection)
      );
      CREATE INDEX group_collection_collection ON group_collection (collection);
      ALTER TABLE membership ADD COLUMN is_direct boolean NOT NULL DEFAULT TRUE;
      """

    /// Who may answer whose alarms: persons whom the owner named and who agreed, and managers whom their members let.
    private static let deputies = """
      CREATE TABLE deputy (
        id bigint PRIMARY KEY, owner bigint NOT NULL REFERENCES account ON DELETE CASCADE,
        login text COLLATE "C" NOT NULL, account bigint REFERENCES account ON DELETE CASCADE,
        created_at bigint NOT NULL
      );
      CREATE INDEX deputy_owner ON deputy (owner);
      CREATE INDEX deputy_account ON deputy (account);
      CREATE INDEX deputy_login ON deputy (lower(login));
      ALTER TABLE group_member ADD COLUMN is_deputised boolean NOT NULL DEFAULT FALSE;
      """

    static var known: Int { steps.count }

    /// - Parameters:
    ///   - wanted: the version that the tables shall have at least.
    ///   - lock: the numbers of the lock under which one process at a time does this.
    static func migrate(_ connection: PostgreSQLConnection, to wanted: Int, lock: String) throws {
      _ = try connection.run("SELECT pg_advisory_lock(\(lock))")
      defer { _ = try? connection.run("SELECT pg_advisory_unlock(\(lock))") }
      let found = try version(connection)
      guard found < wanted else { return }
      for step in found..<wanted {
        try connection.transaction("BEGIN") { connection in
          try connection.script(steps[step])
          _ = try connection.run("DELETE FROM proximity_schema")
          _ = try connection.run(
            "INSERT INTO proximity_schema (version) VALUES ($1)", [.integer(Int64(step + 1))])
        }
      }
    }

    /// 0 in a database without tables.
    /// - Throws: `StoreError.newerSchema`; `.foreignFile` where others' tables stand.
    static func version(_ connection: PostgreSQLConnection) throws -> Int {
      let tables = try connection.run(
        "SELECT CAST(relname AS text) FROM pg_class WHERE relnamespace = to_regnamespace(current_schema()) AND relkind IN ('r', 'p', 'v', 'm')"
      ).rows.compactMap { row in if case .text(let name) = row[0] { name } else { nil } }
      guard tables.contains("proximity_schema") else {
        guard tables.isEmpty else { throw StoreError.foreignFile }
        return 0
      }
      let rows = try connection.run("SELECT version FROM proximity_schema").rows
      guard let value = rows.first?.first else {
        throw StoreError.corrupted(detail: "the table proximity_schema is empty")
      }
      // Of that name, and not ours.
      guard case .integer(let version) = value else { throw StoreError.foreignFile }
      guard version <= known else { throw StoreError.newerSchema(found: Int(version), known: known) }
      return Int(version)
    }
  }
#endif
