extension SQLiteSchema {
  /// Positions of the past that came in files, apart from what phones report, and the files.
  static let imports = """
    CREATE TABLE track_import (
      id INTEGER PRIMARY KEY, device INTEGER NOT NULL REFERENCES device ON DELETE CASCADE, name TEXT NOT NULL,
      started_at INTEGER NOT NULL, changed_at INTEGER NOT NULL, state INTEGER NOT NULL, share REAL,
      fixes_read INTEGER NOT NULL, fixes_added INTEGER NOT NULL, first_at INTEGER, last_at INTEGER, detail TEXT NOT NULL
    );
    CREATE INDEX track_import_device ON track_import (device, started_at);
    CREATE INDEX track_import_changed ON track_import (changed_at);
    CREATE TABLE imported_fix (
      device INTEGER NOT NULL, measured_at INTEGER NOT NULL, latitude REAL NOT NULL, longitude REAL NOT NULL,
      accuracy REAL NOT NULL, speed REAL, course REAL, track INTEGER NOT NULL, PRIMARY KEY (device, measured_at)
    ) WITHOUT ROWID;
    """
}
