import Geometry

/// A line of places laid out on the flat sheet of a map: longitude to the right, latitude upwards, in degrees, without
/// a jump at the antimeridian.
struct FlatRing {
  struct Point: Equatable {
    var x: Double
    var y: Double
  }
  private(set) var points: [Point] = []

  /// - Parameter middle: longitude in degrees; the line begins within half a turn of it.
  /// - Parameter isClosed: a ring that leads once around the earth is led along the edge of the map besides, so that
  ///   it bounds what lies towards the nearer pole.
  init(_ places: [Coordinate], around middle: Double, isClosed: Bool) {
    points.reserveCapacity(places.count + 3)
    var x = middle
    for place in places {
      x += Self.turn(from: x, to: place.longitude.degrees)
      points.append(Point(x: x, y: place.latitude.degrees))
    }
    guard isClosed, let first = points.first else { return }
    let end = x + Self.turn(from: x, to: first.x)
    guard abs(end - first.x) > 180 else { return }
    var latitudes = 0.0
    for point in points { latitudes += point.y }
    let edge = latitudes < 0 ? -89.9 : 89.9
    points += [Point(x: end, y: first.y), Point(x: end, y: edge), Point(x: first.x, y: edge)]
  }

  /// Degrees of longitude to go east, at least -180 and less than 180.
  static func turn(from a: Double, to b: Double) -> Double {
    let turn = b - a
    return turn - 360 * (turn / 360 + 0.5).rounded(.down)
  }

  /// In or out by even-odd; either where it is on the line.
  func contains(_ p: Point) -> Bool {
    var isInside = false
    guard var former = points.last else { return false }
    for point in points {
      if (point.y > p.y) != (former.y > p.y),
        p.x < point.x + (p.y - point.y) / (former.y - point.y) * (former.x - point.x)
      {
        isInside.toggle()
      }
      former = point
    }
    return isInside
  }

  /// Areas, each an outer ring and the holes in it, of rings that do not cross one another.
  @inline(never) static func areas(_ rings: [FlatRing]) -> [[FlatRing]] {
    guard rings.count > 1 else { return rings.isEmpty ? [] : [rings] }
    // How many rings are around each.
    var depths: [Int] = []
    for ring in rings { depths.append(rings.count { $0.isAround(ring) }) }
    var areas: [[FlatRing]] = []
    for outer in rings.indices where depths[outer] % 2 == 0 {
      var area = [rings[outer]]
      for hole in rings.indices where depths[hole] == depths[outer] + 1 && rings[outer].isAround(rings[hole])
      {
        area.append(rings[hole])
      }
      areas.append(area)
    }
    return areas
  }

  /// A ring is not around itself: its first point is its own corner.
  private func isAround(_ other: FlatRing) -> Bool {
    points[0] != other.points[0] && contains(other.points[0])
  }
}
