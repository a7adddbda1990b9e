import AlarmEngine
import Geometry

/// Scenarios of people who live beside zones, whose days consist mostly of rest and slow movement.
extension ScriptedScenario {
  /// Distances in metres from the home to the zone's edge; 30 seeds cover all pairs with the assurance.
  private static let nearHome = [30.0, 60, 100, 150, 250, 500, 800, 1500, 3000, 5000]

  static func besideHome(_ map: inout CityMap) -> ([Journey.Leg], [Zone]) {
    let number = Int(map.seed & 0xFFFF)
    let assurance = Assurance.allCases[number % 3]
    let distance = nearHome[number / 3 % nearHome.count]
    let isFar = distance > 1500
    let middle = distance + 50
    return (
      [
        // Forty minutes outside, away from the zone.
        .go(to: map.place(-1600, map.number(-200...200)), .metresPerSecond(1.35), .walking),
        .go(to: map.home, .metresPerSecond(1.35), .walking), .stand(.hours(5), .indoors),
        .go(
          to: map.place(middle, 0), .metresPerSecond(isFar ? 4.5 : map.number(1.1...1.5)),
          isFar ? .cycling : .walking), .stand(.minutes(15)),
        .go(
          to: map.home, .metresPerSecond(isFar ? 4.5 : 1.3), isFar ? .cycling : .walking),
      ], [map.circle(middle, 0, radius: 50, assurance: assurance)]
    )
  }

  static func insideAllDay(_ map: inout CityMap) -> ([Journey.Leg], [Zone]) {
    let assurance = Assurance.allCases[Int(map.seed & 0xFFFF) % 3]
    return (
      [
        // Into the garden, back, and away late in the day.
        .go(to: map.place(map.number(15...30), 10), .metresPerSecond(0.8), .walking), .stand(.minutes(30)),
        .go(to: map.home, .metresPerSecond(0.8), .walking), .stand(.hours(5), .indoors),
        .go(to: map.place(map.number(-900 ... -600), 300), .metresPerSecond(1.4), .walking),
        .stand(.hours(1), .indoors), .go(to: map.home, .metresPerSecond(1.4), .walking),
      ], [map.circle(0, 0, radius: 100, assurance: assurance, trigger: .leave())]
    )
  }

  static func trafficLight(_ map: inout CityMap) -> ([Journey.Leg], [Zone]) {
    let speed = map.number(11...16)
    var zones: [Zone] = []
    var legs: [Journey.Leg] = []
    for number in 1...6 {
      let middle = Double(number) * 2500
      let radius = speed * map.number(5...9)
      zones.append(map.circle(middle, map.number(-10...10), radius: radius))
      legs += [
        .go(
          to: map.place(middle - radius - map.number(20...60), 0), .metresPerSecond(speed), .vehicle),
        .stand(.seconds(map.number(30...90))),
      ]
    }
    return (
      legs + [
        .go(to: map.place(18_000, 0), .metresPerSecond(speed), .vehicle), .stand(.hours(1)),
        .go(to: map.home, .metresPerSecond(speed), .vehicle),
      ], zones
    )
  }

  /// Five days at work, with a station to be woken for, shops on the way home and a gym; a hike on Saturday
  /// past two dangers; a Sunday at home and on the bicycle. There is a quarry 700 m from the home, and the
  /// home itself rings on leaving.
  static func week(_ map: inout CityMap) -> ([Journey.Leg], [Zone]) {
    let work = (map.number(18_000...24_000), map.number(-3000...3000))
    let shops = (0..<8).map { _ in (map.number(300...2200), map.number(-1500...1500)) }
    let gym = (-1300.0, map.number(-300...300))
    let hazards = [(-9000.0, 2000 + map.number(-15...15)), (-9000.0 + 700, 2000 + map.number(-15...15))]
    var zones = shops.map { map.circle($0.0, $0.1, radius: 45) }
    zones.append(map.circle(work.0, work.1, radius: 200, alertDistance: 1000))
    zones.append(map.circle(gym.0, gym.1, radius: 60, assurance: .relaxed))
    zones.append(map.circle(500, -560, radius: 60, assurance: .safety))
    zones += hazards.map { map.circle($0.0, $0.1, radius: 40, assurance: .safety) }
    zones.append(map.circle(0, 0, radius: 120, trigger: .leave()))
    let stop = (map.number(350...600), map.number(100...300))
    var legs: [Journey.Leg] = []
    for day in 0..<5 {
      let shop = shops[(day * 3) % shops.count]
      legs += [
        .stand(.hours(7), .indoors),
        .go(to: map.place(stop.0, stop.1), .metresPerSecond(1.4), .walking), .stand(.minutes(6)),
        .go(to: map.place(work.0, work.1), .metresPerSecond(map.number(14...22)), .vehicle),
        .stand(.hours(4), .indoors),
        .go(to: map.place(work.0 + 500, work.1 + 200), .metresPerSecond(1.3), .walking, .urbanCanyon),
        .stand(.minutes(40), .indoors),
        .go(to: map.place(work.0, work.1), .metresPerSecond(1.3), .walking, .urbanCanyon),
        .stand(.hours(4), .indoors),
        .go(to: map.place(stop.0, stop.1), .metresPerSecond(map.number(14...22)), .vehicle),
        .go(to: map.place(shop.0, shop.1), .metresPerSecond(1.35), .walking),
        .stand(.minutes(map.number(8...20)), .indoors),
      ]
      if day % 2 == 1 {
        legs += [
          .go(to: map.place(gym.0, gym.1), .metresPerSecond(4), .cycling), .stand(.hours(1), .indoors),
        ]
      }
      legs += [.go(to: map.home, .metresPerSecond(1.35), .walking), .stand(.hours(5), .indoors)]
    }
    legs += [
      .stand(.hours(9), .indoors), .go(to: map.place(-9700, 2000), .metresPerSecond(15), .vehicle),
      .go(to: map.place(-7500, 2000), .metresPerSecond(1.2), .walking), .stand(.minutes(45)),
      .go(to: map.place(-9700, 2600), .metresPerSecond(1.3), .walking),
      .go(to: map.home, .metresPerSecond(15), .vehicle), .stand(.hours(20), .indoors),
      .go(to: map.place(-4000, 3000), .metresPerSecond(4.5), .cycling), .stand(.minutes(30)),
      .go(to: map.home, .metresPerSecond(4.5), .cycling), .stand(.hours(9), .indoors),
    ]
    return (legs, zones)
  }
}
