/// The reason why a snapshot was refused.
public enum SnapshotError: Error, Equatable, Sendable {
  /// Written by another version of the engine. Allowed: the `snapshotVersion` of the type that is read.
  case version(given: UInt8)
  /// Cut off or changed since they were written.
  case damaged
  /// The snapshot of another device.
  case device(given: DeviceID)
  /// The zones that it was made with are not available.
  case zonesMissing(revision: UInt64)
  /// An alarm belongs to a zone that this revision does not have.
  case zoneUnknown(ZoneID, revision: UInt64)
  /// Undamaged, but not in the form that ``Timeline/snapshot()`` writes.
  case malformed(EventBytesError)
  /// A kept input is out of order, a duplicate, or before the time from which inputs are kept.
  case inputsOutOfOrder(at: Instant)
}
