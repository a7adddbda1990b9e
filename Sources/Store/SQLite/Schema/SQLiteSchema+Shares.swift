extension SQLiteSchema {
  /// Who may see where whose devices are: somebody with a login, or whoever has a link.
  static let shares = """
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
    """
}
