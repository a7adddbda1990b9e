import AlarmEngine
import Geometry

/// The protocol's zone scenarios on scripted journeys; the seed moves places and times.
public enum ScriptedScenario: String, CaseIterable, Sendable {
  /// S1: the stops of a day, and three decoys each.
  case errands
  /// S2: small dangers beside a footpath.
  case hazards
  /// S3: an airport's outline, shrunk by an inset.
  case airport
  /// S4: two hundred shops within two kilometres.
  case shops
  /// S5: circles that touch a road, so that visits last seconds.
  case driveBy
  /// S6: a zone next door to the home.
  case nextDoor
  /// S7: wake-up before the station.
  case station
  /// S8: a way indoors, without satellites.
  case indoors
  /// S9: no visit at all.
  case quiet
  /// S10: living beside a zone, 30 m to 5 km from it; the seed chooses distance and assurance.
  case besideHome
  /// S11: inside a zone that rings on leaving, all day but for one outing.
  case insideAllDay
  /// S12: waiting at a traffic light just before a zone, then driving through it.
  case trafficLight
  /// S13: an ordinary week.
  case week
  /// S14: a home 25 to 150 m from zones. Like all below, a day with 18 zones of all classes and triggers,
  /// many on the way.
  case homeAmongZones
  /// S15: by car, with stops at traffic lights.
  case stopAndGo
  /// S16: by train, through tunnels without any signal.
  case tunnels
  /// S17: between high buildings, by bus and on foot.
  case canyons
  /// S18: Wi-Fi is off.
  case withoutWifi

  /// S1 ... S18.
  public var number: String { "S\((Self.allCases.firstIndex(of: self) ?? 0) + 1)" }
}

extension ScriptedScenario {
  /// A day of one phone.
  public func course(seed: UInt64) -> Trial.Case {
    var map = CityMap(seed: seed ^ (UInt64(Self.allCases.firstIndex(of: self) ?? 0) << 32))
    var day = script(&map)
    if !day.startsGradually { day.legs = Self.start.legs(day.legs, from: map.home) }
    var conditions = Phone.Conditions()
    conditions.wifi = self != .withoutWifi
    return Trial.Case(
      name: "\(number) \(rawValue) \(seed)", scenario: "\(number) \(rawValue)", person: "person \(seed)",
      journey: Journey(from: map.home, at: map.morning, legs: day.legs), zones: day.zones,
      conditions: conditions,
      silences: day.silences.map {
        (map.morning + .seconds($0.lowerBound))...(map.morning + .seconds($0.upperBound))
      })
  }

  /// Cars in towns gain 2 m/s each second.
  static let start = GradualStart(acceleration: 2)

  private struct Day {
    var legs: [Journey.Leg]
    /// True if the legs have gradual starts already.
    private(set) var startsGradually = false
    let zones: [Zone]
    var silences: [ClosedRange<Double>] = []

    init(padded day: ([Journey.Leg], [Zone])) { self.init((ScriptedScenario.padded(day.0), day.1)) }
    init(_ day: ([Journey.Leg], [Zone])) { (legs, zones) = day }
    init(_ day: StressDay) {
      (legs, zones, silences) = (day.legs, day.zones, day.silences)
      startsGradually = true
    }
  }

  /// Adds the hours at rest that loggers leave out. The evening fills the day up to 24 hours.
  private static func padded(_ legs: [Journey.Leg]) -> [Journey.Leg] {
    [.stand(.hours(7), .indoors)] + legs + [.stand(.hours(8), .indoors)]
  }

  private func script(_ map: inout CityMap) -> Day {
    switch self {
    case .errands: Day(padded: Self.errands(&map))
    case .hazards: Day(padded: Self.hazards(&map))
    case .airport: Day(padded: Self.airport(&map))
    case .shops: Day(padded: Self.shops(&map))
    case .driveBy: Day(padded: Self.driveBy(&map))
    case .nextDoor: Day(padded: Self.nextDoor(&map))
    case .station: Day(padded: Self.station(&map))
    case .indoors: Day(padded: Self.indoors(&map))
    case .quiet: Day(padded: Self.quiet(&map))
    case .besideHome: Day(padded: Self.besideHome(&map))
    case .insideAllDay: Day(padded: Self.insideAllDay(&map))
    case .trafficLight: Day(padded: Self.trafficLight(&map))
    case .week: Day(Self.week(&map))
    case .homeAmongZones: Day(Self.homeAmongZones(map))
    case .stopAndGo: Day(Self.stopAndGo(map))
    case .tunnels: Day(Self.tunnels(map))
    case .canyons: Day(Self.canyons(map))
    case .withoutWifi: Day(Self.withoutWifi(map))
    }
  }

  private static func errands(_ map: inout CityMap) -> ([Journey.Leg], [Zone]) {
    var legs: [Journey.Leg] = []
    var zones: [Zone] = []
    for stop in 0..<4 {
      let east = map.number(1500...9000) * (stop % 2 == 0 ? 1 : -1)
      let north = map.number(-5000...5000)
      zones.append(map.circle(east, north, radius: map.number(60...150)))
      for _ in 0..<3 {
        zones.append(map.circle(east + map.number(600...2500), north + map.number(600...2500), radius: 100))
      }
      legs += [
        .go(to: map.place(east, north), .metresPerSecond(map.number(8...16)), .vehicle),
        .stand(.minutes(map.number(10...60)), .indoors),
      ]
    }
    return (legs + [.go(to: map.home, .metresPerSecond(12), .vehicle)], zones)
  }

  private static func hazards(_ map: inout CityMap) -> ([Journey.Leg], [Zone]) {
    var zones: [Zone] = []
    var legs: [Journey.Leg] = [.go(to: map.place(8000, 0), .metresPerSecond(14), .vehicle)]
    for number in 1...8 {
      let east = 8000 + Double(number) * 450
      let north = map.number(-15...15)
      zones.append(map.circle(east, north, radius: map.number(35...50), assurance: .safety))
      legs.append(.go(to: map.place(east, 0), .metresPerSecond(map.number(1.1...1.7)), .walking))
    }
    legs += [.stand(.minutes(30)), .go(to: map.place(8000, 0), .metresPerSecond(1.4), .walking)]
    return (legs + [.go(to: map.home, .metresPerSecond(14), .vehicle)], zones)
  }

  private static func airport(_ map: inout CityMap) -> ([Journey.Leg], [Zone]) {
    let east = map.number(14_000...22_000)
    let corners = [(-1800.0, -900.0), (1900, -700), (2100, 500), (300, 1100), (-1700, 800)]
    let zone = map.area(corners.map { (east + $0.0, $0.1) }, inset: 100)
    return (
      [
        .go(to: map.place(east, 0), .metresPerSecond(25), .vehicle), .stand(.hours(2), .indoors),
        .go(to: map.home, .metresPerSecond(25), .vehicle),
      ], [zone]
    )
  }

  private static func shops(_ map: inout CityMap) -> ([Journey.Leg], [Zone]) {
    let shops = (0..<200).map { _ in
      map.circle(4000 + map.number(-2000...2000), map.number(-2000...2000), radius: 40)
    }
    var legs: [Journey.Leg] = [.go(to: map.place(2500, 0), .metresPerSecond(11), .vehicle)]
    for _ in 0..<6 {
      legs += [
        .go(
          to: map.place(4000 + map.number(-1500...1500), map.number(-1500...1500)),
          .metresPerSecond(1.4), .walking, .urbanCanyon), .stand(.minutes(15), .indoors),
      ]
    }
    return (legs + [.go(to: map.home, .metresPerSecond(11), .vehicle)], shops)
  }

  private static func driveBy(_ map: inout CityMap) -> ([Journey.Leg], [Zone]) {
    let speed = map.number(12...20)
    let zones = (1...6).map { number in
      map.circle(Double(number) * 2500, map.number(0...30), radius: speed * map.number(4...9))
    }
    return (
      [
        .go(to: map.place(18_000, 0), .metresPerSecond(speed), .vehicle), .stand(.hours(1)),
        .go(to: map.home, .metresPerSecond(speed), .vehicle),
      ], zones
    )
  }

  private static func nextDoor(_ map: inout CityMap) -> ([Journey.Leg], [Zone]) {
    let east = map.number(280...360)
    return (
      [
        .go(to: map.place(-200, 50), .metresPerSecond(1.3), .walking), .stand(.minutes(20)),
        .go(to: map.place(east, 0), .metresPerSecond(1.4), .walking), .stand(.minutes(10)),
        .go(to: map.home, .metresPerSecond(1.4), .walking), .stand(.hours(4), .indoors),
        .go(to: map.place(-4000, 0), .metresPerSecond(10), .vehicle), .stand(.hours(1)),
        .go(to: map.home, .metresPerSecond(10), .vehicle),
      ], [map.circle(east, 0, radius: 60)]
    )
  }

  private static func station(_ map: inout CityMap) -> ([Journey.Leg], [Zone]) {
    let east = map.number(50_000...70_000)
    return (
      [
        .go(to: map.place(800, 0), .metresPerSecond(1.4), .walking), .stand(.minutes(10)),
        .go(to: map.place(east, 3000), .metresPerSecond(map.number(25...40)), .vehicle), .stand(.hours(3)),
      ], [map.circle(east, 3000, radius: 150, alertDistance: map.number(1000...2000))]
    )
  }

  private static func indoors(_ map: inout CityMap) -> ([Journey.Leg], [Zone]) {
    (
      [
        .go(to: map.place(1200, 0), .metresPerSecond(1.4), .walking),
        .go(to: map.place(1700, 0), .metresPerSecond(1.2), .walking, .indoors),
        .stand(.minutes(40), .indoors),
        .go(to: map.place(1200, 0), .metresPerSecond(1.2), .walking, .indoors),
        .go(to: map.home, .metresPerSecond(1.4), .walking),
      ], [map.circle(1650 + map.number(-30...30), 0, radius: 150)]
    )
  }

  private static func quiet(_ map: inout CityMap) -> ([Journey.Leg], [Zone]) {
    let zones = (0..<10).map { _ in
      map.circle(map.number(9000...20_000), map.number(-15_000...15_000), radius: 150)
    }
    return (
      [
        .go(to: map.place(-3000, 500), .metresPerSecond(4.5), .cycling), .stand(.hours(7), .indoors),
        .go(to: map.home, .metresPerSecond(4.5), .cycling),
      ], zones
    )
  }
}
