import Geometry
import TestSupport
import Testing

@Suite("Arcs over the ellipsoid")
struct GeodesicArcTests {
  @Test(arguments: Seeds.few(20))
  func `every place is as far from the centre as is said, and no edge far off`(
    seed: Int
  ) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let center = Coordinate(
      latitude: .degrees(.random(in: -80...80, using: &generator)),
      longitude: .degrees(.random(in: -180...180, using: &generator)))
    let radius = Double.random(in: 2...200_000, using: &generator)
    let from = Double.random(in: -360...360, using: &generator)
    let sweep = Double.random(in: 1...359, using: &generator)
    let clockwise = Bool.random(using: &generator)
    let arc = GeodesicArc(
      around: center, from: .degrees(from), to: .degrees(from + (clockwise ? sweep : -sweep)),
      radius: .metres(radius), clockwise: clockwise)
    let places = arc.places
    #expect(places.count >= 3)
    for (a, b) in zip(places, places.dropFirst()) {
      let line = Geodesic(from: a, to: b)
      #expect(abs(center.distance(to: a).metres - radius) < 1e-6)
      #expect(
        (radius - 0.51...radius + 1e-6).contains(
          center.distance(to: line.point(at: line.length * 0.5)).metres))
    }
    // The other way round: the rest of the circle.
    let rest = GeodesicArc(
      around: center, from: arc.from, to: arc.to, radius: .metres(radius), clockwise: !clockwise)
    func length(_ places: [Coordinate]) -> Double {
      zip(places, places.dropFirst()).reduce(0) { $0 + Geodesic(from: $1.0, to: $1.1).length.metres }
    }
    let circumference = 2 * Double.pi * radius
    #expect(abs(length(places) + length(rest.places) - circumference) < circumference * 0.1)
    #expect(abs(length(places) - circumference * sweep / 360) < circumference * 0.1)
  }

  @Test func `ends are kept as they were given, also where they are not equally far`() {
    let center = Coordinate(latitude: .degrees(46), longitude: .degrees(14))
    let first = Coordinate(latitude: .degrees(46.1), longitude: .degrees(14))
    let last = Coordinate(latitude: .degrees(46), longitude: .degrees(14.3))
    let arc = GeodesicArc(around: center, from: first, to: last, clockwise: true)
    #expect(arc.places.first == first && arc.places.last == last)
    let radii = arc.places.map { center.distance(to: $0).metres }
    #expect(zip(radii, radii.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func `an arc back to where it began is a whole circle`() {
    let center = Coordinate(latitude: .degrees(0), longitude: .degrees(179.99))
    let arc = GeodesicArc(
      around: center, from: .degrees(10), to: .degrees(370), radius: .metres(5000), clockwise: false)
    #expect(arc.places.first!.distance(to: arc.places.last!).metres < 1e-6)
    #expect(arc.places.count > 100)
  }
}
