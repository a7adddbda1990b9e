import Foundation
import Geometry

/// Mercator's projection of the ellipsoid, in metres that are true at the middle of the map; north is up.
///
/// Shapes keep their form everywhere, and their size within a city. Places poleward of 85° are drawn at 85°.
/// J. P. Snyder, "Map Projections: A Working Manual", USGS Professional Paper 1395 (1987), equations 7-6 and 7-7.
package struct MapProjection {
  package let center: Coordinate
  /// Metres on the map for one radian of longitude.
  private let radius: Double
  private let centerHeight: Double
  private static let eccentricity = 0.081_819_190_842_621_5
  private static let northernmost = 85.0 * Double.pi / 180

  package init(center: Coordinate) {
    self.center = center
    let latitude = Self.clamped(center.latitude.radians)
    radius = WGS84.equatorialRadius / Self.stretch(latitude)
    centerHeight = Self.height(latitude)
  }

  /// Metres east and south of the middle. Longitudes are taken the shorter way round.
  package func point(_ place: Coordinate) -> DrawnPoint {
    var east = place.longitude.degrees - center.longitude.degrees
    if east > 180 { east -= 360 }
    if east < -180 { east += 360 }
    let height = Self.height(Self.clamped(place.latitude.radians))
    return DrawnPoint(x: east * .pi / 180 * radius, y: (centerHeight - height) * radius)
  }

  /// The points of a line without a jump at the antimeridian, placed where most of it lies nearest to the
  /// middle.
  package func line(_ places: [Coordinate]) -> [DrawnPoint] {
    let turn = 2 * Double.pi * radius
    var line = places.map(point)
    for index in line.indices.dropFirst() {
      line[index].x -= ((line[index].x - line[index - 1].x) / turn).rounded() * turn
    }
    let away = ((DrawnBox(line)?.middle.x ?? 0) / turn).rounded() * turn
    return away == 0 ? line : line.map { DrawnPoint(x: $0.x - away, y: $0.y) }
  }

  /// The place at a point of the map.
  package func place(_ point: DrawnPoint) -> Coordinate {
    let height = centerHeight - point.y / radius
    // Inverted by iteration: thanks to the small flattening each step is six hundred times more exact.
    var latitude = atan(sinh(height))
    for _ in 0..<4 {
      latitude = atan(sinh(height + Self.eccentricity * atanh(Self.eccentricity * sin(latitude))))
    }
    let east = max(-360, min(360, point.x / radius * 180 / .pi))
    return Coordinate(latitude: .radians(latitude), longitude: .degrees(center.longitude.degrees + east))
  }

  /// Metres over the ground per metre of the map, at a height on it.
  package func groundMetres(atHeight y: Double) -> Double {
    let latitude = place(DrawnPoint(x: 0, y: y)).latitude.radians
    return Self.stretch(Self.clamped(center.latitude.radians)) / Self.stretch(Self.clamped(latitude))
  }

  /// The height of the middle in radians of Mercator's projection, for the page's own scale bar.
  package var middleHeight: Double { centerHeight }
  package var metresPerRadian: Double { radius }

  private static func clamped(_ latitude: Double) -> Double {
    max(-northernmost, min(northernmost, latitude))
  }
  private static func height(_ latitude: Double) -> Double {
    asinh(tan(latitude)) - eccentricity * atanh(eccentricity * sin(latitude))
  }
  private static func stretch(_ latitude: Double) -> Double {
    let s = eccentricity * sin(latitude)
    return (1 - s * s).squareRoot() / cos(latitude)
  }
}

/// A box around points.
package struct DrawnBox {
  package var low: DrawnPoint
  package var high: DrawnPoint

  package init?(_ points: some Sequence<DrawnPoint>) {
    var box: DrawnBox?
    for point in points {
      if box == nil { box = DrawnBox(low: point, high: point) } else { box!.include(point) }
    }
    guard let box else { return nil }
    self = box
  }
  private init(low: DrawnPoint, high: DrawnPoint) {
    self.low = low
    self.high = high
  }

  package mutating func include(_ point: DrawnPoint) {
    low = DrawnPoint(x: min(low.x, point.x), y: min(low.y, point.y))
    high = DrawnPoint(x: max(high.x, point.x), y: max(high.y, point.y))
  }
  package mutating func include(_ other: DrawnBox) {
    include(other.low)
    include(other.high)
  }
  package func grown(by margin: Double) -> DrawnBox {
    DrawnBox(
      low: DrawnPoint(x: low.x - margin, y: low.y - margin),
      high: DrawnPoint(x: high.x + margin, y: high.y + margin))
  }
  package func touches(_ other: DrawnBox) -> Bool {
    low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y && other.low.y <= high.y
  }
  package var width: Double { high.x - low.x }
  package var height: Double { high.y - low.y }
  package var middle: DrawnPoint { DrawnPoint(x: (low.x + high.x) / 2, y: (low.y + high.y) / 2) }
}
