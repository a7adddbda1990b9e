import Geometry

/// Decides if the application may be suspended, and what then has to wake it.
///
/// A phone that left a fence of radius r has been beyond r and the cushion for no longer than the system's delay
/// when the application runs again, and for the time of a fix when that is known: if all of it fits before the
/// nearest zone, none is entered in between. The fence is round the *reported* place, so that place's error does
/// not matter, as long as the system says that the phone is inside.
struct SuspensionPlan {
  enum Answer {
    /// The fence that stands, or is about to, was laid round this very position and still suits the zones.
    case staysInFence
    case fence(Fence, isParking: Bool)
    /// The position is too coarse to be sure of starting inside a fence.
    case needsBetterFix
    /// Significant changes suffice for an effort.
    /// - Parameter margin: to the nearest line.
    case significantChanges(margin: Distance?)
    case staysAwake
  }

  private let zones: Surroundings
  /// A suspended application cannot wake for an opening schedule: zones yet to open count as open.
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

  /// The system wakes a suspended application for significant changes alone. Where all zones are farther than those may
  /// come late, they suffice; nearer, a session stays on.
  private func withoutFences(error: Distance, at now: Instant) -> Answer {
    guard known.capabilities.significantChanges else { return .staysAwake }
    let spent = known.moved(at: now, .safety)
    let least =
      parameters.significantDistance + parameters.greatestSpeed * parameters.significantDelay + error + spent
    guard binding.allSatisfy({ $0.concern == .entry && $0.toAlert >= least }) else { return .staysAwake }
    return .significantChanges(margin: binding.map { $0.toAlert }.min())
  }

  /// Radius of a fence that stands while the phone moves about; nil where the zones are too near for the system's delay.
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

  /// Radius of a fence for a phone at rest; nil where a zone needs the application to be awake.
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

  /// How far the phone can go before a zone has something to say; nil where it must be awake for the zone.
  private func free(_ zone: Surroundings.Nearby) -> Distance? {
    switch zone.concern {
    case .entry: return zone.toAlert
    case .leaving: return -zone.toAlert
    case .dwelling: return nil
    case .clearing:
      // It rang, and promises nothing until it was left: leaving the fence is soon enough to look for that.
      if -zone.toAlert >= parameters.smallestFence { return -zone.toAlert }
      return known.isSettled ? parameters.smallestFence : nil
    }
  }

  /// The other slots only add safety against a lost event: the nearest zones, grown by what a fast phone runs.
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
  /// The fences that stand beside the one round a parked phone: some aside of it where a zone is near, and one round each
  /// of the nearest zones that the phone is surely outside of.
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

  /// How far the phone can go before the first zone has something to say.
  private var nearestFree: Distance {
    var least = known.capabilities.largestFence
    for zone in binding { if let free = free(zone) { least = min(least, free) } }
    return least
  }

  /// How far aside a fence may stand so that the phone is surely in it; nil where that brings nothing, or no slots are left.
  private var asideBy: Distance? {
    guard known.capabilities.fences > parameters.asideFences,
      let error = known.error(of: anchor, .safety)
    else { return nil }
    let most = min(parameters.asideBy, parameters.smallestFence - error)
    return most >= parameters.asideBy * 0.5 ? most : nil
  }

  /// True if the way from a parked phone to a zone leads out of a fence before it ends within the zone.
  func noticesWay(to zone: Surroundings.Nearby) -> Bool {
    guard let free = free(zone), zone.concern == .entry else { return true }
    let reach = parameters.smallestFence + parameters.fenceCushion
    // Straight away from the middle of the nearest fence; between two directions some metres more.
    let aside = asideBy.map { $0 * 0.8 } ?? .zero
    return free >= reach - aside
  }
}
