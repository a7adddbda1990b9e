import AlarmEngine

/// A policy of others, rebuilt to be measured. It promises nothing.
///
/// It also decides when to ring, as its authors wrote it: by distances without their errors, and if it trusts the
/// platform's word, by no distance at all. ``PlainWatch`` runs it.
public protocol Baseline: WatchDecisions {
  /// What the last event handled gives cause to ring for.
  var causes: [RingCause] { get }
}

/// Why a policy of others rings, or may ring again.
public enum RingCause: Hashable, Sendable {
  /// Every zone whose alert line holds the position, whatever its error.
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
