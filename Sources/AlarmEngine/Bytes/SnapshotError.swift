/// Why bytes are not the snapshot that was asked for.
public enum SnapshotError: Error, Equatable, Sendable {
  /// Made by a newer engine, or by one before the first release. Allowed: `Timeline.snapshotVersion`.
  case version(given: UInt8)
  /// Cut off or changed since they were written.
  case damaged
  /// Another device's.
  case device(given: DeviceID)
  /// The zones that it was made with are not at hand.
  case zonesMissing(revision: UInt64)
  /// An alarm of a zone that is not among those of this revision.
  case zoneUnknown(ZoneID, revision: UInt64)
  /// Undamaged, but not what ``Timeline/snapshot()`` writes.
  case malformed(EventBytesError)
  /// Kept inputs stand otherwise than in folding order, or before the time from which they are kept.
  case inputsOutOfOrder(at: Instant)
}
