import AlarmEngine
import Geometry

/// Half a day made to break promises: legs that start and stop at the times at which the certified policy
/// decides anew, and zones of all triggers just beside the stops and across the way.
///
/// All is drawn from the seed. The fastest legs are as fast as the promises allow.
public struct AdversarialDay {
  /// Stays in seconds, on both sides of the policy's own times: fixes, motion reports, rest, second looks.
  private static let stays = [
    3.0, 8, 15, 25, 29, 31, 35, 45, 59, 61, 75, 90, 120, 149, 151, 200, 299, 301, 400, 599, 601, 900, 1199,
    1201, 1500,
  ]
  private static let firstStays = [700.0, 1500, 4000]
  private static let duration = 43_200.0
  /// Legs in seconds of travel.
  private static let legs = [5.0, 10, 20, 28, 32, 45, 60, 120, 240]
  /// Metres a second for each motion; a bus or car is drawn as often as a walk.
  private static let motions: [(motion: Journey.Motion, speeds: [Double])] = [
    (.walking, [0.6, 1.4, 2.5, 3.4]), (.walking, [0.6, 1.4, 2.5, 3.4]), (.cycling, [4, 8, 14]),
    (.vehicle, [6, 14, 25, 44]), (.vehicle, [6, 14, 25, 44]),
  ]
  private static let radii = [30.0, 45, 60, 100, 200, 400]
  private static let gaps = [5.0, 15, 30, 49, 70, 100, 150, 200, 300, 500]
  private static let mostZones = 25
  /// Metres from the home at which the way turns back.
  private static let farthest = 30_000.0

  private var map: CityMap
  private var zones: [Zone] = []

  /// - Parameter seed: the same seed gives the same day.
  public static func course(seed: UInt64) -> Trial.Case {
    var day = Self(map: CityMap(seed: seed))
    let legs = day.way()
    let journey = Journey(from: day.map.home, at: day.map.morning, legs: legs)
    return Trial.Case(name: "adversary \(seed)", scenario: "adversary", journey: journey, zones: day.zones)
  }

  private mutating func way() -> [Journey.Leg] {
    var here: StressDay.Place = (0, 0)
    var seconds = pick(Self.firstStays)
    var legs: [Journey.Leg] = [.stand(.seconds(seconds))]
    while seconds < Self.duration {
      let (motion, speeds) = pick(Self.motions)
      let speed = pick(speeds)
      let metres = speed * pick(Self.legs)
      var goal = StressDay.step(from: here, metres, map.number(0...(2 * .pi)))
      if Trigonometry.hypotenuse(goal.east, goal.north) > Self.farthest {
        goal = (goal.east / 2, goal.north / 2)
      }
      let length = Trigonometry.hypotenuse(goal.east - here.east, goal.north - here.north)
      guard length >= 1 else { continue }
      if happens(0.6), zones.count < Self.mostZones { addZone(from: here, to: goal, length) }
      legs.append(.go(to: map.place(goal.east, goal.north), .metresPerSecond(speed), motion))
      seconds += length / speed
      here = goal
      guard happens(0.75) else { continue }
      let stay = pick(Self.stays)
      legs.append(.stand(.seconds(stay)))
      seconds += stay
    }
    return legs + [.stand(.minutes(20))]
  }

  /// Adds a zone that begins a short way ahead, or one across the way or just beside it.
  private mutating func addZone(from here: StressDay.Place, to goal: StressDay.Place, _ metres: Double) {
    let radius = pick(Self.radii)
    let isAhead = happens(0.5)
    let share = isAhead ? (pick(Self.gaps) + radius) / metres : map.number(0...1)
    let aside = isAhead ? 0 : radius
    let place: StressDay.Place = (
      here.east + (goal.east - here.east) * share + map.number(-aside...aside),
      here.north + (goal.north - here.north) * share + map.number(-aside...aside)
    )
    let kind = map.number(0...1)
    let trigger: Trigger =
      kind < 0.15
      ? .leave()
      : kind < 0.2
        ? .leave(after: .seconds(pick([20, 60, 300])))
        : kind < 0.3 ? .dwell(.seconds(pick([20, 60, 300]))) : .enter(passingCounts: true)
    zones.append(
      map.circle(
        place.east, place.north, radius: radius, alertDistance: happens(0.2) ? pick([30, 80, 200, 600]) : 0,
        assurance: pick([.normal, .normal, .safety, .safety, .relaxed]), trigger: trigger))
  }

  private mutating func happens(_ share: Double) -> Bool { map.number(0...1) < share }

  private mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
    choices[min(Int(map.number(0...Double(choices.count))), choices.count - 1)]
  }
}

extension PhoneParameters {
  /// A phone that keeps every premise of a promise (`docs/watching.md`), each close to its limit: motion
  /// reports and exits from fences come as late as they may, fixes are right and in time.
  public static let keepingPremises = PhoneParameters().with {
    let premises = CertifiedParameters()
    let exit = premises.fenceDelay.seconds - 5
    for path in [\PhoneParameters.exitLatency, \.entryLatency, \.geofenceLatency] {
      $0[keyPath: path] = QuantileTable(
        minimum: 20, p5: 30, p25: 60, p50: 90, p75: 120, p95: exit - 10, p99: exit - 5, maximum: exit)
    }
    $0.motionDelay = .constant(promisedMotionDelay - 1)
    $0.regionLossProbability = 0
    $0.coalescingProbability = 0
    $0.spuriousEventsPerDay = 0
    $0.disturbedShare = 0
    $0.noFixOutdoors = 0
    $0.satelliteSigmaMetres = 2
    $0.wifiSigmaMetres = 10
    $0.hotStartMedianSeconds = 2
    $0.hotStartSigma = 0.2
    $0.warmStartSigma = 0.35
    $0.movingSpacing = QuantileTable(
      minimum: 1, p5: 1, p25: 1, p50: 1, p75: 1, p95: 5, p99: 8, maximum: premises.sessionFix.seconds - 1)
  }
}
