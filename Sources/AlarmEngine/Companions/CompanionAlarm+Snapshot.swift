import Geometry

extension CompanionAlarm {
  /// The version of the form that ``snapshot()`` writes; no other one is read.
  public static let snapshotVersion: UInt8 = 1

  /// The alarm as bytes. Equal alarms give equal bytes on every machine.
  ///
  /// The version, the companion and the watcher's device, the state before the fixes that still count, the
  /// events since, and a checksum (64 bits, as of ``Timeline/snapshot()``). Little-endian, numbers as in
  /// ``EventBytes``. Rules, settings and fixes are not included. About 400 bytes, and 60 more for each fix
  /// kept of the two paths.
  public func snapshot() -> [UInt8] {
    var writer = FieldWriter()
    writer.byte(Self.snapshotVersion)
    writer.word(rules.companion.rawValue)
    writer.word(rules.device.rawValue)
    writer.companion(base)
    writer.time(keptFrom)
    writer.blob(EventBytes.encode(events))
    writer.word(StableHash.value(of: writer.bytes))
    return writer.bytes
  }

  /// Creates an alarm that continues the saved one, once ``judge(watcher:target:through:)`` has the fixes
  /// again.
  ///
  /// - Throws: the first fault found. `.device` for another companion or device.
  public init(
    snapshot bytes: [UInt8], _ rules: CompanionRules, watcher: Settings, target: Settings
  ) throws(SnapshotError) {
    guard let version = bytes.first else { throw .damaged }
    guard version == Self.snapshotVersion else { throw .version(given: version) }
    let end = bytes.count - 8
    guard end >= 1 else { throw .damaged }
    let body = Array(bytes[..<end])
    var writer = FieldWriter()
    writer.word(StableHash.value(of: body))
    guard writer.bytes.elementsEqual(bytes[end...]) else { throw .damaged }
    var reader = EventReader(body)
    let record: CompanionRecord
    do throws(EventBytesError) { record = try reader.companion(rules) } catch { throw .malformed(error) }
    guard record.companion == rules.companion, record.device == rules.device else {
      throw .device(given: record.device)
    }
    self.init(CompanionContext(rules: rules, watcher: watcher, target: target), record.state)
    keptFrom = record.keptFrom
    events = record.events
  }
}

/// The contents of a companion alarm's snapshot.
struct CompanionRecord {
  let companion: CompanionID
  let device: DeviceID
  let state: CompanionState
  let keptFrom: Instant?
  let events: [Event]
}

extension FieldWriter {
  fileprivate mutating func companion(_ state: CompanionState) {
    for track in [state.watcher, state.target] {
      tracking(track.tracking)
      list(track.path) { $0.fix($1) }
    }
    alarm(state.alarm)
    time(state.begins)
    flag(state.hasBegun)
    time(state.knownThrough)
    time(state.endedAt)
    time(state.clock)
  }
}

extension EventReader {
  fileprivate mutating func companion(_ rules: CompanionRules) throws(EventBytesError) -> CompanionRecord {
    _ = try byte()
    let companion = CompanionID(rawValue: try word())
    let device = DeviceID(rawValue: try word())
    let watcher = try companionTrack()
    let target = try companionTrack()
    let alarm = try alarm(of: companion.zone, on: device)
    var state = CompanionState(watcher: watcher, target: target, begins: try instant())
    state.alarm = alarm
    state.hasBegun = try flag()
    state.knownThrough = try maybeInstant()
    state.endedAt = try maybeInstant()
    state.clock = try maybeInstant()
    let keptFrom = try maybeInstant()
    let length = try count(ofAtLeast: 1)
    guard remaining == length else {
      throw EventBytesError(
        remaining < length
          ? .endsEarly(needed: length, left: remaining) : .bytesLeft(given: remaining - length), at: offset)
    }
    return CompanionRecord(
      companion: companion, device: device, state: state, keptFrom: keptFrom,
      events: try EventBytes.decode(rest()))
  }

  private mutating func companionTrack() throws(EventBytesError) -> CompanionTrack {
    let tracking = try tracking()
    // The size of a fix without its optional values.
    let count = try count(ofAtLeast: 2 * 8 + 1 + 2 * 8 + 1 + 1)
    var path: [Fix] = []
    for _ in 0..<count {
      let start = offset
      let fix = try fix()
      if let last = path.last, fix.measuredAt < last.measuredAt {
        throw EventBytesError(.outOfOrder, at: start)
      }
      path.append(fix)
    }
    return CompanionTrack(tracking: tracking, path: path)
  }
}
