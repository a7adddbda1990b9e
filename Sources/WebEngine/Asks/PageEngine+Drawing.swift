import AlarmEngine
import Geometry

extension PageEngine {
  /// The lines of a zone that is being drawn, and what is wrong with it.
  ///
  /// `features` as `map_lines` has them, with a `crossing` line for each edge that crosses another; `shape` (`circle`,
  /// `strip`, `area`, `path`, `parts`); `area_m2` of what was drawn (rough); `center`; `top` of the alert line, or of the
  /// outermost one; `south`, `north`, `west`, `east` of all lines; `middles` of the edges between its places, in order;
  /// `crossings` (pairs of edge numbers); `pieces` into which the inset leaves it; `never` (it leaves nothing);
  /// `urgency` in a word; `lateness_forecast` of a zone that rings on entry: the metres beyond its edge at which the alarm can come
  /// on foot and at the maximum speed; `problem` (why there is no area); `refused_zone` when it may not be saved like this.
  func draw(_ fields: Fields) throws(Refusal) -> PageValue {
    let draft = try fields.draft("zone")
    let tolerance = Distance.metres(try fields.asked(number: "tolerance_m", 0.01...1e6) ?? 1)
    let isCoarse = try fields.asked(bool: "coarse") == true
    let effort = isCoarse ? Self.quickEffort : 4000
    let (zone, shape): (Zone, Shape)
    do throws(ZoneError) {
      zone = try Zone(draft)
      shape = try zone.shape(defaultRadius: settings.defaultRadius)
    } catch {
      return .map([
        .init("problem", .text(error.word)), .init("refused_zone", .bool(true)),
        .init("urgency", .text(Self.urgency(draft.priority))),
      ])
    }
    let drawing = ZoneDrawing(zone, Outline(shape), tolerance: isCoarse ? tolerance * 3 : tolerance)
    let deepest = drawing.outline.deepestPoint(effort: effort)
    let crossings = Self.crossings(shape)
    var text = FeatureText()
    drawing.write(to: &text, [])
    let edges = Self.edges(of: draft)
    for edge in edges.indices where crossings.contains(where: { $0.first == edge || $0.second == edge }) {
      let places = Self.line(edges[edge])
      text.line(FlatRing(places, around: drawing.middle, isClosed: false), [.init("kind", "crossing")])
    }
    var entries: [PageValue.Entry] = [
      .init("features", .bytes(text.bytes)), .init("shape", .text(Self.word(draft, shape))),
      .init("area_m2", .number(drawing.area)), .init("center", EventForm.place(deepest.point)),
      .init("middles", ZoneForm.list(edges.map { Self.between($0, 0.5) })),
      .init(
        "crossings",
        .list(crossings.map { .list([.integer(Int64($0.first)), .integer(Int64($0.second))]) })),
      .init("pieces", .integer(Int64(FlatRing.areas(drawing.effective).count))),
      .init("never", .bool(deepest.isEmptied(by: zone.inset))),
      .init("refused_zone", .bool(!crossings.isEmpty)), .init("urgency", .text(Self.urgency(draft.priority))),
    ]
    if let latenessForecast = LatenessForecast(zone) {
      entries.append(.init("lateness_forecast", self.form(of: latenessForecast)))
    }
    if let frame = drawing.frame {
      entries += [
        .init("south", .number(frame.south)), .init("north", .number(frame.north)),
        .init("west", .number(frame.west)), .init("east", .number(frame.east)),
        .init("top", .list([.number(frame.top.y), .number(frame.top.x)])),
      ]
    }
    return .map(entries)
  }

  /// On foot and at the maximum speed: how far beyond the edge the alarm can come, and what would let it come before.
  private func form(of latenessForecast: LatenessForecast) -> PageValue {
    let fastest = settings.maximumSpeed
    return .map([
      .init("on_foot_m", .number(latenessForecast.beyondEdge(at: Self.onFoot).metres)),
      .init("fastest_m_s", .number(fastest.metresPerSecond)),
      .init("fastest_m", .number(latenessForecast.beyondEdge(at: fastest).metres)),
      .init("alert_distance_m", .number(latenessForecast.alertDistance(for: fastest).metres)),
    ])
  }
  private static let onFoot = Speed.metresPerSecond(1.4)

  private static func word(_ zone: ZoneDraft, _ shape: Shape) -> Text {
    switch (zone.outline, shape) {
    case (.path, _): "path"
    case (.area, _): "parts"
    case (.locations, .circle): "circle"
    case (.locations, .corridor): "strip"
    case (.locations, .polygon): "area"
    }
  }

  private static func crossings(_ shape: Shape) -> [SelfCrossing] {
    guard case .polygon(let polygon) = shape, polygon.parts.count == 1 else { return [] }
    return selfCrossings(of: polygon.parts[0].outer, edges: polygon.edges, limit: 20)
  }

  // MARK: Edges between the places of a zone

  private struct PlacedEdge {
    let from: Coordinate
    let to: Coordinate
    let kind: EdgeKind
  }

  private static func edges(of zone: ZoneDraft) -> [PlacedEdge] {
    guard let (places, isClosed) = places(of: zone), places.count > 1 else { return [] }
    return (0..<(isClosed ? places.count : places.count - 1)).map {
      PlacedEdge(from: places[$0], to: places[($0 + 1) % places.count], kind: zone.edges)
    }
  }

  /// The places of a zone that are points to drag, and whether the last is joined to the first.
  private static func places(of zone: ZoneDraft) -> (places: [Coordinate], isClosed: Bool)? {
    switch zone.outline {
    case .locations(let all): (all, all.count >= 3)
    case .path(let all): (all, false)
    case .area: nil
    }
  }

  private static func between(_ edge: PlacedEdge, _ fraction: Double) -> Coordinate {
    switch edge.kind {
    case .geodesic:
      let way = Geodesic(from: edge.from, to: edge.to)
      return way.point(at: way.length * fraction)
    case .lonLat:
      let (a, b) = (edge.from, edge.to)
      let turn = FlatRing.turn(from: a.longitude.degrees, to: b.longitude.degrees)
      return Coordinate(
        latitude: .degrees(a.latitude.degrees + (b.latitude.degrees - a.latitude.degrees) * fraction),
        longitude: .degrees(a.longitude.degrees + turn * fraction))
    }
  }

  private static func line(_ edge: PlacedEdge) -> [Coordinate] {
    (0...16).map { between(edge, Double($0) / 16) }
  }

  /// The index at which a further point belongs: between the ends of the edge nearest to it, at the end of a path
  /// where an end is nearer than any edge's inside. The points of an area are counted ring after ring, part after part.
  func insertion(_ fields: Fields) throws(Refusal) -> PageValue {
    let zone = try fields.draft("zone")
    let place = try fields.place("place")
    let index: Int
    switch zone.outline {
    case .locations(let places):
      index = Self.insertion(of: place, into: places, isClosed: places.count >= 3, zone.edges)
    case .path(let places): index = Self.insertion(of: place, into: places, isClosed: false, zone.edges)
    case .area(let polygon): index = Self.insertion(of: place, into: polygon)
    }
    return .map([.init("index", .integer(Int64(index)))])
  }

  private static func insertion(
    of place: Coordinate, into places: [Coordinate], isClosed: Bool, _ kind: EdgeKind
  ) -> Int {
    guard places.count >= 2 else { return places.count }
    let best = nearestEdge(to: place, of: places, isClosed: isClosed, kind)
    if !isClosed {
      let nearEnd = Self.edgeHalfWidth * 2
      if Geodesic(from: places[0], to: place).length <= best.distance + nearEnd { return 0 }
      let last = places[places.count - 1]
      if Geodesic(from: last, to: place).length <= best.distance + nearEnd { return places.count }
    }
    return best.start + 1
  }

  private static func insertion(of place: Coordinate, into polygon: Polygon) -> Int {
    var best: (distance: Distance, index: Int)?
    var counted = 0
    for ring in polygon.parts.flatMap({ [$0.outer] + $0.holes }) {
      let edge = nearestEdge(to: place, of: ring.vertices, isClosed: true, polygon.edges)
      if best.map({ edge.distance < $0.distance }) ?? true {
        best = (edge.distance, counted + edge.start + 1)
      }
      counted += ring.vertices.count
    }
    return best?.index ?? counted
  }

  private static let edgeHalfWidth = Distance.metres(0.01)

  /// The first of the edges nearest to a place, and how far it is. At least two places.
  private static func nearestEdge(
    to place: Coordinate, of places: [Coordinate], isClosed: Bool, _ kind: EdgeKind
  ) -> (start: Int, distance: Distance) {
    let edges = (0..<(isClosed ? places.count : places.count - 1)).map { start in
      let ends = [places[start], places[(start + 1) % places.count]]
      let edge = Outline(.corridor(path: ends, halfWidth: edgeHalfWidth, edges: kind))
      return (start: start, distance: edge.signedDistance(from: place))
    }
    var best = edges[0]
    for edge in edges where edge.distance < best.distance { best = edge }
    return best
  }
}
