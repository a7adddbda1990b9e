import Geometry

/// Writes values as bytes, little-endian, equal bytes for equal values. `FieldReader` reads them.
struct FieldWriter {
  private(set) var bytes: [UInt8] = []

  static func write(_ body: (inout Self) -> Void) -> [UInt8] {
    var writer = Self()
    body(&writer)
    return writer.bytes
  }

  mutating func byte(_ value: UInt8) { bytes.append(value) }
  mutating func flag(_ value: Bool) { byte(value ? 1 : 0) }
  mutating func half(_ value: UInt32) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) { byte(UInt8(truncatingIfNeeded: value >> shift)) }
  }
  mutating func word(_ value: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) { byte(UInt8(truncatingIfNeeded: value >> shift)) }
  }
  /// - Precondition: fits 31 bits.
  mutating func count(_ value: Int) {
    precondition(value <= Int(Int32.max), "a count fits 31 bits")
    half(UInt32(value))
  }
  mutating func list<Element>(_ elements: [Element], _ write: (inout Self, Element) -> Void) {
    count(elements.count)
    for element in elements { write(&self, element) }
  }
  mutating func blob(_ value: [UInt8]) {
    count(value.count)
    bytes.append(contentsOf: value)
  }
  mutating func text(_ value: Text) { blob(value.utf8) }
  mutating func distance(_ value: Distance) { word(value.metres.bitPattern) }
  mutating func span(_ value: TimeSpan) { word(UInt64(bitPattern: value.milliseconds)) }
  mutating func instant(_ value: Instant) { word(UInt64(bitPattern: value.millisecondsSince1970)) }
  mutating func place(_ value: Coordinate) {
    word(value.latitude.degrees.bitPattern)
    word(value.longitude.degrees.bitPattern)
  }
  mutating func ring(_ value: Ring) { list(value.vertices) { $0.place($1) } }
  mutating func optional<Value>(_ value: Value?, _ write: (inout Self, Value) -> Void) {
    flag(value != nil)
    if let value { write(&self, value) }
  }
  mutating func time(_ value: HybridTime) {
    instant(value.time)
    half(value.counter)
    word(value.node)
  }
}
