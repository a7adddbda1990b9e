extension SQLiteSchema {
  /// When each device has to be looked at, whether or not its engine is in memory. All that are there when the table
  /// is made are looked at once.
  static let dueTimes = """
    CREATE TABLE device_due (
      device INTEGER PRIMARY KEY REFERENCES device ON DELETE CASCADE, at INTEGER NOT NULL
    );
    CREATE INDEX device_due_at ON device_due (at);
    INSERT INTO device_due (device, at) SELECT device.id, 0 FROM device JOIN account ON account.id = device.account
      WHERE NOT account.is_disabled;
    """

  /// Each change that makes a device due gives it a new number. A worker clears the due time only if the number is still
  /// the one it read.
  static let dueMarks = "ALTER TABLE device_due ADD COLUMN mark INTEGER NOT NULL DEFAULT 0"
}
