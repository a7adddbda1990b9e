import AlarmEngine
import Geometry

/// The lines of one zone, as maps draw them.
struct ZoneDrawing {
  let zone: Zone
  let outline: Outline
  /// Of its own border, before any inset.
  let drawn: [FlatRing]
  /// With the inset: what counts as inside.
  let effective: [FlatRing]
  /// Where it alerts; empty without an alert distance.
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
      outline.levelLine(at: level, tolerance: tolerance, resolution: resolution)
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

  /// Of all lines; `west` may lie below -180 and `east` above 180. `top` is the northernmost point of the outermost lines.
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

  /// Square metres of what was drawn, holes left out; a figure for people, right to a percent for zones of up to 100 km.
  var area: Double {
    var sum = 0.0
    for rings in FlatRing.areas(drawn) {
      for (index, ring) in rings.enumerated() { sum += index == 0 ? Self.area(ring) : -Self.area(ring) }
    }
    return sum
  }

  /// In a plane about the first point.
  private static func area(_ ring: FlatRing) -> Double {
    guard let origin = ring.points.first else { return 0 }
    let metres = 111_195.0
    let shrink = Trigonometry.cosine(origin.y * (Double.pi / 180))
    var sum = 0.0
    var former = (x: 0.0, y: 0.0)
    for point in ring.points.dropFirst() + [origin] {
      let here = (x: (point.x - origin.x) * metres * shrink, y: (point.y - origin.y) * metres)
      sum += former.x * here.y - here.x * former.y
      former = here
    }
    return abs(sum) / 2
  }
}
