extension Timeline {
  /// The version that ``snapshot()`` writes.
  public static let snapshotVersion: UInt8 = 6
  /// The first version that ``init(snapshot:device:settings:zones:)`` reads. It has no ``Course``.
  static let oldestSnapshotVersion: UInt8 = 5

  /// Returns the timeline as bytes, the same on every machine.
  ///
  /// The version, the device, the state before the kept inputs, the time up to which timers have run, the
  /// time from which inputs are kept, those inputs, the last jump of the clock with the ids of the alarms
  /// that ring, and a checksum (64 bits, FNV-1a finished as in SplitMix64). Little-endian, numbers as in
  /// ``EventBytes``. Zones and settings are not included: a set of zones is named by its
  /// ``WatchedZones/revision``, an alarm's zone by its ``ZoneID``. After ``forget(keeping:)`` with nothing
  /// kept: some 200 bytes, 100 more for an alarm that rings; each kept fix takes some 45 to 80.
  public func snapshot() -> [UInt8] {
    var writer = FieldWriter()
    writer.timeline(
      TimelineRecord(
        device: device, base: .init(base.value), now: now, keptFrom: keptFrom,
        inputs: inputs.map { input in
          guard case .command(.replaceZones(let zones), let at) = input else { return .input(input) }
          return .replaceZones(revision: zones.revision, at: at)
        }))
    return writer.bytes
  }

  /// Restores a saved timeline: the same inputs give the same changes and events as without saving.
  ///
  /// - Parameters:
  ///   - device: the device of the snapshot; that of another device is refused.
  ///   - settings: the settings it was saved with. Others apply to the kept inputs and to all later ones.
  ///   - zones: returns the set with a revision, or nil if it is not available. Called for each of
  ///     ``zoneRevisions``.
  /// - Throws: the first error.
  /// - Complexity: applies the kept inputs.
  public init(
    snapshot bytes: [UInt8], device: DeviceID, settings: Settings,
    zones: (_ revision: UInt64) -> WatchedZones?
  ) throws(SnapshotError) {
    let record = try Self.record(bytes)
    guard record.device == device else { throw .device(given: record.device) }
    func watched(_ revision: UInt64) throws(SnapshotError) -> WatchedZones {
      guard let watched = zones(revision), WatchedZones.named(revision, among: [watched]) != nil else {
        throw .zonesMissing(revision: revision)
      }
      return watched
    }
    self.init(
      base: try record.base.state(
        device: device, settings: settings, zones: try watched(record.base.zones)))
    keptFrom = record.keptFrom
    now = record.now
    var kept: [Input] = []
    kept.reserveCapacity(record.inputs.count)
    for input in record.inputs {
      switch input {
      case .input(let input): kept.append(input)
      case .replaceZones(let revision, let at):
        kept.append(.command(.replaceZones(try watched(revision)), at: at))
      }
      if let error = Self.disorder(in: kept, from: keptFrom) { throw error }
    }
    append(kept)
    letTimePass()
  }

  /// The revisions of the sets of zones that restoring a snapshot needs: one, or more if edits are among the
  /// kept inputs.
  public var zoneRevisions: [UInt64] {
    var revisions = [base.value.zones.revision]
    for input in inputs {
      guard case .command(.replaceZones(let zones), _) = input, !revisions.contains(zones.revision) else {
        continue
      }
      revisions.append(zones.revision)
    }
    return revisions
  }

  private static func record(_ bytes: [UInt8]) throws(SnapshotError) -> TimelineRecord {
    guard let version = bytes.first else { throw .damaged }
    guard oldestSnapshotVersion...snapshotVersion ~= version else { throw .version(given: version) }
    let end = bytes.count - 8
    guard end >= 1 else { throw .damaged }
    let body = Array(bytes[..<end])
    var writer = FieldWriter()
    writer.word(StableHash.value(of: body))
    guard writer.bytes.elementsEqual(bytes[end...]) else { throw .damaged }
    do throws(EventBytesError) {
      var reader = EventReader(body)
      _ = try reader.byte()
      return try reader.timeline(version: version)
    } catch {
      throw .malformed(error)
    }
  }

  /// Returns the error in the place of the last of `inputs`; nil if it is in order.
  private static func disorder(in inputs: [Input], from keptFrom: Instant?) -> SnapshotError? {
    guard let last = inputs.last else { return nil }
    if let keptFrom, last.time < keptFrom { return .inputsOutOfOrder(at: last.time) }
    guard inputs.count > 1 else { return nil }
    let former = inputs[inputs.count - 2]
    if last.precedes(former) { return .inputsOutOfOrder(at: last.time) }
    if case .fix(let fix) = last, case .fix(let other) = former, fix.isSame(as: other) {
      return .inputsOutOfOrder(at: last.time)
    }
    return nil
  }
}
