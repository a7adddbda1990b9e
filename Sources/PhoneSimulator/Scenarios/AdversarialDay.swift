import AlarmEngine
import Geometry

/// Half a day made to break promises: legs that start and stop at the times at which the certified policy
/// decides anew, and zones of all triggers and shapes just beside the stops and across the way.
///
/// Some zones have a lead time; some are added, or open by their schedule, while the phone rests at them. The
/// system ends the application at some rests. On one day in five some rests are indoors. On one day in ten each,
/// Wi-Fi is off, the battery runs low, the clock is set, positions state heights and some zones have a floor and a
/// ceiling, or the phone is restarted. The phone speeds up
/// almost as fast as the promises allow.
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
  private static let clockJumps = [-7200.0, -600, -15, 15, 600, 7200]
  private static let leadTimes = [20.0, 60, 180]
  private static let start = GradualStart(acceleration: CertifiedParameters().greatestAcceleration - 0.1)
  private static let mostZones = 25
  /// Zones that are added, or open, during the day.
  private static let mostLateZones = 8
  /// Metres from the home at which the way turns back.
  private static let farthest = 30_000.0
  /// Seconds of a stay from which on it may be indoors, and the application may be ended.
  private static let longStay = 299.0

  private var map: CityMap
  private var zones: [Zone] = []
  private var changes = Trial.Changes()
  private var lateZones = 0
  private let hasHouses: Bool
  /// Numbers for what happens to the phone, so that its way is that of the same seed without.
  private var fate: CityMap

  private init(seed: UInt64) {
    map = CityMap(seed: seed)
    fate = CityMap(seed: ~seed)
    hasHouses = map.number(0...1) < 0.2
  }

  /// - Parameter seed: the same seed gives the same day.
  public static func course(seed: UInt64) -> Trial.Case {
    var day = Self(seed: seed)
    let legs = day.way()
    let journey = Journey(from: day.map.home, at: day.map.morning, legs: legs)
    day.drainBattery()
    day.setClock()
    let height = day.drawHeights()
    day.restart()
    return Trial.Case(
      name: "adversary \(seed)", scenario: "adversary", journey: journey, zones: day.zones,
      conditions: day.conditions(at: height), changes: day.changes)
  }

  private mutating func way() -> [Journey.Leg] {
    var here: StressDay.Place = (0, 0)
    var seconds = pick(Self.firstStays)
    var legs: [Journey.Leg] = [stand(seconds)]
    var before = Speed.zero
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
      let run = Self.start.run(
        from: map.place(here.east, here.north), at: before, to: map.place(goal.east, goal.north),
        .metresPerSecond(speed), motion)
      legs += run.legs
      seconds += run.seconds
      (here, before) = (goal, run.speed)
      guard happens(0.75) else { continue }
      let stay = pick(Self.stays)
      legs.append(stand(stay))
      disturb(stay, at: here, since: seconds)
      seconds += stay
      before = .zero
    }
    return legs + [.stand(.minutes(20))]
  }

  private mutating func conditions(at height: Double?) -> Phone.Conditions {
    var conditions = Phone.Conditions()
    conditions.height = height
    conditions.wifi = !happens(0.1)
    return conditions
  }

  /// On some days the battery becomes low, then very low, and is charged again.
  private mutating func drainBattery() {
    guard fate.number(0...1) < 0.1 else { return }
    var seconds = fate.number(0...(Self.duration / 2))
    for charge in [Capabilities.Battery.low, .veryLow, .full] {
      changes.charges.append((time(seconds), charge))
      seconds += fate.number(0...(Self.duration / 3))
    }
  }

  /// On some days somebody, or the network, sets the clock, once or twice.
  private mutating func setClock() {
    guard fate.number(0...1) < 0.1 else { return }
    for _ in 0...Int(fate.number(0...1.5)) {
      let span = Self.clockJumps[min(Int(fate.number(0...6)), 5)]
      changes.clock.settings.append((time(fate.number(0...Self.duration)), .seconds(span)))
    }
  }

  /// On some days positions state heights, and some zones have a floor and a ceiling: most with the phone between
  /// them, some above or below it.
  ///
  /// - Returns: the phone's height.
  private mutating func drawHeights() -> Double? {
    guard fate.number(0...1) < 0.1 else { return nil }
    let height = fate.number(0...2000)
    for place in zones.indices where fate.number(0...1) < 0.4 {
      let aside = fate.number(0...1) < 0.2 ? 300.0 : 0
      var draft = zones[place].draft
      draft.floor = .metres(height + aside - fate.number(1...100))
      draft.ceiling = .metres(height + aside + fate.number(1...100))
      if let zone = try? Zone(draft) { zones[place] = zone }
    }
    return height
  }

  /// On some days the phone is restarted, once or twice.
  private mutating func restart() {
    guard fate.number(0...1) < 0.1 else { return }
    for _ in 0...Int(fate.number(0...1.5)) { changes.restarts.append(time(fate.number(0...Self.duration))) }
  }

  private mutating func stand(_ seconds: Double) -> Journey.Leg {
    let isIndoors = hasHouses && seconds >= Self.longStay && happens(0.5)
    return .stand(.seconds(seconds), isIndoors ? .indoors : .outdoors)
  }

  private func time(_ seconds: Double) -> Instant { map.morning + .seconds(seconds) }

  /// Ends the application during a rest, or adds a zone there.
  private mutating func disturb(_ stay: Double, at place: StressDay.Place, since seconds: Double) {
    if stay >= Self.longStay, happens(0.15) {
      changes.endings.append(time(seconds + stay * map.number(0...1)))
    }
    guard stay >= 29, lateZones < Self.mostLateZones, happens(0.15) else { return }
    lateZones += 1
    let radius = pick(Self.radii)
    let aside = radius * map.number(0...2)
    let middle = StressDay.step(from: place, aside, map.number(0...(2 * .pi)))
    let at = seconds + stay * map.number(0...1)
    let opens = happens(0.5) ? Int(at / 60) : nil
    let zone = zone(at: middle, radius: radius, trigger: trigger(mayLeave: opens == nil), opens: opens)
    zones.append(zone)
    if opens == nil { changes.additions[zone.id] = time(at) }
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
    let trigger = trigger(mayLeave: true)
    zones.append(zone(at: place, radius: radius, trigger: trigger))
  }

  private mutating func trigger(mayLeave: Bool) -> Trigger {
    let kind = map.number(0...1)
    if mayLeave, kind < 0.15 { return .leave() }
    if mayLeave, kind < 0.2 { return .leave(after: .seconds(pick([20, 60, 300]))) }
    if kind < 0.3 { return .dwell(.seconds(pick([20, 60, 300]))) }
    return mayLeave && kind < 0.42 ? .enterAndLeave() : .enter(passingCounts: true)
  }

  /// A circle, or a corridor or a four-cornered area through the place.
  private mutating func zone(
    at place: StressDay.Place, radius: Double, trigger: Trigger, opens: Int? = nil
  ) -> Zone {
    let alertDistance = happens(0.2) ? pick([30.0, 80, 200, 600]) : 0
    let assurance = pick([Assurance.normal, .normal, .safety, .safety, .relaxed])
    let shape = map.number(0...1)
    let turn = map.number(0...(2 * .pi))
    var isPath = false
    var corners = [place]
    if shape < 0.15 {
      isPath = true
      let ends = [0, .pi].map { StressDay.step(from: place, map.number(50...1500), turn + $0) }
      corners = [ends[0], place, ends[1]]
    } else if shape < 0.3 {
      corners = (0..<4).map {
        StressDay.step(from: place, radius * map.number(0.7...1.6), turn + Double($0) * .pi / 2)
      }
    }
    let isEntry = trigger.ringsOnEntry
    return map.zone(
      corners, isPath: isPath, size: radius, alertDistance: alertDistance, assurance: assurance,
      trigger: trigger,
      leadTime: isEntry && opens == nil && happens(0.08) ? .seconds(pick(Self.leadTimes)) : nil,
      schedule: opens.map { Self.schedule(opens: $0) })
  }

  /// On duty from a minute of the day until past the end of the day.
  private static func schedule(opens minute: Int) -> Schedule {
    Schedule(
      windows: [.init(weekdays: .everyDay, opens: minute, closes: 1440)], timeZone: "UTC",
      offsets: [])
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
    $0.cellSigmaMetres = 80
    $0.hotStartMedianSeconds = 2
    $0.hotStartSigma = 0.2
    $0.warmStartSigma = 0.35
    $0.movingSpacing = QuantileTable(
      minimum: 1, p5: 1, p25: 1, p50: 1, p75: 1, p95: 5, p99: 8, maximum: premises.sessionFix.seconds - 1)
  }
}
