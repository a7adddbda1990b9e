import AlarmEngine
import CommandLineSupport
import Geometry

/// The lines of a zone on a map.
struct ZoneLines {
  /// The outline as drawn or imported.
  let outline: [[DrawnPoint]]
  /// The outline after the inset; empty if the inset leaves nothing.
  let effective: [[DrawnPoint]]
  /// The line at which the zone rings; nil without an alert distance.
  let alert: [[DrawnPoint]]?
  let box: DrawnBox
  /// True if the lines cross themselves, so that the zone is the area that they wind around.
  let isWound: Bool

  /// The number of squares along the longer side of a zone.
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

    let finest = max(box.width, box.height) / Double(Self.resolution)
    // The border of a path turns back on itself on the inside of a bend, which shows where it is wide.
    if case .corridor(let path, let halfWidth, _) = shape {
      isWound = path.count == 2 || min(halfWidth, halfWidth - zone.inset).metres < 3 * finest
    } else {
      isWound = false
    }
    let isWound = isWound

    func line(at level: Distance) -> [[DrawnPoint]] {
      if let moved = Self.moved(placed.outline, by: level, isWound: isWound) {
        return moved.boundary(tolerance: .metres(max(0.02, finest / 30))).map(map.line)
      }
      let lines = OffsetContour.trace(
        from: .init(x: box.low.x, y: box.low.y), side: max(box.width, box.height),
        resolution: Self.resolution, level: level.metres, slope: slope * 1.02,
        field: { placed.outline.signedDistance(from: map.place(DrawnPoint(x: $0.x, y: $0.y))).metres })
      return lines.map { line in
        let drawn = line.map { DrawnPoint(x: $0.x, y: $0.y) }
        return simplified(drawn, tolerance: finest / 20).map { drawn[$0] }
      }
    }

    outline = line(at: .zero)
    effective = zone.inset == .zero ? outline : line(at: -zone.inset)
    alert = zone.alertDistance > .zero ? line(at: zone.alertDistance - zone.inset) : nil
    self.box = DrawnBox((outline + effective + (alert ?? [])).joined()) ?? bones
  }

  /// The outline at a level, if it follows from the shape; nil if the level line has to be traced.
  private static func moved(_ outline: Outline, by level: Distance, isWound: Bool) -> Outline? {
    switch outline.shape {
    case .circle(let center, let radius):
      Outline(.circle(center: center, radius: radius + level))
    case .corridor(let path, let halfWidth, let edges):
      isWound ? Outline(.corridor(path: path, halfWidth: halfWidth + level, edges: edges)) : nil
    case .polygon:
      level == .zero ? outline : nil
    }
  }

  /// The places that define a shape.
  private static func bones(of shape: Shape) -> [Coordinate] {
    switch shape {
    case .circle(let center, _): [center]
    case .corridor(let path, _, _): path
    case .polygon(let polygon): polygon.parts.flatMap(\.outer.vertices)
    }
  }

  /// The distance of the outline from `bones`, in metres.
  private static func reach(of shape: Shape) -> Double {
    switch shape {
    case .circle(_, let radius): radius.metres
    case .corridor(_, let halfWidth, _): halfWidth.metres
    case .polygon: 0
    }
  }
}
