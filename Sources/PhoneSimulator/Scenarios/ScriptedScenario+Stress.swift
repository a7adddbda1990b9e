import AlarmEngine
import Geometry

/// Days with many difficulties at once: 18 zones, many of them on the way, of all classes and triggers.
extension ScriptedScenario {
  /// Distances in metres from the home to the edges of the zones around it.
  private static let besideTheHome = [25.0, 40, 60, 80, 100, 150]

  static func homeAmongZones(_ map: CityMap) -> StressDay {
    var day = StressDay(map)
    let first = Int(map.seed & 0xFFFF)
    var neighbours: [StressDay.Place] = []
    for (index, metres) in besideTheHome.enumerated() {
      let radius = day.number(30...110)
      let place = day.place((metres + radius)...(metres + radius))
      neighbours.append(place)
      day.add(
        at: place, radius: radius, assurance: Assurance.allCases[(first + index) % Assurance.allCases.count])
    }
    day.add(at: (0, 0), radius: 120, trigger: .leave())
    day.add(at: (0, 0), radius: 60, trigger: .dwell(.minutes(10)))
    day.stand(.hours(day.number(6.5...8)), .indoors)
    day.walk(to: day.place(400...1200))
    day.stay(minutes: 10...40)
    day.walk(to: (0, 0))
    day.stand(.hours(3), .indoors)
    // Into two of the neighbouring zones, with a return home in between.
    for offset in 0..<2 {
      day.walk(to: neighbours[(first + 3 * offset) % neighbours.count])
      day.stay(minutes: 5...20, .outdoors)
      day.walk(to: (0, 0))
      day.stand(.hours(1), .indoors)
    }
    day.ride(to: day.place(2000...6000), .bicycle)
    day.stay(minutes: 40...90)
    day.ride(to: (0, 0), .bicycle)
    day.sleep()
    day.addZones()
    return day
  }

  static func stopAndGo(_ map: CityMap) -> StressDay {
    commute(map, by: .car, distance: 4000...30_000)
  }

  static func tunnels(_ map: CityMap) -> StressDay {
    commute(map, by: .train, distance: 15_000...45_000)
  }

  static func canyons(_ map: CityMap) -> StressDay {
    var bus = StressDay.Ride.bus
    bus.canyons = 1
    return commute(map, by: bus, distance: 2500...9000, walking: .urbanCanyon)
  }

  /// By bus or bicycle, depending on the seed, and on foot.
  static func withoutWifi(_ map: CityMap) -> StressDay {
    map.seed % 2 == 0
      ? commute(map, by: .bus, distance: 2500...9000) : commute(map, by: .bicycle, distance: 2000...8000)
  }

  /// To work, out for lunch, to a shop and home.
  private static func commute(
    _ map: CityMap, by ride: StressDay.Ride, distance: ClosedRange<Double>,
    walking: Journey.Surroundings = .outdoors
  ) -> StressDay {
    var day = StressDay(map)
    let work = day.place(distance)
    day.stand(.hours(day.number(6.5...8)), .indoors)
    day.walk(to: day.place(100...500))
    day.stay(minutes: 1...10, .outdoors)
    day.ride(to: day.place(50...400, from: work), ride)
    day.walk(to: work, walking)
    day.stay(minutes: 180...270)
    day.walk(to: day.place(150...600, from: work), .urbanCanyon)
    day.stay(minutes: 15...45)
    day.walk(to: work, .urbanCanyon)
    day.stay(minutes: 180...240)
    let shop = day.place(300...1500)
    day.ride(to: day.place(50...300, from: shop), ride)
    day.walk(to: shop, walking)
    day.stay(minutes: 5...30)
    day.walk(to: (0, 0))
    day.sleep()
    day.addZones()
    return day
  }
}
