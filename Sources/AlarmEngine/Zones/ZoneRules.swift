import Geometry

/// The rules of a zone's alarm, apart from geometry.
public struct ZoneRules: Hashable, Sendable {
  public var device: DeviceID
  public var zone: ZoneID
  public var trigger: Trigger
  public var assurance: Assurance
  public var alertDistance: Distance
  public var sleepTime: TimeSpan
  public var cycleTime: TimeSpan
  /// A ringing that nobody answers stops repeating after this long.
  public var repeatHorizon: TimeSpan
  /// True if an alarm of cause `possible` does not ring anew for a certain entry.
  public var isToldOnce = false
  /// The zone rings this long before the predicted entry; nil without a lead time, and for a zone that rings after a
  /// stay or on leaving.
  public var leadTime: TimeSpan?

  func sound(from now: Instant) -> ZoneAlarm.Sound {
    .repeating(next: now + cycleTime, horizon: now + repeatHorizon)
  }
}

/// The part of a zone's rules that is the same on every device.
struct SharedZoneRules: Sendable {
  let zone: ZoneID
  let trigger: Trigger
  let assurance: Assurance
  let alertDistance: Distance
  /// Nil takes the device's default.
  let sleepTime: TimeSpan?
  /// Nil for a zone without floor and ceiling.
  let band: AltitudeBand?
  let leadTime: TimeSpan?

  init(_ zone: Zone) {
    self.zone = zone.id
    trigger = zone.trigger
    assurance = zone.assurance
    alertDistance = max(.zero, zone.alertDistance)
    sleepTime = zone.sleepTime
    band = zone.band
    if case .enter = zone.trigger { leadTime = zone.leadTime } else { leadTime = nil }
  }

  func rules(on device: DeviceID, _ settings: Settings) -> ZoneRules {
    ZoneRules(
      device: device, zone: zone, trigger: trigger, assurance: assurance, alertDistance: alertDistance,
      sleepTime: max(.zero, sleepTime ?? settings.defaultSleepTime),
      cycleTime: settings.alarmCycleTime, repeatHorizon: settings.repeatHorizon, leadTime: leadTime)
  }
}
