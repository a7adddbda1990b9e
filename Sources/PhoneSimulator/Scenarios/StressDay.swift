import AlarmEngine
import Geometry

/// A day of 24 hours, made leg by leg with turns and stops, and zones in difficult places: at stops, on the
/// way, just beside it, and by the home. 18 zones of all classes; some ring on leaving, after a stay, or a
/// given time before the entry.
struct StressDay {
  /// Metres east and north of the home.
  typealias Place = (east: Double, north: Double)

  /// The way of moving between two stops.
  struct Ride {
    let motion: Journey.Motion
    /// Metres a second, drawn for each leg.
    let speed: ClosedRange<Double>
    /// Metres of a leg, and the greatest angle in radians by which it turns aside.
    let leg: ClosedRange<Double>
    let turn: Double
    /// The share of legs that end with a stop, and its length in seconds.
    let stops: Double
    let pause: ClosedRange<Double>
    /// The share of legs without any signal, and the share between high buildings.
    var tunnels = 0.0
    var canyons = 0.0

    static let bicycle = Ride(
      motion: .cycling, speed: 3.5...6.5, leg: 150...600, turn: 0.4, stops: 0.25, pause: 8...45)
    static let bus = Ride(
      motion: .vehicle, speed: 6...12, leg: 250...600, turn: 0.4, stops: 1, pause: 8...40, canyons: 0.33)
    static let car = Ride(
      motion: .vehicle, speed: 9...22, leg: 300...1500, turn: 0.35, stops: 0.4, pause: 10...90)
    static let train = Ride(
      motion: .vehicle, speed: 18...38, leg: 2000...6000, turn: 0.15, stops: 1, pause: 30...90, tunnels: 0.4)
  }

  private(set) var map: CityMap
  private(set) var legs: [Journey.Leg] = []
  private(set) var zones: [Zone] = []
  /// Stretches without any signal, in seconds from the start.
  private(set) var silences: [ClosedRange<Double>] = []
  private var here: Place = (0, 0)
  private var seconds = 0.0
  private var speed = Speed.zero
  /// Places of stays of minutes or hours; places of short stops and ends of tunnels; points of the way. None
  /// is in a tunnel, where no phone can know its position.
  private var stays: [Place] = []
  private var stops: [Place] = []
  private var way: [Place] = []

  init(_ map: CityMap) { self.map = map }

  /// A number drawn from the day's own seed, as everything in the day is.
  mutating func number(_ range: ClosedRange<Double>) -> Double { map.number(range) }
  private mutating func happens(_ share: Double) -> Bool { map.number(0...1) < share }

  /// A random place at a distance from `middle`.
  mutating func place(_ metres: ClosedRange<Double>, from middle: Place = (0, 0)) -> Place {
    Self.step(from: middle, map.number(metres), map.number(0...(2 * .pi)))
  }

  /// The place at a distance in metres and an angle in radians, counted from east to north.
  static func step(from place: Place, _ metres: Double, _ angle: Double) -> Place {
    (
      place.east + metres * Trigonometry.cosine(angle), place.north + metres * Trigonometry.sine(angle)
    )
  }
}

// MARK: The way

extension StressDay {
  mutating func stand(_ span: TimeSpan, _ surroundings: Journey.Surroundings = .outdoors) {
    legs.append(.stand(span, surroundings))
    seconds += span.seconds
    speed = .zero
  }

  /// A stay; zones are placed at it.
  mutating func stay(minutes: ClosedRange<Double>, _ surroundings: Journey.Surroundings = .indoors) {
    stays.append(here)
    stand(.minutes(map.number(minutes)), surroundings)
  }

  /// At home for the rest of the day.
  mutating func sleep() { stand(.seconds(max(600, 86_400 - seconds)), .indoors) }

  private mutating func go(
    to goal: Place, _ speed: Double, _ motion: Journey.Motion, _ surroundings: Journey.Surroundings,
    isSilent: Bool = false
  ) {
    let (east, north) = (goal.east - here.east, goal.north - here.north)
    let metres = Trigonometry.hypotenuse(east, north)
    guard metres >= 1 else { return }
    let began = seconds
    let run = ScriptedScenario.start.run(
      from: map.place(here.east, here.north), at: self.speed, to: map.place(goal.east, goal.north),
      .metresPerSecond(speed), motion, surroundings)
    legs += run.legs
    seconds += run.seconds
    self.speed = run.speed
    defer { here = goal }
    guard !isSilent else { return hush(from: began) }
    func point(_ share: Double) -> Place { (here.east + east * share, here.north + north * share) }
    if let last = silences.last, last.upperBound == began { stops.append(point(min(1, 150 / metres))) }
    way += (1...4).map { point(Double($0) / 4) }
  }

  /// Marks the time since `began` as without signal; adjoining stretches are joined.
  private mutating func hush(from began: Double) {
    if let last = silences.last, last.upperBound >= began {
      silences[silences.count - 1] = last.lowerBound...seconds
    } else {
      silences.append(began...seconds)
    }
  }

  /// Through a grid of streets, with short stops.
  mutating func walk(to goal: Place, _ surroundings: Journey.Surroundings = .outdoors) {
    let pace = map.number(1.1...1.6)
    while true {
      let (east, north) = (goal.east - here.east, goal.north - here.north)
      guard Trigonometry.hypotenuse(east, north) >= 60 else {
        return go(to: goal, pace, .walking, surroundings)
      }
      let step = map.number(60...200)
      let next: Place =
        abs(east) > abs(north)
        ? (here.east + max(-step, min(step, east)), here.north)
        : (here.east, here.north + max(-step, min(step, north)))
      go(to: next, pace * map.number(0.9...1.1), .walking, surroundings)
      if happens(0.25) { stand(.seconds(map.number(10...60)), surroundings) }
    }
  }

  mutating func ride(to goal: Place, _ ride: Ride) {
    while true {
      let (east, north) = (goal.east - here.east, goal.north - here.north)
      let step = map.number(ride.leg)
      let isLast = Trigonometry.hypotenuse(east, north) <= step
      let angle =
        Trigonometry.arctangent(y: north, x: east) + map.number(-ride.turn...ride.turn)
      let isSilent = happens(ride.tunnels)
      let surroundings: Journey.Surroundings =
        isSilent ? .indoors : happens(ride.canyons) ? .urbanCanyon : .outdoors
      go(
        to: isLast ? goal : Self.step(from: here, step, angle), map.number(ride.speed), ride.motion,
        surroundings, isSilent: isSilent)
      if isLast { return }
      guard happens(ride.stops) else { continue }
      if !isSilent { stops.append(here) }
      let arrived = seconds
      stand(.seconds(map.number(ride.pause)), surroundings)
      // An underground station has no signal either.
      if isSilent { hush(from: arrived) }
    }
  }
}

// MARK: Zones

extension StressDay {
  /// The number of zones in all.
  static let count = 18

  private mutating func assurance() -> Assurance {
    let draw = map.number(0...1)
    return draw < 0.6 ? .normal : draw < 0.85 ? .safety : .relaxed
  }

  mutating func add(
    at place: Place, radius: Double, assurance: Assurance? = nil, alertDistance: Double = 0,
    trigger: Trigger = .enter(passingCounts: true), leadTime: TimeSpan? = nil
  ) {
    let assurance = assurance ?? self.assurance()
    zones.append(
      map.circle(
        place.east, place.north, radius: radius, alertDistance: alertDistance, assurance: assurance,
        trigger: trigger, leadTime: leadTime))
  }

  /// A random place of the day, moved aside by a random distance.
  private mutating func near(_ places: [Place], within metres: Double = 40) -> Place {
    guard !places.isEmpty else { return (0, 0) }
    let place = places[min(Int(map.number(0...Double(places.count))), places.count - 1)]
    return (place.east + map.number(-metres...metres), place.north + map.number(-metres...metres))
  }

  /// Between 30 and 400 m, uniform in the logarithm.
  private mutating func radius() -> Double {
    30 * Trigonometry.exponential(map.number(0...Trigonometry.naturalLogarithm(400.0 / 30)))
  }

  /// Adds zones up to ``count``: first zones that ring after a stay, on leaving and before the entry, then
  /// others at stops, on the way, beside it, and some of several kilometres.
  mutating func addZones() {
    add(at: near(stays), radius: map.number(60...200), trigger: .dwell(.minutes(5)))
    add(at: near(stays), radius: map.number(60...200), trigger: .dwell(.minutes(1)))
    add(at: near(stays), radius: map.number(60...250), trigger: .leave())
    for lead in [60.0, 120, 300] {
      add(at: near(lead == 120 ? stays : way), radius: map.number(60...250), leadTime: .seconds(lead))
    }
    while zones.count < Self.count {
      let place =
        zones.count % 3 == 0 ? place(150...900, from: near(way)) : near(happens(0.5) ? stops + stays : way)
      let alert = happens(0.3) ? map.number(50...400) : 0
      add(at: place, radius: happens(0.05) ? map.number(800...4000) : radius(), alertDistance: alert)
    }
  }
}
