import AlarmEngine
import Geometry

/// C7: watches the nearest zones as system regions, and takes one fix when a region is entered; the pattern
/// of Home Assistant's companion app.
///
/// A zone smaller than the smallest reliable region is watched as three circles of that size whose
/// intersection is the zone.
public struct PlatformRegions: Baseline {
  /// True if the policy rings on the platform's entry event, without a fix.
  public let trusts: Bool
  public private(set) var reason = WatchReason(.notStarted)
  public private(set) var causes: [RingCause] = []
  private var capabilities = Capabilities.suspended
  /// The circles of each watched zone, and whether the phone is in them.
  private var watched: [FenceID: (zone: ZoneSlot, inside: Bool)] = [:]
  /// Circles without a first state report; that report is ignored.
  private var untold: Set<FenceID> = []
  private var entered: [ZoneSlot: Instant] = [:]
  /// The zone that the pending fix is for.
  private var judged: ZoneSlot?

  /// Regions smaller than this are not watched reliably.
  private static let smallest = Distance.metres(100)
  /// A second entry of one zone within this time is ignored.
  private static let repeatGap = TimeSpan.seconds(30)
  /// Time left for the fix after a wake-up.
  private static let timeout = TimeSpan.seconds(10)
  /// Coarser and older positions are not used.
  private static let coarsest = Distance.metres(1500)
  private static let oldest = TimeSpan.seconds(600)
  /// Bearings of the three circles' centres from a small zone's centre, in degrees.
  private static let bearings = [0.0, 120, 240]

  public init(trusts: Bool = false) { self.trusts = trusts }

  public mutating func handle(
    _ event: WatchEvent, at now: Instant, zones: Surroundings
  ) -> [WatchCommand] {
    causes = []
    switch event {
    case .started(_, let capabilities, _):
      self = Self(trusts: trusts)
      self.capabilities = capabilities
      reason = WatchReason(.waitsForFirstFix)
      return [.significantChanges(true), ask]
    case .fenceEntered(let id): return enter(id, at: now, zones)
    case .fenceExited(let id):
      watched[id]?.inside = false
      causes = [.left(zone: Self.zone(id))]
      return [ask]
    case .fenceState(let id, let inside):
      if untold.remove(id) != nil, inside == true { watched[id]?.inside = true }
      return []
    case .fix(let fix): return take(fix, at: now, zones)
    case .significantChange(let fix): return sync(round: fix, zones)
    case .fixFailed:
      judged = nil
      return [.releaseBackground]
    case .stopped: return [.fences([]), .significantChanges(false)]
    default: return []
    }
  }

  private var ask: WatchCommand { .requestFix(.hundredMetres, within: Self.timeout) }

  private mutating func enter(_ id: FenceID, at now: Instant, _ zones: Surroundings) -> [WatchCommand] {
    let zone = Self.zone(id)
    guard zones.slots.contains(zone) else { return [] }
    watched[id] = (zone, true)
    guard watched.values.allSatisfy({ $0.zone != zone || $0.inside }) else { return [] }
    if let last = entered[zone], now - last < Self.repeatGap { return [] }
    entered[zone] = now
    reason = WatchReason(.confirms)
    if trusts { causes = [.word(zone: zone)] } else { judged = zone }
    return [.holdBackground, ask]
  }

  private mutating func take(_ fix: Fix, at now: Instant, _ zones: Surroundings) -> [WatchCommand] {
    let zone = judged
    judged = nil
    guard case .radius(let accuracy) = fix.accuracy, accuracy <= Self.coarsest,
      now - fix.measuredAt <= Self.oldest
    else { return [.releaseBackground] }
    if let zone { causes = [.near(zone: zone, fix)] }
    return sync(round: fix, zones) + [.releaseBackground]
  }

  /// Watches the zones nearest, as many as there is room for.
  private mutating func sync(round fix: Fix, _ zones: Surroundings) -> [WatchCommand] {
    reason = WatchReason(.regionTier)
    let room = min(20, capabilities.fences)
    var fences: [Fence] = []
    var kept: [FenceID: (zone: ZoneSlot, inside: Bool)] = [:]
    for near in zones.nearest(room, to: fix.position) {
      let circles = circles(of: near.zone, zones)
      guard fences.count + circles.count <= room else { break }
      for circle in circles { kept[circle.id] = watched[circle.id] ?? (near.zone, false) }
      fences += circles
    }
    untold.formIntersection(kept.keys)
    untold.formUnion(kept.keys.filter { watched[$0] == nil })
    watched = kept
    return [.fences(fences)]
  }

  /// Returns the zone of a fence. The fence's number is four times the zone's slot plus the circle's index,
  /// so that the zone can be found after a relaunch too.
  private static func zone(_ id: FenceID) -> ZoneSlot { ZoneSlot(Int(id.rawValue / 4)) }

  private func circles(of zone: ZoneSlot, _ zones: Surroundings) -> [Fence] {
    let circle = zones.enclosingCircle(of: zone)
    func id(_ part: Int) -> FenceID { FenceID(rawValue: UInt64(zone.index * 4 + part)) }
    guard circle.radius < Self.smallest else {
      return [Fence(id: id(0), center: circle.center, radius: min(circle.radius, capabilities.largestFence))]
    }
    return Self.bearings.enumerated().map { part, bearing in
      Fence(
        id: id(part + 1),
        center: Geodesic.destination(
          from: circle.center, azimuth: .degrees(bearing), distance: Self.smallest - circle.radius),
        radius: Self.smallest)
    }
  }
}
