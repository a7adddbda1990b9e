import AlarmEngine
import Geometry

/// The lines of one zone, as maps draw them.
struct ZoneDrawing {
  let zone: Zone
  let outline: Outline
  /// The lines of the zone's own border, before any inset.
  let drawn: [FlatRing]
  /// The border of the area that counts as inside, with the inset.
  let effective: [FlatRing]
  /// The lines at the alert distance; empty without one.
  let alert: [FlatRing]
  /// The longitude around which everything is laid out.
  let middle: Double

  /// - Parameter tolerance: how far lines may stray, half a pixel or so.
  init(_ zone: Zone, _ outline: Outline, tolerance: Distance) {
    let circle = outline.boundingCircle
    let middle = circle.center.longitude.degrees
    let reach = 2 * (circle.radius.metres + max(0, zone.alertDistance.metres - zone.inset.metres))
    let resolution = Self.resolution(side: reach, tolerance: tolerance.metres)
    func rings(_ level: Distance) -> [FlatRing] {
      outline.offsetContour(at: level, tolerance: tolerance, resolution: resolution)
        .map { FlatRing($0, around: middle, isClosed: true) }
    }
    self.zone = zone
    self.outline = outline
    self.middle = middle
    drawn = rings(.zero)
    effective = zone.inset == .zero ? drawn : rings(.zero - zone.inset)
    alert = zone.alertDistance > .zero ? rings(zone.alertDistance - zone.inset) : []
  }

  /// A searched line is right to a tenth of a square of its grid.
  private static func resolution(side: Double, tolerance: Double) -> Int {
    var squares = 16
    while squares < 256, side / Double(squares) > 10 * tolerance { squares *= 2 }
    return squares
  }

  /// `kind` is `alert`, `effective` or `drawn`; the border as drawn is left out where it is the effective one.
  func write(to text: inout FeatureText, _ properties: [FeatureText.Property]) {
    func add(_ kind: Text, _ rings: [FlatRing]) {
      guard !rings.isEmpty else { return }
      text.areas(FlatRing.areas(rings), [.init("kind", kind)] + properties)
    }
    add("alert", alert)
    add("effective", effective)
    if zone.inset != .zero { add("drawn", drawn) }
  }

  /// The bounds of all lines, degrees; `west` may be below -180 and `east` above 180. `top` is the
  /// northernmost point of the outermost lines.
  var frame: (south: Double, north: Double, west: Double, east: Double, top: FlatRing.Point)? {
    guard let first = (drawn.first ?? effective.first)?.points.first else { return nil }
    var frame = (south: first.y, north: first.y, west: first.x, east: first.x, top: first)
    // The alert line is the outermost where there is one.
    for rings in [drawn, effective, alert] {
      var top: FlatRing.Point?
      for ring in rings {
        for point in ring.points {
          frame.south = min(frame.south, point.y)
          frame.north = max(frame.north, point.y)
          frame.west = min(frame.west, point.x)
          frame.east = max(frame.east, point.x)
          if top.map({ $0.y < point.y }) ?? true { top = point }
        }
      }
      frame.top = top ?? frame.top
    }
    return frame
  }

  /// Square metres before any inset, holes left out; a figure for people, right to a percent for any size.
  ///
  /// Circles and paths by formula, whatever the tolerance: drawn from afar they have few corners. The bends of a path
  /// count as if it were straight.
  var area: Double {
    switch outline.shape {
    case .circle(_, let radius): return Double.pi * radius.metres * radius.metres * Self.curving(radius)
    case .corridor(let path, let halfWidth, _):
      var length = 0.0
      for index in path.indices.dropFirst() {
        length += Geodesic(from: path[index - 1], to: path[index]).length.metres
      }
      return (2 * length + Double.pi * halfWidth.metres) * halfWidth.metres
    case .polygon:
      var sum = 0.0
      for rings in FlatRing.areas(drawn) {
        for (index, ring) in rings.enumerated() { sum += index == 0 ? Self.area(ring) : -Self.area(ring) }
      }
      return sum
    }
  }

  /// Returns the ratio of the area of a circle on the earth to that of a flat one.
  private static func curving(_ radius: Distance) -> Double {
    let angle = radius.metres / Earth.areaRadius
    return 1 - angle * angle / 12
  }

  /// Sums the strips between the lines and the equator, on the ellipsoid.
  private static func area(_ ring: FlatRing) -> Double {
    guard let origin = ring.points.first else { return 0 }
    let base = strip(origin.y)
    var sum = 0.0
    var former = (x: origin.x, height: 0.0)
    for point in ring.points.dropFirst() + [origin] {
      let here = (x: point.x, height: strip(point.y) - base)
      sum += (here.x - former.x) * (here.height + former.height) / 2
      former = here
    }
    return abs(sum) * (Double.pi / 180)
  }

  /// Square metres between the equator and a latitude in degrees, for each radian of longitude: the integral of
  /// a²(1 - e²) cos φ / (1 - e² sin² φ)².
  private static func strip(_ latitude: Double) -> Double {
    let sine = Trigonometry.sine(latitude * (Double.pi / 180))
    let flat = 0.006_694_379_990_141_3 * sine * sine
    return 40_408_299_984_661.4 * sine * (1 + flat * (2.0 / 3 + flat * 0.6))
  }
}
