import AlarmEngine
import Geometry

/// C8: watches the nearest zones as system regions and a fence around the phone itself, which moves along
/// with it; the "infinite geofencing" of transistorsoft's library. It rings on the platform's region events.
public struct InfiniteGeofencing: Baseline {
  public struct Parameters: Hashable, Sendable {
    /// Only zones this near are watched. 1000 m is the default and the least that is allowed.
    public var proximityRadius = Distance.metres(1000)
    /// Radius of the stationary fence; 25 m can be asked for, 200 m works.
    public var stationaryRadius = Distance.metres(200)
    /// The phone counts as standing within this distance; the smallest stationary radius that can be asked
    /// for.
    public var standing = Distance.metres(25)
    /// The phone counts as standing after this long without movement.
    public var stopTimeout = TimeSpan.minutes(5)
    /// Time between two searches for the nearest zones while the phone moves.
    public var lookInterval = TimeSpan.seconds(60)
    /// Distance between two updates, for each 5 m/s of speed.
    public var distanceFilter = Distance.metres(10)
    public init() {}
  }

  public let parameters: Parameters
  public private(set) var reason = WatchReason(.notStarted)
  public private(set) var causes: [RingCause] = []
  private var capabilities = Capabilities.suspended
  private var isMoving = false
  private var last: Fix?
  /// The position at which the phone last moved away from its former place, and the time.
  private var anchor: (position: Coordinate, since: Instant)?
  private var lookedAt: Instant?
  private var session: Session?

  /// Significant changes are used only with more zones than this.
  private static let fewZones = 18
  private static let timeout = TimeSpan.seconds(30)

  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  public mutating func handle(
    _ event: WatchEvent, at now: Instant, zones: Surroundings
  ) -> [WatchCommand] {
    causes = []
    switch event {
    case .started(_, let capabilities, _):
      self = Self(parameters: parameters)
      self.capabilities = capabilities
      reason = WatchReason(.waitsForFirstFix)
      return [
        .significantChanges(zones.count > Self.fewZones), .holdBackground,
        .requestFix(.best, within: Self.timeout),
      ]
    case .stopped: return [.fences([]), .significantChanges(false), .timer(nil), .endSession]
    case .fenceExited(.movement), .fenceState(.movement, inside: false): return isMoving ? [] : move(at: now)
    case .fenceEntered(let id):
      if let zone = zone(id, zones) { causes = [.word(zone: zone)] }
      return []
    case .fenceExited(let id):
      if let zone = zone(id, zones) { causes = [.left(zone: zone)] }
      return []
    case .significantChange(let fix):
      last = fix
      return [.fences(lay(round: fix, zones))]
    case .fix(let fix): return take(fix, at: now, zones)
    case .fixFailed: return [.releaseBackground]
    case .timer: return isMoving ? look(at: now, zones) : []
    default: return []
    }
  }

  private mutating func move(at now: Instant) -> [WatchCommand] {
    isMoving = true
    anchor = nil
    lookedAt = nil
    reason = WatchReason(.followsContinuously)
    let wish = Session(accuracy: .best)
    session = wish
    return [.session(wish), .timer(now + parameters.lookInterval)]
  }

  private mutating func take(_ fix: Fix, at now: Instant, _ zones: Surroundings) -> [WatchCommand] {
    last = fix
    guard isMoving else { return stand(at: fix, zones) + [.releaseBackground] }
    if anchor.map({ $0.position.distance(to: fix.position) > parameters.standing }) ?? true {
      anchor = (fix.position, now)
    }
    var commands = adapt(to: fix)
    if lookedAt.map({ now - $0 >= parameters.lookInterval }) ?? true { commands += look(at: now, zones) }
    return commands
  }

  /// Raises the distance filter with the speed.
  private mutating func adapt(to fix: Fix) -> [WatchCommand] {
    let pace = ((fix.speed?.metresPerSecond ?? 0) / 5).rounded()
    let wish = Session(
      accuracy: .best, distanceFilter: pace > 0 ? parameters.distanceFilter * pace : nil)
    guard wish != session else { return [] }
    session = wish
    return [.session(wish)]
  }

  private mutating func look(at now: Instant, _ zones: Surroundings) -> [WatchCommand] {
    guard let last else { return [.timer(now + parameters.lookInterval)] }
    if let anchor, now - anchor.since >= parameters.stopTimeout { return stand(at: last, zones) }
    lookedAt = now
    return [.fences(lay(round: last, zones)), .timer(now + parameters.lookInterval)]
  }

  private mutating func stand(at fix: Fix, _ zones: Surroundings) -> [WatchCommand] {
    isMoving = false
    session = nil
    reason = WatchReason(.insideMovementFence)
    return [.fences(lay(round: fix, zones)), .timer(nil), .endSession]
  }

  /// The nearest zones, and the fence around the phone: around its resting place, or its last position while
  /// it moves.
  private func lay(round fix: Fix, _ zones: Surroundings) -> [Fence] {
    let near = zones.nearest(max(0, min(20, capabilities.fences) - 1), to: fix.position)
      .filter { $0.toAlert <= parameters.proximityRadius }
    var fences = near.map { zone in
      let circle = zones.enclosingCircle(of: zone.zone)
      return Fence(
        id: FenceID(zone: zone.id), center: circle.center,
        radius: min(circle.radius, capabilities.largestFence))
    }
    var accuracy = Distance.zero
    if case .radius(let radius) = fix.accuracy { accuracy = radius }
    fences.append(
      Fence(
        id: .movement, center: fix.position, radius: max(parameters.stationaryRadius, accuracy),
        onEntry: false))
    return fences
  }

  /// Finds the zone of a fence from the id alone: after a relaunch only the phone still knows the fences.
  private func zone(_ id: FenceID, _ zones: Surroundings) -> ZoneSlot? {
    zones.slots.first { FenceID(zone: zones.id(of: $0)) == id }
  }
}
