import AlarmEngine

/// Versions of engines. Every change of an engine's state increments its version, so that no process
/// continues with an outdated copy in memory: an ingest batch, an edit of the device's record or of a reminder
/// of its account, its claim, and a clock that was set back.
///
/// Edits of zones, settings and accounts do not: they make the devices due, and the process that then judges
/// a device increments its version. A device's version is deleted with the device, and batches leave the
/// device out.
extension SQLStore {
  static func beginVersions(of device: DeviceID, _ database: any SQLTransaction) throws {
    try database.run("INSERT INTO engine_version (device, version) VALUES (?, 0)", [device.sql])
  }

  /// Increments the version because the device's record has changed.
  static func outdate(_ device: DeviceID, _ database: any SQLTransaction) throws {
    try database.run("UPDATE engine_version SET version = version + 1 WHERE device = ?", [device.sql])
  }

  /// Increments the versions of an account's devices because its mode or its reminders have changed.
  static func outdate(devicesOf account: AccountID, _ database: any SQLTransaction) throws {
    try database.run(
      """
      UPDATE engine_version SET version = version + 1
      WHERE device IN (SELECT id FROM device WHERE account = ?)
      """, [account.sql])
  }

  /// Increments all versions because the times of all devices have changed.
  static func outdateAll(_ database: any SQLTransaction) throws {
    try database.run("UPDATE engine_version SET version = version + 1")
  }
}
