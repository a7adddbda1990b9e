import AlarmEngine

/// Whatever changes what an engine is made of counts its version up, so that no process goes on with what it has in
/// memory: a batch of the ingest, an edit of the device's record, its claim, and a clock that was set back.
///
/// Edits of zones, settings and accounts need not: they make the devices due, and the process that then judges a device
/// counts its version up. A deleted device's version goes with it, and batches leave the device out.
extension SQLStore {
  static func beginVersions(of device: DeviceID, _ database: any SQLTransaction) throws {
    try database.run("INSERT INTO engine_version (device, version) VALUES (?, 0)", [device.sql])
  }

  /// The device's record is different now.
  static func outdate(_ device: DeviceID, _ database: any SQLTransaction) throws {
    try database.run("UPDATE engine_version SET version = version + 1 WHERE device = ?", [device.sql])
  }

  /// Times of all devices are different now.
  static func outdateAll(_ database: any SQLTransaction) throws {
    try database.run("UPDATE engine_version SET version = version + 1")
  }
}
