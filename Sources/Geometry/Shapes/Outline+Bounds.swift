extension Outline {
  /// Latitudes and longitudes that hold an outline.
  public struct Bounds: Equatable, Sendable {
    public let south: Angle
    public let north: Angle
    /// The western side, -180° to 180°.
    public let west: Angle
    /// How far it is from there to the eastern side: 0° to 360°, and so across the antimeridian.
    public let width: Angle
  }

  /// A frame around the outline, for maps: a little larger than need be, never smaller.
  public var bounds: Bounds {
    switch extent {
    case .circle(let center, let radius):
      let p = center
      return Self.bounds(
        p.latitude.degrees, p.latitude.degrees, p.longitude.degrees, p.longitude.degrees, grown: radius)
    case .corridor(let tree, let halfWidth):
      let node = tree.nodes[tree.root]
      return Self.bounds(node.south, node.north, node.west, node.east, grown: halfWidth)
    case .polygon(let tree):
      let node = tree.nodes[tree.root]
      guard node.isPolar else { return Self.bounds(node.south, node.north, node.west, node.east, grown: 0) }
      let holdsNorth = contains(Coordinate(latitude: .degrees(90), longitude: .degrees(0)))
      let holdsSouth = contains(Coordinate(latitude: .degrees(-90), longitude: .degrees(0)))
      return Self.bounds(holdsSouth ? -90 : node.south, holdsNorth ? 90 : node.north, -180, 180, grown: 0)
    }
  }

  private static func bounds(
    _ south: Double, _ north: Double, _ west: Double, _ east: Double, grown metres: Double
  ) -> Bounds {
    let margin = max(0, metres) / Earth.leastMetresPerDegree
    // Lines along a pole lie beyond it.
    let (low, high) = (max(-90, min(90, south) - margin), min(90, max(-90, north) + margin))
    var (from, width) = (west, east - west)
    if margin > 0 {
      let cosine = Trigonometry.sineAndCosine(ofDegrees: max(abs(low), abs(high))).cosine
      let side = cosine > 1e-6 && max(abs(low), abs(high)) < 90 ? margin * 1.01 / cosine : 360
      from -= side
      width += 2 * side
    }
    if width >= 360 { (from, width) = (-180, 360) }
    return Bounds(
      south: .degrees(low), north: .degrees(high), west: .degrees(Coordinate.wrapped(from)),
      width: .degrees(width))
  }

  /// A circle that holds the outline: not the smallest, never too small.
  ///
  /// - Complexity: O(n) in the number of vertices.
  public var boundingCircle: (center: Coordinate, radius: Distance) {
    switch extent {
    case .circle(let center, let radius):
      return (center, .metres(max(0, radius)))
    case .corridor(let tree, let halfWidth):
      let (center, radius) = Self.circle(around: tree, bounds)
      return (center, .metres(min(Earth.halfMeridian, radius + max(0, halfWidth))))
    case .polygon(let tree):
      let (center, radius) = Self.circle(around: tree, bounds)
      // The border keeps within the circle, but the area may lie on the other side of the border.
      let opposite = Coordinate(
        latitude: .degrees(-center.latitude.degrees), longitude: .degrees(center.longitude.degrees + 180))
      return (center, .metres(tree.isBoundless || contains(opposite) ? Earth.halfMeridian : radius))
    }
  }

  private static func circle(around tree: BoundaryTree, _ bounds: Bounds) -> (Coordinate, Double) {
    var latitude = (bounds.south.degrees + bounds.north.degrees) / 2
    if bounds.width.degrees >= 360 { latitude = latitude < 0 ? -90 : 90 }
    let center = Coordinate(
      latitude: .degrees(latitude), longitude: .degrees(bounds.west.degrees + bounds.width.degrees / 2))
    let place = center.ecef
    var chord = 0.0
    for ring in tree.rings {
      for piece in ring {
        let distance = place.squaredDistance(to: tree.places[piece]).squareRoot()
        chord = max(chord, distance + tree.sag(of: piece))
      }
      chord = max(chord, place.squaredDistance(to: tree.places[ring.upperBound]).squareRoot())
    }
    return (center, Chord.greatestGround(chord: chord))
  }
}
