import Geometry

/// Writes the parts of snapshots that are not in `EventBytes`.
extension FieldWriter {
  mutating func timeline(_ record: TimelineRecord) {
    byte(Timeline.snapshotVersion)
    word(record.device.rawValue)
    state(record.base)
    time(record.now)
    time(record.keptFrom)
    count(record.inputs.count)
    for input in record.inputs { self.input(input) }
    flag(record.base.jump != nil)
    if let jump = record.base.jump { self.jump(jump, record.base.alarms) }
    word(StableHash.value(of: bytes))
  }

  private mutating func state(_ state: TimelineRecord.StateRecord) {
    word(state.zones)
    flag(state.armed)
    tracking(state.tracking)
    count(state.tracking.course.points.count)
    for point in state.tracking.course.points {
      movementPlace(point.place)
      time(point.at)
    }
    time(state.clock)
    time(state.scheduleChange)
    flag(state.signalWatch != nil)
    if let watch = state.signalWatch {
      time(watch.deadline)
      count(watch.zones.count)
      for (zone, distance) in watch.zones {
        word(zone.rawValue)
        self.distance(distance)
      }
    }
    count(state.alarms.count)
    for (zone, alarm) in state.alarms {
      word(zone.rawValue)
      self.alarm(alarm)
    }
  }

  mutating func tracking(_ tracking: Tracking) {
    maybe(tracking.anchor)
    maybe(tracking.previous)
    maybe(tracking.suspect)
    double(tracking.allowedSpeed)
    let sensors = tracking.sensors
    maybe(sensors.fine(last: tracking.anchor))
    maybe(sensors.coarse(last: tracking.anchor))
    for error in [sensors.wifi, sensors.cells] {
      double(error.weight)
      double(error.meanSquare)
    }
    flag(tracking.movement.place != nil)
    if let place = tracking.movement.place { movementPlace(place) }
    time(tracking.movement.seenAt)
  }

  private mutating func movementPlace(_ value: Movement.Place) {
    place(value.position)
    distance(value.radius)
  }

  /// The jump, and the ids of the alarms that ring, in the order of their zones.
  private mutating func jump(_ jump: ClockJump, _ alarms: [(zone: ZoneID, alarm: ZoneAlarm)]) {
    time(jump.at)
    word(UInt64(bitPattern: jump.by.milliseconds))
    for case .ringing(let ringing) in alarms.lazy.map({ $0.alarm.phase }) { word(ringing.alarm.rawValue) }
  }

  /// Writes a time, clamped to what clocks can show. A deadline may lie beyond that, where it never comes.
  mutating func time(_ value: Instant) { instant(value.clampedToAllowed) }

  mutating func time(_ value: Instant?) {
    flag(value != nil)
    if let value { time(value) }
  }

  private mutating func maybe(_ value: Fix?) {
    flag(value != nil)
    if let value { fix(value) }
  }

  mutating func input(_ record: TimelineRecord.InputRecord) {
    switch record {
    case .input(.fix(let fix)):
      byte(InputByte.fix.rawValue)
      self.fix(fix)
    case .input(.command(let command, let at)):
      byte(InputByte.command.rawValue)
      time(at)
      self.command(command)
    case .replaceZones(let revision, let at):
      byte(InputByte.replaceZones.rawValue)
      time(at)
      word(revision)
    }
  }

  private mutating func command(_ command: Command) {
    func name(_ number: CommandByte, _ alarm: AlarmID) {
      byte(number.rawValue)
      word(alarm.rawValue)
    }
    switch command {
    case .activate: byte(CommandByte.activate.rawValue)
    case .deactivate: byte(CommandByte.deactivate.rawValue)
    case .close(let alarm): name(.close, alarm)
    case .sleep(let alarm): name(.sleep, alarm)
    case .sleepUntil(let alarm, let until):
      name(.sleepUntil, alarm)
      time(until)
    case .acknowledgeInside(let alarm): name(.acknowledgeInside, alarm)
    case .acknowledgeForToday(let alarm, let until):
      name(.acknowledgeForToday, alarm)
      time(until)
    case .replaceZones: preconditionFailure("sets of zones are written by their revision")
    }
  }
}

// MARK: Alarms

extension FieldWriter {
  mutating func alarm(_ alarm: ZoneAlarm) {
    time(alarm.memory.quietUntil)
    time(alarm.memory.noticeShownAt)
    time(alarm.memory.perhapsSince)
    time(alarm.memory.unlikelySince)
    switch alarm.phase {
    case .idle: byte(PhaseByte.idle.rawValue)
    case .confirming(let confirmation):
      byte(PhaseByte.confirming.rawValue)
      time(confirmation.entered)
      time(confirmation.deadline)
      evidence(confirmation.best)
    case .dwelling(let since, let last):
      byte(PhaseByte.dwelling.rawValue)
      time(since)
      evidence(last)
    case .present(let departure):
      byte(PhaseByte.present.rawValue)
      self.departure(departure)
    case .ringing(let ringing):
      byte(PhaseByte.ringing.rawValue)
      self.ringing(ringing)
    }
  }

  /// Omits the alarm's id: it is derived from `began` or, after a jump of the clock, written at the end of
  /// the snapshot.
  private mutating func ringing(_ ringing: ZoneAlarm.Ringing) {
    byte(ringing.cause.rawValue)
    time(ringing.began)
    distance(ringing.clearLevel)
    switch ringing.sound {
    case .repeating(let next, let horizon):
      byte(SoundByte.repeating.rawValue)
      time(next)
      time(horizon)
    case .quiet(let until):
      byte(SoundByte.quiet.rawValue)
      time(until)
    }
    departure(ringing.departure)
    flag(ringing.closed)
    distance(ringing.distance)
    place(ringing.position)
  }

  private mutating func departure(_ departure: ZoneAlarm.Departure?) {
    flag(departure != nil)
    guard let departure else { return }
    time(departure.crossedAt)
    time(departure.clearSince)
  }

  private mutating func evidence(_ evidence: Evidence) {
    time(evidence.decidedAt)
    time(evidence.measuredAt)
    place(evidence.position)
    distance(evidence.distance)
    distance(evidence.error)
    distance(evidence.accuracy)
    distance(evidence.level)
    distance(evidence.reach)
    flag(evidence.likelihood != nil)
    if let likelihood = evidence.likelihood {
      double(likelihood.inside)
      distance(likelihood.deviation)
    }
    flag(evidence.vertical != nil)
    if let vertical = evidence.vertical { self.vertical(vertical) }
    flag(evidence.way != nil)
    if let way = evidence.way { self.way(way) }
    flag(evidence.isMoving)
  }

  private mutating func way(_ way: Evidence.Way) {
    time(way.from)
    distance(way.fromDistance)
    distance(way.fromError)
    time(way.enteredAt)
    time(way.leftAt)
    distance(way.closest)
    distance(way.closestBeside)
    time(way.closestAt)
    place(way.closestPosition)
  }
}

extension FieldWriter {
  private mutating func vertical(_ vertical: Evidence.Vertical) {
    distance(vertical.height)
    distance(vertical.error)
    byte((vertical.band.floor == nil ? 0 : 1) | (vertical.band.ceiling == nil ? 0 : 2))
    if let floor = vertical.band.floor { distance(floor) }
    if let ceiling = vertical.band.ceiling { distance(ceiling) }
  }
}

// The numbers of snapshots: never changed, only added to.

enum PhaseByte: UInt8 {
  case idle = 0
  case confirming, dwelling, present, ringing
}
enum SoundByte: UInt8 {
  case repeating = 0
  case quiet
}
enum InputByte: UInt8 {
  case fix = 0
  case command, replaceZones
}
enum CommandByte: UInt8 {
  case activate = 0
  case deactivate, close, sleep, acknowledgeInside, acknowledgeForToday, sleepUntil
}

extension StableHash {
  static func value(of bytes: [UInt8]) -> UInt64 {
    var hash = Self()
    hash.combine(bytes)
    return hash.value
  }
}
