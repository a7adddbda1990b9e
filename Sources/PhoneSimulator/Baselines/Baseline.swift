import AlarmEngine

/// A location policy by other authors, rebuilt for comparison. It gives no guarantee.
///
/// It also decides when to ring, as its authors wrote it: by distances without their errors or, if it trusts
/// the platform's region events, by no distance at all. ``PlainWatch`` runs it.
public protocol Baseline: WatchDecisions {
  /// The reasons to ring that the last event gave.
  var causes: [RingCause] { get }
}

/// The reason for which such a policy rings, or may ring again.
public enum RingCause: Hashable, Sendable {
  /// A position: rings every zone whose alert line contains it, whatever its error.
  case position(Fix)
  /// A zone that may hold the position: its distance is no more than the stated accuracy.
  case near(zone: ZoneSlot, Fix)
  /// The platform said that the zone was entered.
  case word(zone: ZoneSlot)
  /// The platform said that the zone was left.
  case left(zone: ZoneSlot)
}

extension Baseline {
  public func guarantee(ofWatched zone: ZoneSlot, _ zones: Surroundings) -> Guarantee {
    .bestEffort(.policyHasNoBound)
  }
}
