import Geometry

/// Predicts how late a zone's alarm can be, before the zone is armed. Applies outdoors while positions arrive
/// continuously: on a visible page, or in a phone's session near the zone.
///
/// Positions are at most ``CertifiedParameters/sessionFix`` apart and are handled within
/// ``CertifiedParameters/handling``. A relaxed zone needs two positions. If the position error is as large as
/// the zone, the alarm can be later. A lead time counts if the phone has approached for a minute before.
public struct LatenessForecast: Hashable, Sendable {
  /// The longest time between the crossing of the alert line and the alarm.
  public let late: TimeSpan
  private let alertDistance: Distance
  private let leadTime: TimeSpan

  /// Returns nil for zones that ring only on leaving, or after a stay.
  public init?(_ zone: Zone, _ parameters: CertifiedParameters = CertifiedParameters()) {
    guard zone.trigger.ringsOnEntry else { return nil }
    let fixes = zone.assurance == .relaxed ? 2.0 : 1
    late = parameters.sessionFix * fixes + parameters.handling
    alertDistance = zone.alertDistance
    leadTime = zone.trigger.ringsOnLeaving ? .zero : zone.leadTime ?? .zero
  }

  /// Returns how far beyond the zone's edge the alarm comes at most, for a straight approach. Negative: the
  /// alarm comes at least this far before the edge.
  public func beyondEdge(at speed: Speed) -> Distance {
    speed * late - max(alertDistance, speed * leadTime)
  }

  /// Returns the alert distance that makes the alarm come before the edge at a speed.
  public func alertDistance(for speed: Speed) -> Distance { speed * late }
}
