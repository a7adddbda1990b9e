/// Snapshots that the engine did not write.
public enum SnapshotForge {
  /// Appends the documented checksum of snapshots: FNV-1a of all bytes before, finished as in SplitMix64,
  /// little-endian.
  public static func sealed(_ body: [UInt8]) -> [UInt8] {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in body { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    hash = (hash ^ (hash >> 30)) &* 0xbf58_476d_1ce4_e5b9
    hash = (hash ^ (hash >> 27)) &* 0x94d0_49bb_1331_11eb
    hash ^= hash >> 31
    return body + (0..<8).map { UInt8(truncatingIfNeeded: hash >> (8 * $0)) }
  }
}
