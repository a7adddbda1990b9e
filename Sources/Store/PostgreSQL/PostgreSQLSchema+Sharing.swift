#if PostgreSQL
  extension PostgreSQLSchema {
    /// Shares, groups, deputies, companions, packs, private accounts and ways of signing in.
    static let sharing = """
      -- Who may see where whose devices are.
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
      -- Secrets of authenticator apps, and the hashes of codes on paper.
      CREATE TABLE second_factor (
        account bigint PRIMARY KEY REFERENCES account ON DELETE CASCADE, secret bytea NOT NULL,
        confirmed_at bigint, last_step bigint NOT NULL
      );
      CREATE TABLE recovery_code (
        account bigint NOT NULL REFERENCES account ON DELETE CASCADE, hash bytea NOT NULL,
        PRIMARY KEY (account, hash)
      );
      -- What was done in accounts.
      CREATE TABLE audit_entry (
        id bigint PRIMARY KEY, account bigint NOT NULL REFERENCES account ON DELETE CASCADE, at bigint NOT NULL,
        action text COLLATE "C" NOT NULL, subject text COLLATE "C" NOT NULL, is_refused boolean NOT NULL,
        actor bigint NOT NULL, actor_name text COLLATE "C" NOT NULL, address text COLLATE "C" NOT NULL
      );
      CREATE INDEX audit_entry_account ON audit_entry (account, id);
      CREATE INDEX audit_entry_at ON audit_entry (at);
      -- Collections that are given out as signed packs, and the keys that sign them.
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
      -- Accounts whose places the server never learns, and sealed messages.
      CREATE TABLE sealed_key (
        id bigint PRIMARY KEY, account bigint NOT NULL REFERENCES account ON DELETE CASCADE,
        public_key bytea NOT NULL, name text COLLATE "C" NOT NULL, created_at bigint NOT NULL,
        fetched_at bigint NOT NULL, UNIQUE (account, public_key)
      );
      CREATE TABLE sealed_contact (
        id bigint PRIMARY KEY, owner bigint NOT NULL REFERENCES account ON DELETE CASCADE,
        login text COLLATE "C" NOT NULL, viewer bigint REFERENCES account ON DELETE CASCADE,
        created_at bigint NOT NULL
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
      -- Groups of people and the collections that are given to them. What a group lets a member follow stands in
      -- `membership` as well, where everything that watches looks.
      CREATE TABLE people_group (
        id bigint PRIMARY KEY, owner bigint NOT NULL REFERENCES account ON DELETE CASCADE,
        name text COLLATE "C" NOT NULL, created_at bigint NOT NULL, hash bytea UNIQUE, link_ends_at bigint
      );
      CREATE INDEX people_group_owner ON people_group (owner);
      CREATE TABLE group_member (
        id bigint PRIMARY KEY, group_id bigint NOT NULL REFERENCES people_group ON DELETE CASCADE,
        login text COLLATE "C", account bigint REFERENCES account ON DELETE CASCADE, created_at bigint NOT NULL,
        joined_at bigint, ended_at bigint, ended_by bigint, is_deputised boolean NOT NULL DEFAULT FALSE
      );
      CREATE INDEX group_member_group ON group_member (group_id);
      CREATE INDEX group_member_account ON group_member (account);
      CREATE INDEX group_member_login ON group_member (lower(login));
      CREATE TABLE group_collection (
        group_id bigint NOT NULL REFERENCES people_group ON DELETE CASCADE,
        collection bigint NOT NULL REFERENCES collection ON DELETE CASCADE, PRIMARY KEY (group_id, collection)
      );
      CREATE INDEX group_collection_collection ON group_collection (collection);
      -- Who may answer whose alarms: persons whom the owner named and who agreed, and managers whom their members
      -- let.
      CREATE TABLE deputy (
        id bigint PRIMARY KEY, owner bigint NOT NULL REFERENCES account ON DELETE CASCADE,
        login text COLLATE "C" NOT NULL, account bigint REFERENCES account ON DELETE CASCADE,
        created_at bigint NOT NULL
      );
      CREATE INDEX deputy_owner ON deputy (owner);
      CREATE INDEX deputy_account ON deputy (account);
      CREATE INDEX deputy_login ON deputy (lower(login));
      -- Alarms about the distance between two devices. That of a target that is deleted stays until its watcher
      -- was told.
      CREATE TABLE companion (
        id bigint PRIMARY KEY, account bigint NOT NULL REFERENCES account ON DELETE CASCADE,
        device bigint NOT NULL REFERENCES device ON DELETE CASCADE,
        target bigint REFERENCES device ON DELETE SET NULL, name text COLLATE "C" NOT NULL,
        rings_when bigint NOT NULL, distance double precision NOT NULL, assurance bigint NOT NULL,
        horizon bigint NOT NULL, created_at bigint NOT NULL, begins bigint, ended bigint, ended_at bigint,
        bytes bytea
      );
      CREATE INDEX companion_account ON companion (account);
      CREATE INDEX companion_device ON companion (device);
      CREATE INDEX companion_target ON companion (target);
      -- Who signs in by a provider, and challenges that are used up.
      CREATE TABLE login_identity (
        id bigint PRIMARY KEY, account bigint NOT NULL REFERENCES account ON DELETE CASCADE,
        issuer text COLLATE "C" NOT NULL, subject text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL,
        bound_at bigint NOT NULL, last_used_at bigint, UNIQUE (issuer, subject)
      );
      CREATE INDEX login_identity_account ON login_identity (account);
      CREATE TABLE used_challenge (hash bytea PRIMARY KEY, expires_at bigint NOT NULL);
      CREATE INDEX used_challenge_expires_at ON used_challenge (expires_at);
      -- Public keys that accounts are signed in to with.
      CREATE TABLE passkey (
        id bigint PRIMARY KEY, account bigint NOT NULL REFERENCES account ON DELETE CASCADE,
        credential bytea NOT NULL UNIQUE, public_key bytea NOT NULL, relying_party text COLLATE "C" NOT NULL,
        sign_count bigint NOT NULL, name text COLLATE "C" NOT NULL, created_at bigint NOT NULL, last_used_at bigint
      );
      CREATE INDEX passkey_account ON passkey (account);
      -- The statements by which keys of packs named the keys that followed them; the earliest has the lowest
      -- number.
      CREATE TABLE pack_key_change (
        account bigint NOT NULL REFERENCES pack_key ON DELETE CASCADE, number bigint NOT NULL,
        statement bytea NOT NULL, PRIMARY KEY (account, number)
      );
      """

    /// Codes that sign another device in.
    static let signInCodes = """
      CREATE TABLE sign_in_code (
        hash bytea PRIMARY KEY, account bigint NOT NULL REFERENCES account ON DELETE CASCADE,
        session bigint NOT NULL REFERENCES session ON DELETE CASCADE,
        created_at bigint NOT NULL, expires_at bigint NOT NULL
      );
      CREATE INDEX sign_in_code_account ON sign_in_code (account);
      CREATE INDEX sign_in_code_session ON sign_in_code (session);
      """

    /// Links for joining a group, each for a number of people.
    static let groupLinks = """
      CREATE TABLE group_link (
        id bigint PRIMARY KEY, group_id bigint NOT NULL REFERENCES people_group ON DELETE CASCADE,
        hash bytea NOT NULL UNIQUE, people bigint NOT NULL CHECK (people BETWEEN 1 AND 1000),
        joined bigint NOT NULL CHECK (joined BETWEEN 0 AND people), created_at bigint NOT NULL,
        ends_at bigint NOT NULL CHECK (ends_at BETWEEN created_at + 1 AND created_at + 7776000000)
      );
      CREATE INDEX group_link_group ON group_link (group_id);
      -- Before, a group had at most one link, for any number of people and at most 30 days. Only processes of an
      -- earlier version still use its columns in people_group.
      INSERT INTO group_link (id, group_id, hash, people, joined, created_at, ends_at)
        SELECT id, id, hash, 1000, 0, link_ends_at - 2592000000, link_ends_at FROM people_group
        WHERE hash IS NOT NULL AND link_ends_at IS NOT NULL;
      """

    /// Links by which a person without an account makes one. Those of before make none.
    static let groupLinkAccounts = """
      ALTER TABLE group_link ADD COLUMN makes_accounts boolean NOT NULL DEFAULT false;
      """

    /// Links for one person each: the person's name, a proposed login, and the mail by which the link went out.
    static let groupInvitations = """
      ALTER TABLE group_link ADD COLUMN note text NOT NULL DEFAULT '';
      ALTER TABLE group_link ADD COLUMN login text;
      ALTER TABLE group_link ADD COLUMN mail text;
      ALTER TABLE group_link ADD COLUMN mailed_at bigint;
      """

    /// The link by which a member has joined. It may be gone: the column is no reference.
    static let groupLinkUses = """
      ALTER TABLE group_member ADD COLUMN link bigint;
      """
  }
#endif
