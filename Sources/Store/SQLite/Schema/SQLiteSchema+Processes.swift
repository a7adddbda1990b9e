extension SQLiteSchema {
  /// How often each device's engine was changed: of several processes that have it in memory, one whose number is older
  /// than the stored one reads the engine again.
  static let engineVersions = """
    CREATE TABLE engine_version (
      device INTEGER PRIMARY KEY REFERENCES device ON DELETE CASCADE, version INTEGER NOT NULL
    );
    INSERT INTO engine_version (device, version) SELECT id, 0 FROM device;
    """
}
