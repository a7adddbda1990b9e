import AlarmEngine
import GRDB

extension IngestWriter {
  /// Counts the engines' versions up, in the order of the devices' ids: batches that wait for each other's rows all come
  /// in the same order.
  /// - Throws: `.conflict` with all devices whose version is another one.
  mutating func countVersions() throws {
    let count = try HotStatement(
      database, "UPDATE engine_version SET version = version + 1 WHERE device = ? AND version = ?")
    var conflicts: [DeviceID] = []
    for (device, version) in batch.versions.sorted(by: { $0.key < $1.key }) where try exists(device) {
      count.bind(1, device.sql)
      count.bind(2, version)
      if try count.run() == 0 { conflicts.append(device) }
    }
    if !conflicts.isEmpty { throw StoreError.conflict(conflicts) }
  }
}
