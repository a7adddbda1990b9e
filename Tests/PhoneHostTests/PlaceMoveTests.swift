import Geometry
import PhoneHost
import TestSupport
import Testing

@Suite("Places moved to the Atlantic")
struct PlaceMoveTests {
  /// The greatest change of the distance between two places that are about a kilometre apart, `away` from the
  /// origin, in metres; all latitudes, all turns.
  private func error(away: Double) -> Double {
    var random = SeededGenerator(seed: 11)
    var worst = 0.0
    for _ in 0..<400 {
      let origin = Coordinate(
        latitude: .degrees(random.double(in: -80...80)), longitude: .degrees(random.double(in: -180...180)))
      let move = PlaceMove(origin: origin, turn: .degrees(random.double(in: 0...360)), lift: .zero)
      let a = Geodesic.destination(
        from: origin, azimuth: .degrees(random.double(in: 0...360)), distance: .metres(away))
      let b = Geodesic.destination(
        from: a, azimuth: .degrees(random.double(in: 0...360)), distance: .metres(1000))
      worst = max(worst, abs(move.moved(a).distance(to: move.moved(b)).metres - a.distance(to: b).metres))
    }
    return worst
  }

  @Test func `distances stay: where one is to a nanometre, in a town to micrometres`() {
    for (away, most) in [(0.0, 1e-7), (10_000, 6e-6), (100_000, 6e-4), (300_000, 5e-3), (2_000_000, 0.3)] {
      let error = error(away: away)
      #expect(error < most, "\(away): \(error)")
    }
  }

  @Test func `the origin lies on the equator, and directions are turned`() {
    let origin = Coordinate(latitude: .degrees(51.5), longitude: .degrees(-0.12))
    let move = PlaceMove(origin: origin, turn: .degrees(90), lift: .zero)
    #expect(move.moved(origin).distance(to: PlaceMove.target).metres < 1e-6)
    let north = move.moved(Coordinate(latitude: .degrees(51.51), longitude: .degrees(-0.12)))
    #expect(abs(north.latitude.degrees) < 1e-9 && north.longitude > PlaceMove.target.longitude)
    for course in [0.0, 90, 359.5] {
      let moved = move.moved(course: .degrees(course), at: origin).degrees
      let wanted = course + 90 < 360 ? course + 90 : course - 270
      #expect(abs(moved - wanted) < 1e-9, "\(course)")
    }
  }

  @Test func `a course goes on leading where the next place is`() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      let origin = Coordinate(
        latitude: .degrees(random.double(in: -70...70)), longitude: .degrees(random.double(in: -180...180)))
      let move = PlaceMove(origin: origin, turn: .degrees(random.double(in: 0...360)), lift: .zero)
      let course = Angle.degrees(random.double(in: 0...360))
      let place = Geodesic.destination(
        from: origin, azimuth: .degrees(random.double(in: 0...360)), distance: .metres(5000))
      let next = Geodesic.destination(from: place, azimuth: course, distance: .metres(100))
      let there = Geodesic.destination(
        from: move.moved(place), azimuth: move.moved(course: course, at: place), distance: .metres(100))
      #expect(there.distance(to: move.moved(next)).metres < 1e-3)
    }
  }
}
