import Geometry

/// Decides what to request from the phone next: a value that receives events and returns commands.
///
/// It never decides whether an alarm rings: fixes go to the ``Timeline`` first, and the policy sees them with
/// the resulting zones. Equal policies give equal commands for equal events, on every machine.
public protocol WatchDecisions: Sendable {
  /// - Parameter zones: the zones after the event was processed, at `now`.
  mutating func handle(_ event: WatchEvent, at now: Instant, zones: Surroundings) -> [WatchCommand]
  /// The reason for the last commands.
  var reason: WatchReason { get }
  /// Returns what the policy promises for one watched zone.
  func guarantee(ofWatched zone: ZoneSlot, _ zones: Surroundings) -> Guarantee
}

extension WatchDecisions {
  /// Returns the promises for all zones at the surroundings' time: zones with an area in the order of
  /// urgency, then those without.
  public func guarantees(zones: Surroundings) -> [(zone: ZoneID, guarantee: Guarantee)] {
    zones.slots.map { zone in
      (
        zones.id(of: zone),
        zones.silence(of: zone).map { .notWatched($0) } ?? guarantee(ofWatched: zone, zones)
      )
    } + zones.withoutArea.map { ($0.zone, .notWatched(.noArea($0.error))) }
  }
}

/// The reason for the last commands of a policy.
public struct WatchReason: Hashable, Sendable {
  public enum Rule: UInt8, Hashable, Sendable, CaseIterable {
    case notStarted, nothingToWatch, mayNotWatch
    case waitsForFirstFix, asksWhenBudgetIsSpent, sleepsUntilBudgetIsSpent, followsContinuously, confirms
    case parkedInsideFence, insideMovementFence, waitsForFence, keepsSessionInRing, retriesWithoutFix
    case checksSuspect, asksTheNetworkOnly, significantChangesOnly
    case standardTier, significantTier, regionTier
    case pollsFence, waitsBeforePolling, fenceTier, fenceLost
    case nearestZonesFenced, fallsBackToTracking
  }
  public var rule: Rule
  /// The distance that counts for this decision, if there is one: the certain distance to the nearest line,
  /// or a fence's radius.
  public var margin: Distance?
  /// The latest time of the next fix, if there is a deadline.
  public var due: Instant?
  public init(_ rule: Rule, margin: Distance? = nil, due: Instant? = nil) {
    self.rule = rule
    self.margin = margin
    self.due = due
  }
}
