import AlarmEngine
import Geometry

/// GeoJSON features as text, separated by commas. The map's own thread parses it, so that the page never
/// builds thousands of objects.
///
/// Degrees have seven decimals, a centimetre over the ground. Longitudes go on beyond ±180° where a line crosses the
/// antimeridian.
struct FeatureText {
  private(set) var bytes: [UInt8] = []

  /// A property of a feature, by which a map's style selects.
  struct Property {
    let name: Text
    let value: Text
    init(_ name: Text, _ value: Text) {
      self.name = name
      self.value = value
    }
  }

  mutating func point(_ place: Coordinate, _ properties: [Property]) {
    begin(properties, "Point")
    write(place.longitude.degrees, place.latitude.degrees)
    end()
  }

  mutating func line(_ line: FlatRing, _ properties: [Property]) {
    begin(properties, "LineString")
    write(line.points, isClosed: false)
    end()
  }

  /// Areas of rings, each area's outer ring first.
  mutating func areas(_ areas: [[FlatRing]], _ properties: [Property]) {
    begin(properties, "MultiPolygon")
    list(areas.count) { text, area in
      text.list(areas[area].count) { text, ring in text.write(areas[area][ring].points, isClosed: true) }
    }
    end()
  }

  private mutating func begin(_ properties: [Property], _ kind: StaticString) {
    if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
    add("{\"type\":\"Feature\",\"properties\":{")
    for (index, property) in properties.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      JSONString.write(property.name.utf8, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      JSONString.write(property.value.utf8, to: &bytes)
    }
    add("},\"geometry\":{\"type\":\"")
    add(kind)
    add("\",\"coordinates\":")
  }

  private mutating func end() { add("}}") }

  private mutating func add(_ words: StaticString) {
    words.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  private mutating func list(_ count: Int, _ item: (inout Self, Int) -> Void) {
    bytes.append(UInt8(ascii: "["))
    for index in 0..<count {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      item(&self, index)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func write(_ points: [FlatRing.Point], isClosed: Bool) {
    list(isClosed && !points.isEmpty ? points.count + 1 : points.count) { text, index in
      let point = points[index < points.count ? index : 0]
      text.write(point.x, point.y)
    }
  }

  private mutating func write(_ x: Double, _ y: Double) {
    bytes.append(UInt8(ascii: "["))
    write(x)
    bytes.append(UInt8(ascii: ","))
    write(y)
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func write(_ degrees: Double) {
    var rest = Int64((abs(degrees) * 1e7 + 0.5).rounded(.down))
    if degrees < 0, rest > 0 { bytes.append(UInt8(ascii: "-")) }
    var digits: [UInt8] = []
    // Seven decimals and at least one digit before them.
    while rest > 0 || digits.count < 8 {
      digits.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    }
    for place in digits.indices.reversed() {
      bytes.append(digits[place])
      if place == 7 { bytes.append(UInt8(ascii: ".")) }
    }
  }
}
