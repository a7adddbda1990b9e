import Geometry

/// How late the alarm of a zone can be, said before it is armed: in the open, where positions follow one another, as in a
/// page that is in view or in a phone's session near the zone.
///
/// Positions come within ``CertifiedParameters/sessionFix`` of one another and are handled within
/// ``CertifiedParameters/handling``. A relaxed zone waits for a second position. Positions whose error is as large as the
/// zone make it later.
public struct Foresight: Hashable, Sendable {
  /// The most between the alert line's crossing and the alarm.
  public let late: TimeSpan
  private let alertDistance: Distance
  private let leadTime: TimeSpan

  /// nil for zones that ring after a stay, or where they are left.
  public init?(_ zone: Zone, _ parameters: CertifiedParameters = CertifiedParameters()) {
    guard case .enter = zone.trigger else { return nil }
    let fixes = zone.assurance == .relaxed ? 2.0 : 1
    late = parameters.sessionFix * fixes + parameters.handling
    alertDistance = zone.alertDistance
    leadTime = zone.leadTime ?? .zero
  }

  /// How far beyond the zone's edge the alarm can come, at most, to somebody who moves straight at it; below zero, how far
  /// before the edge it comes at the latest.
  public func beyondEdge(at speed: Speed) -> Distance {
    speed * late - max(alertDistance, speed * leadTime)
  }

  /// The alert distance with which the alarm comes before the edge at a speed.
  public func alertDistance(for speed: Speed) -> Distance { speed * late }
}
