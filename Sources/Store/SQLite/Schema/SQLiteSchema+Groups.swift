extension SQLiteSchema {
  /// Groups of people and the collections that are given to them. What a group lets a member follow stands in `membership`
  /// as well, where everything that watches looks.
  static let groups = """
    CREATE TABLE people_group (
      id INTEGER PRIMARY KEY, owner INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, name TEXT NOT NULL,
      created_at INTEGER NOT NULL, hash BLOB UNIQUE, link_ends_at INTEGER
    );
    CREATE INDEX people_group_owner ON people_group (owner);
    CREATE TABLE group_member (
      id INTEGER PRIMARY KEY, group_id INTEGER NOT NULL REFERENCES people_group ON DELETE CASCADE, login TEXT,
      account INTEGER REFERENCES account ON DELETE CASCADE, created_at INTEGER NOT NULL, joined_at INTEGER,
      ended_at INTEGER, ended_by INTEGER
    );
    CREATE INDEX group_member_group ON group_member (group_id);
    CREATE INDEX group_member_account ON group_member (account);
    CREATE INDEX group_member_login ON group_member (lower(login));
    CREATE TABLE group_collection (
      group_id INTEGER NOT NULL REFERENCES people_group ON DELETE CASCADE,
      collection INTEGER NOT NULL REFERENCES collection ON DELETE CASCADE, PRIMARY KEY (group_id, collection)
    ) WITHOUT ROWID;
    CREATE INDEX group_collection_collection ON group_collection (collection);
    -- Whether the owner let the account follow by itself, and not only by a group.
    ALTER TABLE membership ADD COLUMN is_direct INTEGER NOT NULL DEFAULT 1;
    """

  /// Who may answer whose alarms: persons whom the owner named and who agreed, and managers whom their members let.
  static let deputies = """
    CREATE TABLE deputy (
      id INTEGER PRIMARY KEY, owner INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, login TEXT NOT NULL,
      account INTEGER REFERENCES account ON DELETE CASCADE, created_at INTEGER NOT NULL
    );
    CREATE INDEX deputy_owner ON deputy (owner);
    CREATE INDEX deputy_account ON deputy (account);
    CREATE INDEX deputy_login ON deputy (lower(login));
    ALTER TABLE group_member ADD COLUMN is_deputised INTEGER NOT NULL DEFAULT 0;
    """
}
