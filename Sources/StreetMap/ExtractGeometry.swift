import Formats
import Geometry

/// The lines or rings of a feature of an extract.
package struct ExtractGeometry: Sendable {
  /// A point in degrees east and north.
  package struct Point: Hashable, Sendable {
    package var x: Double
    package var y: Double
    package init(_ x: Double, _ y: Double) {
      self.x = x
      self.y = y
    }
    var json: JSONValue { .array([.number(x), .number(y)]) }
  }

  /// The length of the equator in metres.
  static let equator = 40_075_016.0

  /// The lines or rings. A point is one line of one point; an area has all rings of all parts, each part's
  /// outer ring first.
  package let parts: [[[Point]]]

  /// - Parameter bytes: a GeoJSON geometry.
  /// - Throws: `ReadError` if a position is invalid.
  package init(_ bytes: [UInt8]) throws {
    let value = try JSONValue.parse(bytes)
    guard let coordinates = value["coordinates"] else { throw ReadError("no coordinates found") }
    switch value["type"]?.string {
    case "Point": parts = [[[try Self.point(coordinates)]]]
    case "LineString": parts = [[try Self.line(coordinates)]]
    case "Polygon": parts = [try Self.rings(coordinates)]
    case "MultiPolygon": parts = try (coordinates.list ?? []).map(Self.rings)
    default: throw ReadError("\(value["type"]?.excerpt ?? "no type") found, a point, line or polygon allowed")
    }
  }

  private static func rings(_ value: JSONValue) throws -> [[Point]] { try (value.list ?? []).map(line) }
  private static func line(_ value: JSONValue) throws -> [Point] { try (value.list ?? []).map(point) }
  private static func point(_ value: JSONValue) throws -> Point {
    guard let numbers = value.list, numbers.count >= 2, let x = numbers[0].double, let y = numbers[1].double,
      (-180...180).contains(x), (-90...90).contains(y)
    else { throw ReadError("\(value.excerpt) found, degrees east and north allowed") }
    return Point(x, y)
  }

  /// The square root of the area in metres; nil if there is none.
  var roughSize: Double? {
    guard let first = parts.first?.first?.first else { return nil }
    let metres = Self.equator / 360
    let east = metres * Trigonometry.cosine(first.y * .pi / 180)
    let area = parts.reduce(0) { $0 + abs(Self.doubleArea($1.first ?? [])) / 2 }
    return (area * metres * east).squareRoot()
  }

  /// Returns twice the area of a ring in square degrees, positive if it is anticlockwise.
  static func doubleArea(_ ring: [Point]) -> Double {
    guard let last = ring.last else { return 0 }
    var sum = 0.0
    var previous = last
    for point in ring {
      sum += previous.x * point.y - point.x * previous.y
      previous = point
    }
    return sum
  }

  /// A point within the largest part: half way through it on the parallel through the middle of its height.
  package var middle: Point? {
    guard
      let part = parts.max(by: { abs(Self.doubleArea($0.first ?? [])) < abs(Self.doubleArea($1.first ?? [])) }
      ),
      let outer = part.first, let low = outer.map(\.y).min(), let high = outer.map(\.y).max()
    else { return parts.first?.first?.first }
    let y = (low + high) / 2
    var crossings: [Double] = []
    for ring in part {
      for (a, b) in zip(ring, ring.dropFirst()) where (a.y > y) != (b.y > y) {
        crossings.append(a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x))
      }
    }
    crossings.sort()
    var best: (width: Double, x: Double)?
    for index in stride(from: 0, to: crossings.count - 1, by: 2) {
      let width = crossings[index + 1] - crossings[index]
      if width > best?.width ?? -1 { best = (width, crossings[index] + width / 2) }
    }
    return best.map { Point($0.x, y) } ?? outer.first
  }
}
