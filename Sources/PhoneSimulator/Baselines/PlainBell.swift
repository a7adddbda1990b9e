import AlarmEngine

/// The ring rule of the rebuilt policies: a zone rings when there is a cause and it is not ringing already.
///
/// Its user answers an alarm as fast as the engine's user does. The zone then stays quiet until its sleep
/// time is over and, after that, a position lies outside it or the platform reports an exit. No hysteresis.
/// The bell belongs to the trial and outlives the application's processes.
///
/// Touched on its phone's event loop only; that is all `@unchecked Sendable` promises.
public final class PlainBell: @unchecked Sendable {
  private unowned let phone: Phone
  private let record: TrialRecord
  /// Supplies the zones; no fix is ever fed to it.
  private let timeline: Timeline
  /// Zones that rang and have not been left since, each with the earliest time of another ring.
  private var quiet: [ZoneSlot: Instant] = [:]

  public init(_ phone: Phone, _ record: TrialRecord) {
    self.phone = phone
    self.record = record
    timeline = record.timeline
  }

  /// A record without zones, for the application that runs the policy, so that nothing rings by the engine's
  /// rule.
  public var silentRecord: TrialRecord {
    TrialRecord(timeline: Timeline(device: timeline.device, settings: .phone, zones: []))
  }

  func surroundings(at now: Instant) -> Surroundings { timeline.surroundings(at: now) }

  func take(_ cause: RingCause, _ zones: Surroundings) {
    switch cause {
    case .position(let fix):
      leave(where: { zones.nearby($0, from: fix.position).toAlert > .zero })
      for zone in zones.within(.zero, of: fix.position) { raise(zone.zone) }
    case .near(let zone, let fix):
      guard case .radius(let accuracy) = fix.accuracy else { return }
      if zones.nearby(zone, from: fix.position).toAlert <= accuracy { raise(zone) }
    case .word(let zone): raise(zone)
    case .left(let zone): leave(where: { $0 == zone })
    }
  }

  private func leave(where isLeft: (ZoneSlot) -> Bool) {
    for (zone, until) in quiet where phone.now >= until && isLeft(zone) { quiet[zone] = nil }
  }

  private func raise(_ zone: ZoneSlot) {
    guard quiet[zone] == nil else { return }
    let place = timeline.zones[zone.index]
    let sleep = max(place.sleepTime ?? Settings.phone.defaultSleepTime, .zero)
    quiet[zone] = phone.now + TrialRecord.reaction + sleep
    record.ring(place.id, at: phone.now)
    phone.charge(.alert, phone.energyProfile.alertJoules)
    phone.record(.notified("alarm"))
  }
}
