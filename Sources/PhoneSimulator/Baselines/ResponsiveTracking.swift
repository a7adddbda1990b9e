import AlarmEngine
import Geometry

/// C11: a coarse fix every two and a half minutes while the phone moves, a bubble of 100 m while it is
/// stopped; Radar's "responsive" preset. The test for zone entry, which Radar's server makes, is made on the
/// phone.
public struct ResponsiveTracking: Baseline {
  public struct Parameters: Hashable, Sendable {
    /// Time between fixes while moving.
    public var interval = TimeSpan.seconds(150)
    /// The phone counts as stopped after this long within `stopDistance`.
    public var stopDuration = TimeSpan.seconds(140)
    public var stopDistance = Distance.metres(70)
    public var bubble = Distance.metres(100)
    /// Coarser fixes are rejected.
    public var coarsest = Distance.metres(1000)
    public var timeout = TimeSpan.seconds(20)
    public init() {}
  }

  public let parameters: Parameters
  public private(set) var reason = WatchReason(.notStarted)
  public private(set) var causes: [RingCause] = []
  private var capabilities = Capabilities.suspended
  private var isMoving = true
  private var anchor: (position: Coordinate, since: Instant)?

  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  public mutating func handle(
    _ event: WatchEvent, at now: Instant, zones: Surroundings
  ) -> [WatchCommand] {
    causes = []
    switch event {
    case .started(_, let capabilities, _):
      self = Self(parameters: parameters)
      self.capabilities = capabilities
      return [.significantChanges(true), .visits(true)] + move(at: now)
    case .stopped:
      return [.fences([]), .significantChanges(false), .visits(false), .timer(nil), .endSession]
    case .fenceExited(.movement), .fenceState(.movement, inside: false), .visitDeparted:
      return isMoving ? [] : move(at: now)
    case .fenceEntered, .fenceExited, .visitArrived: return [ask]
    case .timer: return isMoving ? [ask, .timer(now + parameters.interval)] : []
    case .fix(let fix): return take(fix, at: now, zones)
    case .significantChange(let fix):
      let commands = take(fix, at: now, zones)
      return isMoving ? commands : commands + move(at: now)
    default: return []
    }
  }

  private var ask: WatchCommand { .requestFix(.hundredMetres, within: parameters.timeout) }

  /// A session of three kilometres keeps the application running between the fixes.
  private mutating func move(at now: Instant) -> [WatchCommand] {
    isMoving = true
    anchor = nil
    reason = WatchReason(.keepsSessionInRing, due: now + parameters.interval)
    return [
      .session(Session(accuracy: .threeKilometres, distanceFilter: .metres(3000))), ask,
      .timer(now + parameters.interval),
    ]
  }

  private mutating func take(_ fix: Fix, at now: Instant, _ zones: Surroundings) -> [WatchCommand] {
    guard case .radius(let accuracy) = fix.accuracy, accuracy < parameters.coarsest else { return [] }
    causes = [.position(fix)]
    if anchor.map({ $0.position.distance(to: fix.position) > parameters.stopDistance }) ?? true {
      anchor = (fix.position, fix.measuredAt)
    }
    let hasStopped = anchor.map { fix.measuredAt - $0.since >= parameters.stopDuration } ?? false
    guard isMoving, hasStopped else { return [.fences(fences(round: fix, bubble: !isMoving, zones))] }
    isMoving = false
    reason = WatchReason(.insideMovementFence, margin: parameters.bubble)
    return [.fences(fences(round: fix, bubble: true, zones)), .timer(nil), .endSession]
  }

  private func fences(round fix: Fix, bubble: Bool, _ zones: Surroundings) -> [Fence] {
    var fences = zones.nearest(max(0, min(20, capabilities.fences) - 1), to: fix.position).map { zone in
      let circle = zones.enclosingCircle(of: zone.zone)
      return Fence(
        id: FenceID(zone: zone.id), center: circle.center,
        radius: min(circle.radius, capabilities.largestFence))
    }
    if bubble {
      fences.append(
        Fence(id: .movement, center: fix.position, radius: parameters.bubble, onEntry: false))
    }
    return fences
  }
}
