/// A circle for the cells: its centre, and the metres of a tile there.
struct GridCircle: Sendable {
  let u: Double
  let v: Double
  /// Metres, less the inset.
  let radius: Double
  /// The greatest error of a distance in the plane, metres.
  let error: Double
  /// Metres for a tile of longitude and of latitude.
  let east: Double
  let north: Double
  /// True if the error is small beside the circle.
  let isSmall: Bool
  private let scale: GridScale

  init(center: Coordinate, radius: Double, scale: GridScale) {
    let longitude = center.longitude.degrees
    u = scale.u(longitude == 180 ? -180 : longitude)
    v = scale.v(center.latitude.degrees)
    self.radius = radius
    self.scale = scale
    let scales = scale.metres(latitude: center.latitude.degrees)
    (east, north) = (scales.east.metres, scales.north.metres)
    let highest = abs(center.latitude.degrees) + (radius + 1) / Earth.leastMetresPerDegree
    let cosine = highest < 89.9 ? Trigonometry.sineAndCosine(ofDegrees: highest).cosine : 0
    let ratio = cosine > 0 ? radius / (cosine * Chord.leastRadius) : 1
    error = 0.4 * radius * ratio * ratio + 1e-6
    isSmall = radius <= 20_000 && cosine > 0 && error < 0.5 && ratio < 0.01
  }

  private var reachNorth: Double {
    (max(0, radius) + 1) / (Earth.leastMetresPerDegree / scale.tilesPerDegree)
  }
  private var reachEast: Double {
    // Within the circle a tile is narrower than at the centre, by less than the ratio that `isSmall` allows.
    (max(0, radius) + 1) / east * 1.02
  }
  var rows: ClosedRange<Int> {
    max(0, Int((v - reachNorth).rounded(.down)))...min(scale.rows - 1, Int((v + reachNorth).rounded(.down)))
  }
  var columns: ClosedRange<Int> {
    Int((u - reachEast).rounded(.down))...Int((u + reachEast).rounded(.down))
  }
}
