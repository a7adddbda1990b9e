extension SQLiteSchema {
  /// Another number with each change that makes a device due, so that whoever looks at it knows whether it is the one
  /// that was seen.
  static let dueMarks = "ALTER TABLE device_due ADD COLUMN mark INTEGER NOT NULL DEFAULT 0"
}
