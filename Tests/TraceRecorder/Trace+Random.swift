import AlarmEngine
import Geometry
import PAD
import TestSupport

extension Trace {
  /// A journey with every possible fault, among zones of every kind.
  static func journey(seed: UInt64) -> Trace {
    let journey = RandomJourney(seed: seed, fixes: 400)
    return Trace(name: "journey-\(seed)", pad: PADWriter.write(journey.zones).bytes, fixes: journey.fixes)
  }

  /// A random walk of some kilometres anywhere on earth, including poles and the antimeridian, among outlines
  /// with many vertices; fixes come late, twice and out of order.
  static func wander(seed: UInt64) -> Trace {
    var generator = SeededGenerator(seed: seed)
    let home = generator.awkwardCoordinate()
    let zones = (1...8).map { zone(number: $0, near: home, &generator) }
    var fixes = walk(from: home, &generator)
    for _ in 0..<40 {
      let from = Int.random(in: 0..<fixes.count, using: &generator)
      let to = Int.random(in: 0..<fixes.count, using: &generator)
      if Bool.random(using: &generator) { fixes.swapAt(from, to) } else { fixes.insert(fixes[from], at: to) }
    }
    return Trace(name: "wander-\(seed)", pad: PADWriter.write(zones).bytes, fixes: fixes)
  }

  private static func zone(
    number: UInt64, near home: Coordinate, _ generator: inout SeededGenerator
  ) -> Zone {
    let center = generator.coordinate(near: home, within: 2000)
    let radius = generator.double(in: 50...900)
    let corners = Int.random(in: 3...60, using: &generator)
    let outline: ZoneOutline =
      switch number % 4 {
      case 0: .locations([center])
      case 1: .path([center, generator.coordinate(near: center, within: 1500)])
      default: .locations(generator.ring(around: center, radius: radius, count: corners).vertices)
      }
    return Zone.valid(
      id: ZoneID(rawValue: number), name: Text("zone \(number)"),
      size: .metres(generator.double(in: 20...200)),
      inset: .metres(generator.double(in: -40...20)), alertDistance: .metres(generator.double(in: 0...100)),
      outline: outline, edges: number % 3 == 0 ? .lonLat : .geodesic)
  }

  private static func walk(from home: Coordinate, _ generator: inout SeededGenerator) -> [Fix] {
    var place = home
    var time = Instant(millisecondsSince1970: 1_700_000_000_000)
    var heading = generator.double(in: -180...180)
    return (0..<400).map { _ in
      let seconds = generator.double(in: 1...20)
      let speed = generator.double(in: 0...15)
      if place.distance(to: home) > .metres(2500) {
        heading = Geodesic(from: place, to: home).azimuthAtStart.degrees
      }
      heading += 20 * generator.normal()
      place = Geodesic.destination(
        from: place, azimuth: .degrees(heading), distance: .metres(speed * seconds))
      time = time + .seconds(seconds)
      let accuracy = generator.double(in: 3...40)
      let seen = Geodesic.destination(
        from: place, azimuth: .degrees(generator.double(in: -180...180)),
        distance: .metres(abs(accuracy * generator.normal())))
      return Fix(
        position: seen,
        accuracy: generator.double(in: 0...1) < 0.05 ? .unstated : .radius(.metres(accuracy)),
        measuredAt: time, receivedAt: time + .seconds(generator.double(in: 0...5)),
        speed: .metresPerSecond(speed))
    }
  }
}
