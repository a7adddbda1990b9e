import AlarmEngine

/// C7: a system region for each of the twenty nearest zones, and one fix when one is entered; the pattern of Home
/// Assistant's companion.
public struct PlatformRegions: Baseline {
  public private(set) var reason = WatchReason(.notStarted)
  private var capabilities = Capabilities.suspended
  private var entered: [FenceID: Instant] = [:]

  /// Regions smaller than this are not watched reliably, metres.
  private static let smallest = 100.0
  /// A second entry of one region within this time is ignored.
  private static let repeatGap = TimeSpan.seconds(30)
  private static let timeout = TimeSpan.seconds(10)

  public init() {}

  public mutating func handle(
    _ event: WatchEvent, at now: Instant, zones: Surroundings
  ) -> [WatchCommand] {
    switch event {
    case .started(_, let capabilities, _):
      self.capabilities = capabilities
      reason = WatchReason(.waitsForFirstFix)
      return [.significantChanges(true), .requestFix(.hundredMetres, within: Self.timeout)]
    case .fenceEntered(let id):
      if let last = entered[id], now - last < Self.repeatGap { return [] }
      entered[id] = now
      reason = WatchReason(.confirms)
      return [.holdBackground, .requestFix(.best, within: Self.timeout)]
    case .fenceExited:
      return [.requestFix(.hundredMetres, within: Self.timeout)]
    case .fix(let fix), .significantChange(let fix):
      reason = WatchReason(.regionTier)
      return [.fences(fences(round: fix, zones)), .releaseBackground]
    case .fixFailed:
      return [.releaseBackground]
    case .stopped:
      return [.fences([]), .significantChanges(false)]
    default:
      return []
    }
  }

  private func fences(round fix: Fix, _ zones: Surroundings) -> [Fence] {
    zones.nearest(min(20, capabilities.fences), to: fix.position).map { zone in
      let circle = zones.enclosingCircle(of: zone.zone)
      return Fence(
        id: FenceID(zone: zone.id), center: circle.center,
        radius: min(max(circle.radius, Self.smallest), capabilities.largestFence))
    }
  }
}
