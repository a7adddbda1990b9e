import Geometry

/// Decides if the application may be suspended, and which events then have to wake it.
///
/// When the application runs again after the exit from a fence of radius r, the phone has been beyond r plus
/// the cushion for at most the system's delay; the fix takes a further time. If the phone cannot reach the
/// nearest zone within both, it enters none in between. The fence is centred on the *reported* position, so
/// the error of that position does not matter as long as the system says that the phone is inside.
struct SuspensionPlan {
  enum Answer {
    /// The registered fence is centred on this position and still suits the zones.
    case staysInFence
    case fence(Fence, isParking: Bool)
    /// The position is too coarse to be sure of starting inside a fence.
    case needsBetterFix
    /// Significant changes suffice, on a best-effort basis.
    /// - Parameter margin: the distance to the nearest line.
    case significantChanges(margin: Distance?)
    case staysAwake
  }

  private let zones: Surroundings
  /// A suspended application cannot wake when a schedule opens, so zones that will open count as open.
  private let binding: [Surroundings.Nearby]
  private let anchor: Fix
  private let known: PhoneKnowledge
  private var parameters: CertifiedParameters { _read { yield known.parameters } }

  init(around anchor: Fix, _ zones: Surroundings, _ known: PhoneKnowledge) {
    self.zones = zones
    self.anchor = anchor
    self.known = known
    binding = zones.binding(at: anchor.position, toCome: true)
  }

  func answer(in stage: CertifiedStage, at now: Instant) -> Answer {
    guard known.capabilities.background, let error = known.error(of: anchor, .safety) else {
      return .staysAwake
    }
    guard known.capabilities.fences > 0 else { return withoutFences(error: error, at: now) }
    if isInFence(stage) { return .staysInFence }
    let far = farRadius
    let rest = known.rest(until: now)
    guard let radius = far ?? (rest.map { $0 >= parkAfter } ?? false ? parkingRadius : nil) else {
      return .staysAwake
    }
    guard error <= radius + parameters.fenceCushion else { return .needsBetterFix }
    return .fence(
      Fence(id: .movement, center: anchor.position, radius: radius, onEntry: false), isParking: far == nil)
  }

  private func isInFence(_ stage: CertifiedStage) -> Bool {
    switch stage {
    case .fencing(let fence, false), .fenced(let fence):
      fence.center == anchor.position && fence.radius <= farRadius ?? -.metres(1)
    case .fencing(let fence, true), .parked(let fence):
      fence.center == anchor.position && fence.radius <= parkingRadius ?? -.metres(1)
    case .stopped, .idle, .asking, .sleeping, .following, .ring, .coarse: false
    }
  }

  /// Without fences, only significant changes wake a suspended application. They suffice if all zones are
  /// farther than the phone gets before such a change comes; otherwise a session stays on.
  private func withoutFences(error: Distance, at now: Instant) -> Answer {
    guard known.capabilities.significantChanges else { return .staysAwake }
    let spent = known.moved(at: now, .safety)
    let least =
      parameters.significantDistance + parameters.greatestSpeed * parameters.significantDelay + error + spent
    guard binding.allSatisfy({ $0.concern == .entry && $0.toAlert >= least }) else { return .staysAwake }
    return .significantChanges(margin: binding.map { $0.toAlert }.min())
  }

  /// The radius of a fence while the phone moves; nil if the zones are too near for the system's delay.
  private var farRadius: Distance? {
    var radius = known.capabilities.largestFence
    for zone in binding {
      guard let free = free(zone) else { return nil }
      let run = parameters.greatestSpeed * parameters.run(zone.assurance, wifi: known.capabilities.wifi)
      radius = min(radius, zone.concern == .clearing ? free : free - parameters.fenceCushion - run)
    }
    return radius >= parameters.smallestFence ? radius : nil
  }

  /// The rest after which the phone may park.
  var parkAfter: TimeSpan {
    for zone in binding where zone.concern != .clearing {
      guard let free = free(zone) else { continue }
      var reach = parameters.smallestFence + parameters.fenceCushion
      if zone.assurance == .safety {
        reach = reach + parameters.walkingSpeed * parameters.run(.safety, wifi: known.capabilities.wifi)
      }
      if free < reach { return parameters.parkBesideAfter }
    }
    return parameters.parkAfter
  }

  /// The radius of a fence for a phone at rest; nil if a zone needs the application awake.
  private var parkingRadius: Distance? {
    var radius = parameters.parkingFence
    for zone in binding {
      guard let free = free(zone) else { return nil }
      if zone.concern == .clearing {
        radius = min(radius, free)
        continue
      }
      radius = min(
        radius, max(parameters.smallestFence, min(free * 0.5, free - parameters.fenceCushion)))
    }
    return radius
  }

  /// Returns how far the phone can move before the zone matters; nil if the zone needs the application awake.
  private func free(_ zone: Surroundings.Nearby) -> Distance? {
    switch zone.concern {
    case .entry: return zone.toAlert
    case .leaving: return -zone.toAlert
    case .dwelling, .away: return nil
    case .clearing:
      // The zone rang and promises nothing until the phone has left it, which a check after the exit from the
      // fence finds soon enough.
      if -zone.toAlert >= parameters.smallestFence { return -zone.toAlert }
      return known.isSettled ? parameters.smallestFence : nil
    }
  }

  /// Fences around the nearest zones, grown by how far a fast phone moves, in the remaining slots. They only
  /// cover the loss of an event.
  var approaches: [Fence] {
    zones.nearest(max(0, known.capabilities.fences - 1), to: anchor.position).map { zone in
      let circle = zones.enclosingCircle(of: zone.zone)
      let run = parameters.greatestSpeed * parameters.run(zone.assurance, wifi: known.capabilities.wifi)
      return Fence(
        id: FenceID(zone: zone.id), center: circle.center,
        radius: min(known.capabilities.largestFence, max(.metres(200), circle.radius + run)), onExit: false)
    }
  }
}

// MARK: Parking beside a zone

extension SuspensionPlan {
  /// The further fences of a parked phone: some to the sides where a zone is near, and one around each of the
  /// nearest zones that the phone is certainly outside of.
  var besideParking: [Fence] {
    var fences = fencesAside
    let left = max(0, known.capabilities.fences - 1 - fences.count)
    let error = known.error(of: anchor, .safety) ?? .zero
    for zone in zones.nearest(left, to: anchor.position) where zone.concern == .entry {
      let circle = zones.enclosingCircle(of: zone.zone)
      let outside = circle.center.distance(to: anchor.position) - error - parameters.fenceCushion
      let walk = parameters.walkingSpeed * parameters.run(zone.assurance, wifi: known.capabilities.wifi)
      let radius = min(known.capabilities.largestFence, min(outside, circle.radius + walk))
      if radius < parameters.smallestFence { continue }
      fences.append(Fence(id: FenceID(zone: zone.id), center: circle.center, radius: radius, onExit: false))
    }
    return fences
  }

  private var fencesAside: [Fence] {
    var fences: [Fence] = []
    guard let asideBy, nearestFree < parameters.asideWithin else { return fences }
    for number in 1...parameters.asideFences {
      let direction = Angle.degrees(360 * Double(number) / Double(parameters.asideFences))
      fences.append(
        Fence(
          id: .aside(number),
          center: Geodesic.destination(from: anchor.position, azimuth: direction, distance: asideBy),
          radius: parameters.smallestFence, onEntry: false))
    }
    return fences
  }

  /// The distance that the phone can move before the first zone matters.
  private var nearestFree: Distance {
    var least = known.capabilities.largestFence
    for zone in binding { if let free = free(zone) { least = min(least, free) } }
    return least
  }

  /// True if a phone that sets off may be in a zone before the motion hardware reports it. Until such a report
  /// could have come, the application stays awake.
  var waitsForMotion: Bool { nearestFree < parameters.greatestSpeed * parameters.motionDelay }

  /// True if live updates should wake the parked phone: a zone that may ring is so near that a phone on its
  /// way there outruns the system's fences.
  var wakesOnMotion: Bool {
    guard known.capabilities.liveUpdates else { return false }
    return binding.contains { zone in
      zone.concern != .clearing && free(zone).map { $0 < parameters.asideWithin } ?? false
    }
  }

  /// The distance of the side fences' centres at which the phone is certainly inside them; nil if it is too
  /// short to be of use, or if there are too few slots.
  private var asideBy: Distance? {
    guard known.capabilities.fences > parameters.asideFences,
      let error = known.error(of: anchor, .safety)
    else { return nil }
    let most = min(parameters.asideBy, parameters.smallestFence - error)
    return most >= parameters.asideBy * 0.5 ? most : nil
  }

  /// True if the phone, on its way from where it is parked into a zone, certainly leaves a fence first.
  func noticesWay(to zone: Surroundings.Nearby) -> Bool {
    guard let free = free(zone), zone.concern == .entry else { return true }
    let reach = parameters.smallestFence + parameters.fenceCushion
    // 0.8 covers the directions between those of two fences, where the way out is some metres longer.
    let aside = asideBy.map { $0 * 0.8 } ?? .zero
    return free >= reach - aside
  }
}
