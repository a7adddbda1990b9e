import AlarmEngine
import Geometry

/// The lines of a zone on a map.
struct ZoneLines {
  /// What was drawn or imported.
  let outline: [[DrawnPoint]]
  /// What counts, with the inset; empty when the inset leaves nothing.
  let effective: [[DrawnPoint]]
  /// Where it rings; nil without an alert distance.
  let alert: [[DrawnPoint]]?
  let box: DrawnBox

  /// Squares along the longer side of a zone.
  private static let resolution = 128

  init?(_ placed: PlacedZone, on map: MapProjection) {
    let zone = placed.zone
    let shape = placed.outline.shape
    guard let bones = DrawnBox(Self.bones(of: shape).map(map.point)) else { return nil }
    let widest = max(
      0, Self.reach(of: shape), Self.reach(of: shape) - zone.inset.metres + max(0, zone.alertDistance.metres))
    // Metres of the map grow towards the poles.
    let stretch = 1 / min(map.groundMetres(atHeight: bones.low.y), map.groundMetres(atHeight: bones.high.y))
    let box = bones.grown(by: widest * stretch * 1.1 + 0.02 * max(bones.width, bones.height) + 0.5)
    let slope = max(
      map.groundMetres(atHeight: box.low.y), map.groundMetres(atHeight: box.high.y),
      box.low.y < 0 && box.high.y > 0 ? 1 : 0)

    func line(at level: Distance) -> [[DrawnPoint]] {
      if case .circle(let center, let radius) = shape {
        return Self.circle(center, radius + level, on: map)
      }
      let lines = LevelLine.trace(
        in: box, resolution: Self.resolution, level: level.metres, slope: slope * 1.02,
        field: { placed.outline.signedDistance(from: map.place($0)).metres })
      let tolerance = max(box.width, box.height) / Double(Self.resolution) / 20
      return lines.map { line in simplified(line, tolerance: tolerance).map { line[$0] } }
    }

    outline = Self.drawnOutline(of: shape, on: map) ?? line(at: .zero)
    effective = zone.inset == .zero ? outline : line(at: -zone.inset)
    alert = zone.alertDistance > .zero ? line(at: zone.alertDistance - zone.inset) : nil
    self.box = DrawnBox((outline + effective + (alert ?? [])).joined()) ?? bones
  }

  private static func circle(_ center: Coordinate, _ radius: Distance, on map: MapProjection)
    -> [[DrawnPoint]]
  {
    guard radius > .zero else { return [] }
    return [
      stride(from: 0.0, to: 360, by: 4).map {
        map.point(Geodesic.destination(from: center, azimuth: .degrees($0), distance: radius))
      }
    ]
  }

  /// The vertices of a polygon, long geodesic edges bent as they are; nil for shapes that have none.
  private static func drawnOutline(of shape: Shape, on map: MapProjection) -> [[DrawnPoint]]? {
    guard case .polygon(let polygon) = shape else { return nil }
    return polygon.parts.flatMap { [$0.outer] + $0.holes }.map { ring in
      var line: [DrawnPoint] = []
      for (index, vertex) in ring.vertices.enumerated() {
        line.append(map.point(vertex))
        guard polygon.edges == .geodesic else { continue }
        let way = Geodesic(from: vertex, to: ring.vertices[(index + 1) % ring.vertices.count])
        let pieces = min(64, Int(way.length.metres / 20_000))
        for piece in stride(from: 1, through: pieces, by: 1) {
          line.append(map.point(way.point(at: way.length * (Double(piece) / Double(pieces + 1)))))
        }
      }
      return line
    }
  }

  /// The places a shape is made of.
  private static func bones(of shape: Shape) -> [Coordinate] {
    switch shape {
    case .circle(let center, _): [center]
    case .corridor(let path, _, _): path
    case .polygon(let polygon): polygon.parts.flatMap(\.outer.vertices)
    }
  }

  /// How far the outline lies from them, in metres.
  private static func reach(of shape: Shape) -> Double {
    switch shape {
    case .circle(_, let radius): radius.metres
    case .corridor(_, let halfWidth, _): halfWidth.metres
    case .polygon: 0
    }
  }
}
