extension SQLiteSchema {
  /// Alarms about the distance between two devices. That of a target that is deleted stays until its watcher was told.
  static let companions = """
    CREATE TABLE companion (
      id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      device INTEGER NOT NULL REFERENCES device ON DELETE CASCADE,
      target INTEGER REFERENCES device ON DELETE SET NULL, name TEXT NOT NULL, rings_when INTEGER NOT NULL,
      distance REAL NOT NULL, assurance INTEGER NOT NULL, horizon INTEGER NOT NULL, created_at INTEGER NOT NULL,
      begins INTEGER, ended INTEGER, ended_at INTEGER, bytes BLOB
    );
    CREATE INDEX companion_account ON companion (account);
    CREATE INDEX companion_device ON companion (device);
    CREATE INDEX companion_target ON companion (target);
    """
}
