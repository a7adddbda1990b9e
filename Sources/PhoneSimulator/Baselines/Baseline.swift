import AlarmEngine

/// A policy of others, rebuilt to be measured. It promises nothing.
///
/// Whether an alarm rings is decided by the engine as for every policy, so that only the watching differs.
public protocol Baseline: WatchDecisions {}

extension Baseline {
  public func guarantee(ofWatched zone: Int, _ zones: Surroundings) -> Guarantee {
    .bestEffort(.policyHasNoBound)
  }
}
