extension Timeline {
  /// What ``snapshot()`` writes, and what ``init(snapshot:device:settings:zones:)`` reads.
  public static let snapshotVersion: UInt8 = 5

  /// The timeline as bytes: one form and one only, the same on every machine.
  ///
  /// The version (4), the device, the state before the inputs that are kept, how far time has passed, those inputs, the last jump of the clock and the ids of the alarms that ring, and a
  /// checksum (64 bits, FNV-1a finished as in SplitMix64). Little-endian, numbers as in ``EventBytes``. Zones and
  /// settings are not in it; zones are named by ``WatchedZones/revision``, their alarms by ``ZoneID``. After
  /// ``forget(keeping:)`` with nothing kept: some 200 bytes, 100 more for an alarm that rings; each kept fix takes 45
  /// to 70.
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

  /// A timeline that goes on as the one that was saved: the same inputs give the same changes and events.
  ///
  /// - Parameters:
  ///   - device: whose snapshot it has to be.
  ///   - settings: those it was saved with. With others it goes on by them; what was decided stays decided.
  ///   - zones: the set of this revision, or nil where it is not at hand. Asked for each in ``zoneRevisions``.
  /// - Throws: what is wrong first.
  /// - Complexity: folds the kept inputs.
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

  /// The sets of zones that restoring a snapshot needs: one, or more where edits are among the kept inputs.
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
    guard version == snapshotVersion else { throw .version(given: version) }
    let end = bytes.count - 8
    guard end >= 1 else { throw .damaged }
    let body = Array(bytes[..<end])
    var writer = FieldWriter()
    writer.word(StableHash.value(of: body))
    guard writer.bytes.elementsEqual(bytes[end...]) else { throw .damaged }
    do throws(EventBytesError) {
      var reader = EventReader(body)
      _ = try reader.byte()
      return try reader.timeline()
    } catch {
      throw .malformed(error)
    }
  }

  /// What is wrong with the last of `inputs` where it stands.
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
