/// One edge of a ring as it is walked, before it is cut into pieces.
struct RingLeg {
  let from: Coordinate
  let to: Coordinate
  /// Degrees; a pole has those of the walk.
  let fromLongitude: Double
  let toLongitude: Double
  /// Degrees of longitude walked, east positive.
  var sweep: Double
  /// Degrees of longitude as written, not turned to the short way.
  var writtenSweep: Double { toLongitude - fromLongitude }
  /// True if the leg stays on a pole: it is no line, but gives the meridians between its neighbours.
  let isHop: Bool
  /// True if inside and outside meet here.
  var bounds = false
  let kind: EdgeKind

  init(from: Coordinate, to: Coordinate, kind: EdgeKind, fromLongitude: Double, toLongitude: Double) {
    self.from = from
    self.to = to
    self.kind = kind
    self.fromLongitude = fromLongitude
    self.toLongitude = toLongitude
    sweep = Coordinate.wrapped(toLongitude - fromLongitude)
    isHop = abs(from.latitude.degrees) == 90 && from.latitude == to.latitude
  }

  var isNorthernHop: Bool { isHop && from.latitude.degrees > 0 }

  /// The same for an edge and its way back, for ±180° and for every longitude of a pole.
  struct Key: Hashable {
    let south: UInt64
    let west: UInt64
    let north: UInt64
    let east: UInt64
  }

  /// Nil for an edge without length.
  var key: Key? {
    let (a, b) = (Self.normal(from), Self.normal(to))
    if a == b { return nil }
    let (first, second) = a < b ? (a, b) : (b, a)
    return Key(
      south: first.0.bitPattern, west: first.1.bitPattern, north: second.0.bitPattern,
      east: second.1.bitPattern)
  }

  /// Latitude and longitude with one form only for each place.
  private static func normal(_ p: Coordinate) -> (Double, Double) {
    let latitude = p.latitude.degrees + 0
    if abs(latitude) == 90 { return (latitude, 0) }
    let longitude = p.longitude.degrees + 0
    return (latitude, longitude == 180 ? -180 : longitude)
  }

  /// True if the edge is kept the other way round than it is walked.
  var isReversed: Bool {
    let (a, b) = (Self.normal(from), Self.normal(to))
    return a == b ? sweep < 0 : b < a
  }

  var edge: Edge {
    isReversed
      ? Edge(start: to, end: from, sweep: -sweep, kind: kind)
      : Edge(start: from, end: to, sweep: sweep, kind: kind)
  }

  // MARK: Rings

  /// The legs of a closed ring.
  static func legs(of ring: Ring, kind: EdgeKind) -> [RingLeg] {
    let places = ring.vertices
    var legs: [RingLeg] = []
    legs.reserveCapacity(places.count)
    // On a pole a geodesic arrives and leaves by the meridians of its neighbours; in longitude and latitude a
    // pole has the longitudes that are written.
    var arrival = places[0].longitude.degrees
    if kind == .geodesic, isPole(places[0]),
      let before = places.last(where: { !isPole($0) })
    {
      arrival = before.longitude.degrees
    }
    for (index, from) in places.enumerated() {
      let to = places[index + 1 == places.count ? 0 : index + 1]
      var departure = from.longitude.degrees
      if kind == .geodesic, isPole(from), !isPole(to) {
        departure = to.longitude.degrees
        legs.append(
          RingLeg(from: from, to: from, kind: kind, fromLongitude: arrival, toLongitude: departure))
      } else if kind == .geodesic, isPole(from) {
        departure = arrival
      }
      let end = kind == .geodesic && isPole(to) ? departure : to.longitude.degrees
      legs.append(RingLeg(from: from, to: to, kind: kind, fromLongitude: departure, toLongitude: end))
      arrival = end
    }
    return legs
  }

  private static func isPole(_ p: Coordinate) -> Bool { abs(p.latitude.degrees) == 90 }

  /// Decides which legs of a part's rings bound it, and which way hops along a pole and lines all around go.
  ///
  /// An edge walked an even number of times bounds nothing: the cut of a keyhole, a spike, the seam of a ring
  /// that was led along ±180° to a pole and back.
  static func settle(_ rings: inout [[RingLeg]]) {
    for index in rings.indices { settleHops(&rings[index]) }
    if markBounds(&rings) { return }

    // Nothing is left: either the ring is the frame of a map, and its lines from -180° to 180° go all around, ...
    for ring in rings.indices {
      for leg in rings[ring].indices where abs(rings[ring][leg].writtenSweep) == 360 || rings[ring][leg].isHop
      {
        rings[ring][leg].sweep = rings[ring][leg].writtenSweep
      }
    }
    if markBounds(&rings) { return }
    var around = 0.0
    for ring in rings { for leg in ring where leg.isNorthernHop { around += leg.sweep } }
    if abs(around) > 359 { return }

    // ... or it has no area, and what it has is its lines.
    var lines: Set<Key> = []
    for ring in rings.indices {
      for leg in rings[ring].indices where rings[ring][leg].isHop { rings[ring][leg].sweep = 0 }
      markLines(&rings[ring], &lines)
    }
  }

  /// Makes each line bound where it is walked first, so that a phone that lay still, or a line walked to and
  /// fro, is measured once. Of legs that never leave a place the first bounds.
  static func markLines(_ legs: inout [RingLeg], _ lines: inout Set<Key>) {
    var any = false
    for index in legs.indices {
      legs[index].bounds = legs[index].key.map { lines.insert($0).inserted } ?? false
      if legs[index].bounds { any = true }
    }
    if !any { legs[0].bounds = true }
  }

  /// A line along a pole goes the way that closes the ring: `180,-90` to `-180,-90` is all the way back.
  private static func settleHops(_ ring: inout [RingLeg]) {
    guard ring.contains(where: { $0.isHop && $0.sweep != $0.writtenSweep }) else { return }
    var sum = 0.0
    for leg in ring { sum += leg.sweep }
    for index in ring.indices where ring[index].isHop && ring[index].sweep != ring[index].writtenSweep {
      let other = sum - ring[index].sweep + ring[index].writtenSweep
      guard abs(other) < abs(sum) - 1 else { continue }
      sum = other
      ring[index].sweep = ring[index].writtenSweep
    }
  }

  /// True if any leg bounds.
  private static func markBounds(_ rings: inout [[RingLeg]]) -> Bool {
    if rings.count == 1, rings[0].count <= fewLegs { return markFewBounds(&rings[0]) }
    var walked: [Key: Int32] = [:]
    for ring in rings {
      for leg in ring where !leg.isHop {
        if let key = leg.key { walked[key, default: 0] += 1 }
      }
    }
    var any = false
    for ring in rings.indices {
      for index in rings[ring].indices where !rings[ring][index].isHop {
        let leg = rings[ring][index]
        let odd = leg.key.map { walked[$0, default: 0] & 1 == 1 } ?? (abs(leg.sweep) == 360)
        rings[ring][index].bounds = odd
        if odd { any = true }
      }
    }
    return any
  }

  /// The number of legs up to which comparing all pairs is faster than hashing.
  private static let fewLegs = 32

  private static func markFewBounds(_ ring: inout [RingLeg]) -> Bool {
    let keys = ring.map { $0.isHop ? nil : $0.key }
    var any = false
    for index in ring.indices where !ring[index].isHop {
      var odd = abs(ring[index].sweep) == 360
      if let key = keys[index] {
        odd = false
        for other in keys where other == key { odd.toggle() }
      }
      ring[index].bounds = odd
      if odd { any = true }
    }
    return any
  }
}
