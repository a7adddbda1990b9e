extension Outline {
  /// Returns the line at which the signed distance is `level`, as rings of points, for drawing: the outline
  /// grown (`level` positive) or shrunk by so many metres. It may have several parts or be empty. The first
  /// point of a ring is not repeated.
  ///
  /// - Parameters:
  ///   - tolerance: how far straight lines in longitude and latitude may stray where the line is known exactly
  ///     (circles, capsules, a polygon's own border).
  ///   - resolution: elsewhere the line is searched for on a grid of so many squares along the longer side of the
  ///     drawing, a power of two, and is right to a tenth of a square.
  /// - Precondition: `tolerance` is positive.
  public func offsetContour(at level: Distance, tolerance: Distance, resolution: Int = 128) -> [[Coordinate]]
  {
    if let moved = moved(by: level) { return moved.boundary(tolerance: tolerance) }
    let frame = Frame(bounds, grown: max(0, level.metres))
    let lines = OffsetContour.trace(
      from: frame.corner, side: frame.side, resolution: resolution, level: level.metres, slope: frame.slope,
      field: { signedDistance(from: frame.place($0)).metres })
    return lines.map { line in line.map { frame.place($0) } }
  }

  /// The outline of which `level` is the border, where there is one of the same kind.
  private func moved(by level: Distance) -> Outline? {
    switch shape {
    case .circle(let center, let radius):
      return Outline(.circle(center: center, radius: radius + level))
    case .corridor(let path, let halfWidth, let edges):
      guard path.count == 2 else { return nil }
      return Outline(.corridor(path: path, halfWidth: halfWidth + level, edges: edges))
    case .polygon:
      return level == .zero ? self : nil
    }
  }

  /// A plane in which a metre is about a metre, around an outline.
  private struct Frame {
    let corner: OffsetContour.Point
    let side: Double
    /// At most how many metres over the ground there are in one of the plane.
    let slope: Double
    private let west: Double
    private let south: Double
    private let perLatitude = Earth.leastMetresPerDegree
    private let perLongitude: Double

    init(_ bounds: Bounds, grown metres: Double) {
      let margin = metres / Earth.leastMetresPerDegree * 1.02
      let (low, high) = (max(-89.9, bounds.south.degrees - margin), min(89.9, bounds.north.degrees + margin))
      let middle = Trigonometry.sineAndCosine(ofDegrees: (low + high) / 2).cosine
      let widest =
        low <= 0 && high >= 0 ? 1 : Trigonometry.sineAndCosine(ofDegrees: min(abs(low), abs(high))).cosine
      let narrowest = Trigonometry.sineAndCosine(ofDegrees: max(abs(low), abs(high))).cosine
      let sideways = margin / max(0.001, narrowest)
      perLongitude = Earth.leastMetresPerDegree * middle
      west = bounds.west.degrees - sideways
      south = low
      let width = min(360, bounds.width.degrees + 2 * sideways) * perLongitude
      let height = (high - low) * perLatitude
      // A little room, so that no line lies on the grid's own border.
      let room = max(width, height) * 0.03 + 0.01
      corner = OffsetContour.Point(x: -room, y: -room)
      side = max(width, height) + 2 * room
      slope = max(1, widest / middle) * 1.03
    }

    func place(_ p: OffsetContour.Point) -> Coordinate {
      Coordinate(
        latitude: .degrees(max(-90, min(90, south + p.y / perLatitude))),
        longitude: .degrees(Coordinate.wrapped(west + p.x / perLongitude)))
    }
  }
}
