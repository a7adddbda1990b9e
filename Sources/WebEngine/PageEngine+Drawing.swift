import AlarmEngine
import Geometry

extension PageEngine {
  /// The lines of a zone that is being drawn, and what is wrong with it.
  ///
  /// `outline`, `effective` (with the inset), `alert`: lists of rings of places; `area_m2` of the outline's first ring
  /// (rough), `center`, `south`, `north`, `west`, `east` (of all lines), `crossings` (pairs of edge numbers),
  /// `problem` (why there is no area), `never` (the inset leaves nothing).
  func draw(_ fields: Fields) throws(Refusal) -> PageValue {
    let zone = try fields.zone("zone")
    let tolerance = Distance.metres(try fields.asked(number: "tolerance_m", 0.01...10_000) ?? 1)
    let shape: Shape
    do throws(ZoneError) {
      shape = try zone.shape(defaultRadius: settings.defaultRadius)
    } catch {
      return .map([.init("problem", .text(error.word))])
    }
    let outline = Outline(shape)
    var entries: [PageValue.Entry] = []
    func add(_ key: Text, _ value: PageValue) { entries.append(.init(key, value)) }
    func rings(_ rings: [[Coordinate]]) -> PageValue { .list(rings.map { ZoneForm.list($0) }) }
    let drawn = outline.levelLine(at: .zero, tolerance: tolerance)
    let effective =
      zone.inset == .zero ? drawn : outline.levelLine(at: .zero - zone.inset, tolerance: tolerance)
    add("outline", rings(drawn))
    add("effective", rings(effective))
    var all = drawn + effective
    if zone.alertDistance > .zero {
      let alert = outline.levelLine(at: zone.alertDistance - zone.inset, tolerance: tolerance)
      add("alert", rings(alert))
      all += alert
    }
    add("never", .bool(effective.isEmpty))
    add("area_m2", .number(drawn.map { Self.area($0) }.max() ?? 0))
    let middle = outline.deepest.point
    add("center", EventForm.place(middle))
    if let frame = Self.frame(all, around: middle) { entries += frame }
    add(
      "crossings",
      .list(Self.crossings(shape).map { .list([.integer(Int64($0.first)), .integer(Int64($0.second))]) }))
    return .map(entries)
  }

  private static func crossings(_ shape: Shape) -> [SelfCrossing] {
    guard case .polygon(let polygon) = shape, polygon.parts.count == 1 else { return [] }
    return selfCrossings(of: polygon.parts[0].outer, edges: polygon.edges, limit: 20)
  }

  /// In a plane about the first point: a figure for people, right to a percent for zones of up to 100 km.
  private static func area(_ ring: [Coordinate]) -> Double {
    guard let origin = ring.first else { return 0 }
    let metres = 111_195.0
    let shrink = Trigonometry.cosine(origin.latitude.radians)
    var sum = 0.0
    var former = (x: 0.0, y: 0.0)
    for place in ring.dropFirst() + [origin] {
      let x = turn(from: origin, to: place) * metres * shrink
      let y = (place.latitude.degrees - origin.latitude.degrees) * metres
      sum += former.x * y - x * former.y
      former = (x, y)
    }
    return abs(sum) / 2
  }

  /// Degrees of longitude to go east, -180 to 180.
  private static func turn(from a: Coordinate, to b: Coordinate) -> Double {
    let turn = b.longitude.degrees - a.longitude.degrees
    return turn > 180 ? turn - 360 : turn < -180 ? turn + 360 : turn
  }

  /// `west` may lie below -180 and `east` above 180, so that maps need no case for the antimeridian.
  private static func frame(_ rings: [[Coordinate]], around middle: Coordinate) -> [PageValue.Entry]? {
    var south = 90.0
    var north = -90.0
    var west = 360.0
    var east = -360.0
    for place in rings.joined() {
      south = min(south, place.latitude.degrees)
      north = max(north, place.latitude.degrees)
      let turn = turn(from: middle, to: place)
      west = min(west, turn)
      east = max(east, turn)
    }
    guard south <= north else { return nil }
    return [
      .init("south", .number(south)), .init("north", .number(north)),
      .init("west", .number(middle.longitude.degrees + west)),
      .init("east", .number(middle.longitude.degrees + east)),
    ]
  }

  /// The index at which a further point belongs: between the ends of the edge nearest to it, at the end of a path
  /// where an end is nearer than any edge's inside.
  func insertion(_ fields: Fields) throws(Refusal) -> PageValue {
    let zone = try fields.zone("zone")
    let place = try fields.place("place")
    let places: [Coordinate]
    let isClosed: Bool
    switch zone.outline {
    case .locations(let all): (places, isClosed) = (all, all.count >= 3)
    case .path(let all): (places, isClosed) = (all, false)
    case .area: throw .field(.init("zone", .wrongKind))
    }
    return .map([.init("index", .integer(Int64(Self.insertion(of: place, into: places, isClosed: isClosed))))]
    )
  }

  private static func insertion(of place: Coordinate, into places: [Coordinate], isClosed: Bool) -> Int {
    guard places.count >= 2 else { return places.count }
    var best = (distance: Double.greatestFiniteMagnitude, index: places.count)
    for start in 0..<(isClosed ? places.count : places.count - 1) {
      let edge = Outline(
        .corridor(
          path: [places[start], places[(start + 1) % places.count]], halfWidth: .metres(0.01),
          edges: .geodesic))
      let distance = edge.signedDistance(from: place).metres
      if distance < best.distance { best = (distance, start + 1) }
    }
    if !isClosed {
      let nearEnd = 0.02
      if Geodesic(from: places[0], to: place).length.metres <= best.distance + nearEnd { return 0 }
      let last = places[places.count - 1]
      if Geodesic(from: last, to: place).length.metres <= best.distance + nearEnd { return places.count }
    }
    return best.index
  }
}
