import AlarmEngine

/// One of the engine's own policies with the ring rule of its model: it rings at every position in a zone,
/// whatever the position's error, and can run as on an older phone.
public struct OriginalRule: Baseline {
  public private(set) var causes: [RingCause] = []
  /// The iOS version that the policy was made for; nil is today's. It sets the background time that the
  /// policy expects.
  public let era: IOSVersion?
  private var policy: any WatchDecisions

  public init(_ policy: any WatchDecisions, era: IOSVersion? = nil) {
    self.policy = policy
    self.era = era
  }

  public var reason: WatchReason { policy.reason }

  public mutating func handle(
    _ event: WatchEvent, at now: Instant, zones: Surroundings
  ) -> [WatchCommand] {
    causes = []
    switch event {
    case .started(let start, let capabilities, let lastKnown):
      return policy.handle(
        .started(start, capabilities: timed(capabilities), lastKnown: lastKnown), at: now, zones: zones)
    case .capabilitiesChanged(let capabilities):
      return policy.handle(.capabilitiesChanged(timed(capabilities)), at: now, zones: zones)
    case .fix(let fix), .significantChange(let fix):
      causes = [.position(fix)]
      return policy.handle(event, at: now, zones: zones)
    default: return policy.handle(event, at: now, zones: zones)
    }
  }

  private func timed(_ capabilities: Capabilities) -> Capabilities {
    guard let era else { return capabilities }
    var capabilities = capabilities
    capabilities.backgroundTime = .seconds(era.backgroundBudget(.measured2019))
    return capabilities
  }
}
