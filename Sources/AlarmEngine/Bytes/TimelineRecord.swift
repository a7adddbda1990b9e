import Geometry

/// The contents of a snapshot of a timeline: zones by their ids and revisions.
struct TimelineRecord {
  var device: DeviceID
  var base: StateRecord
  var now: Instant?
  var keptFrom: Instant?
  var inputs: [InputRecord]

  struct StateRecord {
    var zones: UInt64
    var armed: Bool
    var tracking: Tracking
    var clock: Instant?
    var scheduleChange: Instant?
    var signalWatch: SignalRecord?
    /// Ascending by zone.
    var alarms: [(zone: ZoneID, alarm: ZoneAlarm)]
    /// The last jump of the clock. After one, the ids of alarms that rang before cannot be derived from
    /// `began`.
    var jump: ClockJump?
  }

  struct SignalRecord {
    var deadline: Instant
    /// Zones with their distances, which only earlier versions read.
    var zones: [(zone: ZoneID, distance: Distance)]
  }

  enum InputRecord {
    case input(Input)
    case replaceZones(revision: UInt64, at: Instant)
  }
}

extension TimelineRecord.StateRecord {
  init(_ state: DeviceAlarms) {
    zones = state.zones.revision
    armed = state.armed
    tracking = state.tracking
    clock = state.clock
    scheduleChange = state.scheduleChange
    func id(_ slot: ZoneSlot) -> ZoneID { state.zones[slot].id }
    if let watch = state.signalWatch, let place = state.tracking.anchor?.position {
      signalWatch = .init(
        deadline: watch.deadline,
        zones: watch.zones.map { (id($0), state.zones.distance(from: place, to: $0)) })
    }
    jump = state.jump
    alarms = zip(state.alarms.slots, state.alarms.values).map { (id($0), $1) }.sorted { $0.zone < $1.zone }
  }

  /// - Throws: `.zoneUnknown`.
  func state(
    device: DeviceID, settings: Settings, zones: WatchedZones
  ) throws(SnapshotError) -> DeviceAlarms {
    func slot(_ zone: ZoneID) throws(SnapshotError) -> ZoneSlot {
      guard let slot = zones.slot(of: zone) else { throw .zoneUnknown(zone, revision: self.zones) }
      return slot
    }
    var state = DeviceAlarms(device: device, settings: settings, zones: zones, armed: armed)
    state.tracking = tracking
    state.clock = clock
    state.scheduleChange = scheduleChange
    state.jump = jump
    for (zone, alarm) in alarms { state.alarms[try slot(zone)] = Self.bounded(alarm, settings) }
    if let signalWatch, tracking.anchor != nil {
      var near: [ZoneSlot] = []
      for (zone, _) in signalWatch.zones { near.append(try slot(zone)) }
      state.signalWatch = SignalWatch(deadline: signalWatch.deadline, zones: near)
    }
    return state
  }

  /// The longest time that a restored alarm repeats, whatever its bytes say; a longer `repeatHorizon` takes
  /// precedence.
  private static let longestRepeat = TimeSpan.hours(31 * 24)

  private static func bounded(_ alarm: ZoneAlarm, _ settings: Settings) -> ZoneAlarm {
    guard case .ringing(var ringing) = alarm.phase, case .repeating(let next, let horizon) = ringing.sound
    else { return alarm }
    let latest = next + max(settings.repeatHorizon, longestRepeat)
    ringing.sound = .repeating(next: next, horizon: min(horizon, latest))
    var alarm = alarm
    alarm.phase = .ringing(ringing)
    return alarm
  }
}
