extension SQLiteSchema {
  /// Shares, groups, deputies, companions, packs, private accounts and ways of signing in.
  static let sharing = """
    -- Who may see where whose devices are: somebody with a login, or whoever has a link.
    CREATE TABLE share (
      id INTEGER PRIMARY KEY, owner INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      device INTEGER NOT NULL REFERENCES device ON DELETE CASCADE, login TEXT, hash BLOB UNIQUE,
      viewer INTEGER REFERENCES account ON DELETE CASCADE, name TEXT NOT NULL, accuracy INTEGER NOT NULL,
      created_at INTEGER NOT NULL, ends_at INTEGER, zone INTEGER, looked_to INTEGER NOT NULL
    );
    CREATE INDEX share_owner ON share (owner);
    CREATE INDEX share_device ON share (device);
    CREATE INDEX share_viewer ON share (viewer);
    CREATE INDEX share_login ON share (lower(login));
    -- Secrets of authenticator apps, and the hashes of codes on paper.
    CREATE TABLE second_factor (
      account INTEGER PRIMARY KEY REFERENCES account ON DELETE CASCADE, secret BLOB NOT NULL,
      confirmed_at INTEGER, last_step INTEGER NOT NULL
    );
    CREATE TABLE recovery_code (
      account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, hash BLOB NOT NULL,
      PRIMARY KEY (account, hash)
    ) WITHOUT ROWID;
    -- What was done in accounts.
    CREATE TABLE audit_entry (
      id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      at INTEGER NOT NULL,
      action TEXT NOT NULL, subject TEXT NOT NULL, is_refused INTEGER NOT NULL, actor INTEGER NOT NULL,
      actor_name TEXT NOT NULL, address TEXT NOT NULL
    );
    CREATE INDEX audit_entry_account ON audit_entry (account, id);
    CREATE INDEX audit_entry_at ON audit_entry (at);
    -- Collections that are given out as signed packs, and the keys that sign them.
    CREATE TABLE pack_key (
      account INTEGER PRIMARY KEY REFERENCES account ON DELETE CASCADE, secret BLOB NOT NULL,
      created_at INTEGER NOT NULL
    );
    CREATE TABLE pack (
      collection INTEGER PRIMARY KEY REFERENCES collection ON DELETE CASCADE, address TEXT NOT NULL UNIQUE,
      version INTEGER NOT NULL, made_at INTEGER NOT NULL, zone_set INTEGER NOT NULL,
      revision INTEGER NOT NULL
    );
    -- As they were given out, with the version in which each changed last; without bytes those that went.
    CREATE TABLE pack_zone (
      collection INTEGER NOT NULL REFERENCES pack ON DELETE CASCADE, id INTEGER NOT NULL,
      version INTEGER NOT NULL, pad BLOB, PRIMARY KEY (collection, id)
    );
    -- Accounts whose places the server never learns, and sealed messages: public keys of browsers, who agreed
    -- to hear from whom, and what waits to be fetched. A message names its sender, so that a reader knows whose
    -- agreement it came by.
    CREATE TABLE sealed_key (
      id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      public_key BLOB NOT NULL, name TEXT NOT NULL, created_at INTEGER NOT NULL,
      fetched_at INTEGER NOT NULL,
      UNIQUE (account, public_key)
    );
    CREATE TABLE sealed_contact (
      id INTEGER PRIMARY KEY, owner INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      login TEXT NOT NULL,
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
    -- Groups of people and the collections that are given to them. What a group lets a member follow stands in
    -- `membership` as well, where everything that watches looks.
    CREATE TABLE people_group (
      id INTEGER PRIMARY KEY, owner INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      name TEXT NOT NULL,
      created_at INTEGER NOT NULL, hash BLOB UNIQUE, link_ends_at INTEGER
    );
    CREATE INDEX people_group_owner ON people_group (owner);
    CREATE TABLE group_member (
      id INTEGER PRIMARY KEY, group_id INTEGER NOT NULL REFERENCES people_group ON DELETE CASCADE,
      login TEXT,
      account INTEGER REFERENCES account ON DELETE CASCADE, created_at INTEGER NOT NULL, joined_at INTEGER,
      ended_at INTEGER, ended_by INTEGER, is_deputised INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX group_member_group ON group_member (group_id);
    CREATE INDEX group_member_account ON group_member (account);
    CREATE INDEX group_member_login ON group_member (lower(login));
    CREATE TABLE group_collection (
      group_id INTEGER NOT NULL REFERENCES people_group ON DELETE CASCADE,
      collection INTEGER NOT NULL REFERENCES collection ON DELETE CASCADE,
      PRIMARY KEY (group_id, collection)
    ) WITHOUT ROWID;
    CREATE INDEX group_collection_collection ON group_collection (collection);
    -- Who may answer whose alarms: persons whom the owner named and who agreed, and managers whom their members
    -- let.
    CREATE TABLE deputy (
      id INTEGER PRIMARY KEY, owner INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      login TEXT NOT NULL,
      account INTEGER REFERENCES account ON DELETE CASCADE, created_at INTEGER NOT NULL
    );
    CREATE INDEX deputy_owner ON deputy (owner);
    CREATE INDEX deputy_account ON deputy (account);
    CREATE INDEX deputy_login ON deputy (lower(login));
    -- Alarms about the distance between two devices. That of a target that is deleted stays until its watcher
    -- was told.
    CREATE TABLE companion (
      id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      device INTEGER NOT NULL REFERENCES device ON DELETE CASCADE,
      target INTEGER REFERENCES device ON DELETE SET NULL, name TEXT NOT NULL, rings_when INTEGER NOT NULL,
      distance REAL NOT NULL, assurance INTEGER NOT NULL, horizon INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      begins INTEGER, ended INTEGER, ended_at INTEGER, bytes BLOB
    );
    CREATE INDEX companion_account ON companion (account);
    CREATE INDEX companion_device ON companion (device);
    CREATE INDEX companion_target ON companion (target);
    -- Who signs in by a provider, and challenges that are used up.
    CREATE TABLE login_identity (
      id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      issuer TEXT NOT NULL,
      subject TEXT NOT NULL, name TEXT NOT NULL, bound_at INTEGER NOT NULL, last_used_at INTEGER,
      UNIQUE (issuer, subject)
    );
    CREATE INDEX login_identity_account ON login_identity (account);
    CREATE TABLE used_challenge (hash BLOB PRIMARY KEY, expires_at INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX used_challenge_expires_at ON used_challenge (expires_at);
    -- Public keys that accounts are signed in to with.
    CREATE TABLE passkey (
      id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      credential BLOB NOT NULL UNIQUE, public_key BLOB NOT NULL, relying_party TEXT NOT NULL,
      sign_count INTEGER NOT NULL, name TEXT NOT NULL, created_at INTEGER NOT NULL, last_used_at INTEGER
    );
    CREATE INDEX passkey_account ON passkey (account);
    -- The statements by which keys of packs named the keys that followed them; the earliest has the lowest
    -- number.
    CREATE TABLE pack_key_change (
      account INTEGER NOT NULL REFERENCES pack_key ON DELETE CASCADE, number INTEGER NOT NULL,
      statement BLOB NOT NULL, PRIMARY KEY (account, number)
    );
    """

  /// Codes that sign another device in.
  static let signInCodes = """
    CREATE TABLE sign_in_code (
      hash BLOB NOT NULL PRIMARY KEY, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
      created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX sign_in_code_account ON sign_in_code (account);
    CREATE INDEX sign_in_code_session ON sign_in_code (session);
    """

  /// Links for joining a group, each for a number of people.
  static let groupLinks = """
    CREATE TABLE group_link (
      id INTEGER PRIMARY KEY, group_id INTEGER NOT NULL REFERENCES people_group ON DELETE CASCADE,
      hash BLOB NOT NULL UNIQUE, people INTEGER NOT NULL CHECK (people BETWEEN 1 AND 1000),
      joined INTEGER NOT NULL CHECK (joined BETWEEN 0 AND people), created_at INTEGER NOT NULL,
      ends_at INTEGER NOT NULL CHECK (ends_at BETWEEN created_at + 1 AND created_at + 7776000000)
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
    ALTER TABLE group_link ADD COLUMN makes_accounts INTEGER NOT NULL DEFAULT 0 CHECK (makes_accounts IN (0, 1));
    """

  /// Links for one person each: the person's name, a proposed login, and the mail by which the link went out.
  static let groupInvitations = """
    ALTER TABLE group_link ADD COLUMN note TEXT NOT NULL DEFAULT '';
    ALTER TABLE group_link ADD COLUMN login TEXT;
    ALTER TABLE group_link ADD COLUMN mail TEXT;
    ALTER TABLE group_link ADD COLUMN mailed_at INTEGER;
    """

  /// The link by which a member has joined. It may be gone: the column is no reference.
  static let groupLinkUses = """
    ALTER TABLE group_member ADD COLUMN link INTEGER;
    """
}
