/// The names of the policies.
public enum WatchPolicyName: UInt8, Hashable, Sendable, CaseIterable {
  case certified, tiered, fenceOnly, nearestRegions, continuous

  /// The name as people write it, equal to the case's.
  public var text: Text {
    switch self {
    case .certified: "certified"
    case .tiered: "tiered"
    case .fenceOnly: "fenceOnly"
    case .nearestRegions: "nearestRegions"
    case .continuous: "continuous"
    }
  }

  /// Returns nil for an unknown name.
  public init?(name: Text) {
    guard let found = Self.allCases.first(where: { $0.text == name }) else { return nil }
    self = found
  }
}

/// Any of the policies, as one value.
public enum Watch: WatchDecisions, Hashable {
  case certified(CertifiedWatch)
  case tiered(TieredWatch)
  case fenceOnly(FenceOnlyWatch)
  case nearestRegions(NearestRegionsWatch)
  case continuous(ContinuousWatch)

  /// Creates the policy with its default parameters.
  public init(_ name: WatchPolicyName) {
    switch name {
    case .certified: self = .certified(CertifiedWatch())
    case .tiered: self = .tiered(TieredWatch())
    case .fenceOnly: self = .fenceOnly(FenceOnlyWatch())
    case .nearestRegions: self = .nearestRegions(NearestRegionsWatch())
    case .continuous: self = .continuous(ContinuousWatch())
    }
  }

  /// Creates the policy with its default parameters; nil for an unknown name.
  public init?(name: Text) {
    guard let name = WatchPolicyName(name: name) else { return nil }
    self.init(name)
  }

  public var name: WatchPolicyName {
    switch self {
    case .certified: .certified
    case .tiered: .tiered
    case .fenceOnly: .fenceOnly
    case .nearestRegions: .nearestRegions
    case .continuous: .continuous
    }
  }

  public mutating func handle(
    _ event: WatchEvent, at now: Instant, zones: Surroundings
  ) -> [WatchCommand] {
    switch self {
    case .certified(var watch):
      defer { self = .certified(watch) }
      return watch.handle(event, at: now, zones: zones)
    case .tiered(var watch):
      defer { self = .tiered(watch) }
      return watch.handle(event, at: now, zones: zones)
    case .fenceOnly(var watch):
      defer { self = .fenceOnly(watch) }
      return watch.handle(event, at: now, zones: zones)
    case .nearestRegions(var watch):
      defer { self = .nearestRegions(watch) }
      return watch.handle(event, at: now, zones: zones)
    case .continuous(var watch):
      defer { self = .continuous(watch) }
      return watch.handle(event, at: now, zones: zones)
    }
  }

  public var reason: WatchReason {
    switch self {
    case .certified(let watch): watch.reason
    case .tiered(let watch): watch.reason
    case .fenceOnly(let watch): watch.reason
    case .nearestRegions(let watch): watch.reason
    case .continuous(let watch): watch.reason
    }
  }

  public func guarantee(ofWatched zone: ZoneSlot, _ zones: Surroundings) -> Guarantee {
    switch self {
    case .certified(let watch): watch.guarantee(ofWatched: zone, zones)
    case .tiered(let watch): watch.guarantee(ofWatched: zone, zones)
    case .fenceOnly(let watch): watch.guarantee(ofWatched: zone, zones)
    case .nearestRegions(let watch): watch.guarantee(ofWatched: zone, zones)
    case .continuous(let watch): watch.guarantee(ofWatched: zone, zones)
    }
  }
}
