import Geometry

/// Decides what to ask the phone next: a value, told events, answering with commands.
///
/// It never decides whether an alarm rings: fixes go to the ``Timeline``, and a policy sees them afterwards with
/// the zones as they then stand. Equal policies told equal events answer equally, on every machine.
public protocol WatchDecisions: Sendable {
  /// - Parameter zones: the zones as they stand after the event was taken into account, at `now`.
  mutating func handle(_ event: WatchEvent, at now: Instant, zones: Surroundings) -> [WatchCommand]
  /// Why the last commands were given.
  var reason: WatchReason { get }
  /// What holds for one watched zone.
  func guarantee(ofWatched zone: ZoneSlot, _ zones: Surroundings) -> Guarantee
}

extension WatchDecisions {
  /// What holds for every zone at the surroundings' time: watched zones in the order of urgency, then those
  /// without an area.
  public func guarantees(zones: Surroundings) -> [(zone: ZoneID, guarantee: Guarantee)] {
    zones.slots.map { zone in
      (
        zones.id(of: zone),
        zones.silence(of: zone).map { .notWatched($0) } ?? guarantee(ofWatched: zone, zones)
      )
    } + zones.withoutArea.map { ($0.zone, .notWatched(.noArea($0.error))) }
  }
}

/// Why a policy asked for what it asked.
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
  /// The distance that counts for this decision, where there is one: what is certain to lie before the nearest line, or a
  /// fence's radius.
  public var margin: Distance?
  /// When the next fix is due at the latest, where there is a deadline.
  public var due: Instant?
  public init(_ rule: Rule, margin: Distance? = nil, due: Instant? = nil) {
    self.rule = rule
    self.margin = margin
    self.due = due
  }
}
