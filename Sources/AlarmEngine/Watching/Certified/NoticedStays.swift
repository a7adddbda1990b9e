/// How much earlier than noticed each running stay may have begun: a stay inside, or a time outside.
///
/// A stay is noticed by a position, and counts from where the straight line between that position and the one
/// before crossed the edge. It may have begun as early as that earlier position. A promise of its end holds that
/// time.
struct NoticedStays: Hashable, Sendable {
  private var stays: [Stay] = []

  private struct Stay: Hashable, Sendable {
    let zone: ZoneID
    var since: Instant
    let unnoticed: TimeSpan
  }

  /// - Parameter earliest: the time before which no stay that is new in these surroundings can have begun; nil if
  ///   that is not known.
  mutating func note(_ zones: Surroundings, notBefore earliest: Instant?) {
    guard !stays.isEmpty || zones.hasStays else { return }
    stays = zones.stays.map { stay in
      stays.first { $0.zone == stay.zone && $0.since == stay.since }
        ?? Stay(
          zone: stay.zone, since: stay.since,
          unnoticed: earliest.map { max(.zero, stay.since - $0) } ?? .zero)
    }
  }

  mutating func shift(by jump: ClockJump) {
    for place in stays.indices { stays[place].since = jump.shifted(stays[place].since) }
  }

  func unnoticed(at zone: ZoneID) -> TimeSpan { stays.first { $0.zone == zone }?.unnoticed ?? .zero }
}

extension Surroundings {
  fileprivate var hasStays: Bool { alarms.values.contains { $0.staysSince != nil } }
  /// The running stays at zones that ring after one.
  fileprivate var stays: [(zone: ZoneID, since: Instant)] {
    zip(alarms.slots, alarms.values).compactMap { zone, alarm in alarm.staysSince.map { (id(of: zone), $0) } }
  }
}

extension ZoneAlarm {
  fileprivate var staysSince: Instant? {
    guard case .dwelling(let since, _) = phase else { return nil }
    return since
  }
}
