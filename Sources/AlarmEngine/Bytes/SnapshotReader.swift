import Geometry

/// Reads the bytes that `FieldWriter+Snapshots.swift` writes, and nothing else.
extension EventReader {
  /// Reads the part after the version, up to the checksum.
  mutating func timeline(version: UInt8) throws(EventBytesError) -> TimelineRecord {
    let device = DeviceID(rawValue: try word())
    var base = try state(of: device, hasCourse: version > Timeline.oldestSnapshotVersion)
    let now = try maybeInstant()
    let keptFrom = try maybeInstant()
    // A command without arguments is the shortest input: two kinds and a time.
    let count = try count(ofAtLeast: 1 + 8 + 1)
    var inputs: [TimelineRecord.InputRecord] = []
    inputs.reserveCapacity(count)
    for _ in 0..<count { inputs.append(try input()) }
    if try flag() { try jump(&base) }
    guard remaining == 0 else { throw EventBytesError(.bytesLeft(given: remaining), at: offset) }
    return TimelineRecord(device: device, base: base, now: now, keptFrom: keptFrom, inputs: inputs)
  }

  private mutating func state(
    of device: DeviceID, hasCourse: Bool
  ) throws(EventBytesError) -> TimelineRecord.StateRecord {
    let zones = try word()
    let armed = try flag()
    var tracking = try tracking()
    if hasCourse { tracking.course = try course() }
    let clock = try maybeInstant()
    let scheduleChange = try maybeInstant()
    let signalWatch = try flag() ? try signalWatch() : nil
    // A zone and an idle alarm take no fewer bytes.
    let count = try count(ofAtLeast: 8 + 1 + 1 + 1 + 1)
    var alarms: [(zone: ZoneID, alarm: ZoneAlarm)] = []
    alarms.reserveCapacity(count)
    for _ in 0..<count {
      let start = offset
      let zone = ZoneID(rawValue: try word())
      if let last = alarms.last, zone <= last.zone { throw EventBytesError(.outOfOrder, at: start) }
      alarms.append((zone, try alarm(of: zone, on: device)))
    }
    return TimelineRecord.StateRecord(
      zones: zones, armed: armed, tracking: tracking, clock: clock, scheduleChange: scheduleChange,
      signalWatch: signalWatch, alarms: alarms)
  }

  private mutating func jump(_ base: inout TimelineRecord.StateRecord) throws(EventBytesError) {
    let at = try instant()
    let start = offset
    let by = Int64(bitPattern: try word())
    guard ClockJump.allowed.contains(.milliseconds(by)) else {
      throw EventBytesError(.timeOutOfRange(given: by), at: start)
    }
    base.jump = ClockJump(at: at, by: .milliseconds(by))
    for place in base.alarms.indices {
      guard case .ringing(var ringing) = base.alarms[place].alarm.phase else { continue }
      ringing.alarm = AlarmID(rawValue: try word())
      base.alarms[place].alarm.phase = .ringing(ringing)
    }
  }

  mutating func tracking() throws(EventBytesError) -> Tracking {
    let anchor = try maybeFix()
    let previous = try maybeFix()
    let suspect = try maybeFix()
    let allowedSpeed = try double(.speed, in: Self.notNegative)
    let sensors = try sensors(after: anchor)
    return Tracking(
      anchor: anchor, previous: previous, suspect: suspect, allowedSpeed: allowedSpeed, sensors: sensors,
      movement: try movement())
  }

  private mutating func course() throws(EventBytesError) -> Course {
    let count = try count(ofAtLeast: 8 + 8 + 8 + 8)
    var points: [Course.Point] = []
    for _ in 0..<count {
      let start = offset
      let point = Course.Point(place: try movementPlace(), at: try instant())
      if let last = points.last, point.at < last.at { throw EventBytesError(.outOfOrder, at: start) }
      points.append(point)
    }
    return Course(points: points)
  }

  private mutating func movement() throws(EventBytesError) -> Movement {
    let place = try flag() ? try movementPlace() : nil
    return Movement(place: place, seenAt: try maybeInstant())
  }

  private mutating func movementPlace() throws(EventBytesError) -> Movement.Place {
    let position = try coordinate()
    return Movement.Place(position: position, radius: try length())
  }

  private mutating func sensors(after anchor: Fix?) throws(EventBytesError) -> SensorMemory {
    let fine = try maybeFix()
    let coarse = try maybeFix()
    return SensorMemory(
      fine: fine, coarse: coarse, last: anchor, wifi: try learnedError(), cells: try learnedError())
  }

  private mutating func learnedError() throws(EventBytesError) -> SensorMemory.LearnedError {
    let weight = try double(.weight, in: SensorMemory.LearnedError.weights)
    return .init(weight: weight, meanSquare: try double(.weight, in: SensorMemory.LearnedError.meanSquares))
  }

  private mutating func signalWatch() throws(EventBytesError) -> TimelineRecord.SignalRecord {
    let deadline = try instant()
    let count = try count(ofAtLeast: 8 + 8)
    var zones: [(zone: ZoneID, distance: Distance)] = []
    zones.reserveCapacity(count)
    for _ in 0..<count {
      let zone = ZoneID(rawValue: try word())
      zones.append((zone, try distance()))
    }
    return TimelineRecord.SignalRecord(deadline: deadline, zones: zones)
  }

  mutating func flag() throws(EventBytesError) -> Bool { try isPresent(.flag) }
  mutating func maybeInstant() throws(EventBytesError) -> Instant? {
    try flag() ? try instant() : nil
  }
  private mutating func maybeFix() throws(EventBytesError) -> Fix? { try flag() ? try fix() : nil }

  /// Reads a length small enough for the sum of a few not to overflow.
  private mutating func length() throws(EventBytesError) -> Distance {
    .metres(try double(.distance, in: -1e300...1e300))
  }

  mutating func input() throws(EventBytesError) -> TimelineRecord.InputRecord {
    switch try named(.input, InputByte.init(rawValue:)) {
    case .fix: return .input(.fix(try fix()))
    case .command:
      let at = try instant()
      return .input(.command(try command(), at: at))
    case .replaceZones:
      let at = try instant()
      return .replaceZones(revision: try word(), at: at)
    }
  }

  private mutating func command() throws(EventBytesError) -> Command {
    switch try named(.command, CommandByte.init(rawValue:)) {
    case .activate: return .activate
    case .deactivate: return .deactivate
    case .close: return .close(AlarmID(rawValue: try word()))
    case .sleep: return .sleep(AlarmID(rawValue: try word()))
    case .sleepUntil:
      let alarm = AlarmID(rawValue: try word())
      return .sleepUntil(alarm, try instant())
    case .acknowledgeInside: return .acknowledgeInside(AlarmID(rawValue: try word()))
    case .acknowledgeForToday:
      let alarm = AlarmID(rawValue: try word())
      return .acknowledgeForToday(alarm, until: try instant())
    }
  }
}

// MARK: Alarms

extension EventReader {
  mutating func alarm(of zone: ZoneID, on device: DeviceID) throws(EventBytesError) -> ZoneAlarm {
    var alarm = ZoneAlarm()
    alarm.memory.quietUntil = try maybeInstant()
    alarm.memory.noticeShownAt = try maybeInstant()
    alarm.memory.perhapsSince = try maybeInstant()
    alarm.memory.unlikelySince = try maybeInstant()
    switch try named(.phase, PhaseByte.init(rawValue:)) {
    case .idle: alarm.phase = .idle
    case .confirming:
      let entered = try instant()
      let deadline = try maybeInstant()
      alarm.phase = .confirming(.init(entered: entered, deadline: deadline, best: try evidence()))
    case .dwelling:
      let since = try instant()
      alarm.phase = .dwelling(since: since, last: try evidence())
    case .present: alarm.phase = .present(try departure())
    case .ringing: alarm.phase = .ringing(try ringing(of: zone, on: device))
    }
    return alarm
  }

  private mutating func ringing(
    of zone: ZoneID, on device: DeviceID
  ) throws(EventBytesError) -> ZoneAlarm.Ringing {
    let cause = try named(.cause, Cause.init(rawValue:))
    let began = try instant()
    let clearLevel = try length()
    let sound = try sound()
    let departure = try departure()
    let closed = try flag()
    let distance = try length()
    return ZoneAlarm.Ringing(
      alarm: AlarmID(device: device, zone: zone, began: began), cause: cause, began: began,
      clearLevel: clearLevel, sound: sound, departure: departure, closed: closed, distance: distance,
      position: try coordinate())
  }

  private mutating func sound() throws(EventBytesError) -> ZoneAlarm.Sound {
    switch try named(.sound, SoundByte.init(rawValue:)) {
    case .repeating:
      let next = try instant()
      return .repeating(next: next, horizon: try instant())
    case .quiet: return .quiet(until: try maybeInstant())
    }
  }

  private mutating func departure() throws(EventBytesError) -> ZoneAlarm.Departure? {
    guard try flag() else { return nil }
    let crossedAt = try instant()
    return ZoneAlarm.Departure(crossedAt: crossedAt, clearSince: try maybeInstant())
  }

  private mutating func evidence() throws(EventBytesError) -> Evidence {
    let decidedAt = try instant()
    let measuredAt = try instant()
    let position = try coordinate()
    let distance = try length()
    let error = try length()
    let accuracy = try length()
    let level = try length()
    let reach = try length()
    var likelihood: Evidence.Likelihood?
    if try flag() {
      let inside = try double(.probability, in: 0...1)
      likelihood = .init(inside: inside, deviation: try length())
    }
    var vertical: Evidence.Vertical?
    if try flag() { vertical = try self.vertical() }
    let way = try flag() ? try way() : nil
    return Evidence(
      decidedAt: decidedAt, measuredAt: measuredAt, position: position, distance: distance, error: error,
      accuracy: accuracy, level: level, reach: reach, likelihood: likelihood, way: way, vertical: vertical,
      isMoving: try flag())
  }

  private mutating func vertical() throws(EventBytesError) -> Evidence.Vertical {
    let height = try length()
    let error = try length()
    let start = offset
    let flags = try byte()
    guard flags <= 3 else { throw EventBytesError(.unknown(.presence, given: flags), at: start) }
    let floor = flags & 1 != 0 ? try length() : nil
    let ceiling = flags & 2 != 0 ? try length() : nil
    guard let band = AltitudeBand(floor: floor, ceiling: ceiling) else {
      throw EventBytesError(.unknown(.presence, given: flags), at: start)
    }
    return Evidence.Vertical(height: height, error: error, band: band)
  }

  private mutating func way() throws(EventBytesError) -> Evidence.Way {
    let from = try instant()
    let fromDistance = try length()
    let fromError = try length()
    let enteredAt = try maybeInstant()
    let leftAt = try maybeInstant()
    let closest = try length()
    let closestBeside = try length()
    let closestAt = try instant()
    return Evidence.Way(
      from: from, fromDistance: fromDistance, fromError: fromError, enteredAt: enteredAt, leftAt: leftAt,
      closest: closest, closestBeside: closestBeside, closestAt: closestAt,
      closestPosition: try coordinate())
  }
}
