import Geometry

/// Reads the bytes that `FieldWriter` writes. Every number is checked before it becomes a value, and a count
/// is refused if the remaining bytes cannot hold it.
struct FieldReader {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a value that takes all of `bytes`.
  static func read<Value>(
    _ bytes: [UInt8], _ body: (inout Self) throws(FieldError) -> Value
  ) throws(FieldError) -> Value {
    var reader = Self(bytes)
    let value = try body(&reader)
    try reader.end()
    return value
  }

  func end() throws(FieldError) {
    guard remaining == 0 else { throw .bytesLeft(given: remaining) }
  }

  private var remaining: Int { bytes.count - offset }

  private func need(_ count: Int) throws(FieldError) {
    guard remaining >= count else { throw .endsEarly(needed: count, left: remaining) }
  }

  mutating func byte() throws(FieldError) -> UInt8 {
    try need(1)
    offset += 1
    return bytes[offset - 1]
  }
  mutating func flag() throws(FieldError) -> Bool {
    let value = try byte()
    guard value <= 1 else { throw .unknown(given: value) }
    return value == 1
  }
  mutating func half() throws(FieldError) -> UInt32 {
    try need(4)
    var value: UInt32 = 0
    for place in 0..<4 { value |= UInt32(bytes[offset + place]) << UInt32(8 * place) }
    offset += 4
    return value
  }
  mutating func word() throws(FieldError) -> UInt64 {
    try need(8)
    var value: UInt64 = 0
    for place in 0..<8 { value |= UInt64(bytes[offset + place]) << UInt64(8 * place) }
    offset += 8
    return value
  }
  /// - Parameter least: the least size of an element in bytes, at least 1.
  mutating func list<Element>(
    ofAtLeast least: Int, _ read: (inout Self) throws(FieldError) -> Element
  ) throws(FieldError) -> [Element] {
    let count = try half()
    guard count <= UInt32(clamping: remaining / least) else {
      throw .countTooLarge(given: Int(clamping: count))
    }
    var elements: [Element] = []
    elements.reserveCapacity(Int(count))
    for _ in 0..<count { elements.append(try read(&self)) }
    return elements
  }
  mutating func blob() throws(FieldError) -> [UInt8] {
    let count = try half()
    guard count <= UInt32(clamping: remaining) else { throw .countTooLarge(given: Int(clamping: count)) }
    offset += Int(count)
    return Array(bytes[(offset - Int(count))..<offset])
  }
  mutating func text() throws(FieldError) -> Text { Text(utf8: try blob()) }
  mutating func distance() throws(FieldError) -> Distance {
    let value = Double(bitPattern: try word())
    guard value.isFinite else { throw .notFinite }
    return .metres(value)
  }
  mutating func span() throws(FieldError) -> TimeSpan { .milliseconds(Int64(bitPattern: try word())) }
  mutating func instant() throws(FieldError) -> Instant {
    Instant(millisecondsSince1970: Int64(bitPattern: try word()))
  }
  mutating func place() throws(FieldError) -> Coordinate {
    let latitude = Double(bitPattern: try word())
    let longitude = Double(bitPattern: try word())
    guard abs(latitude) <= 90, abs(longitude) <= 180 else { throw .noPlace }
    return Coordinate(latitude: .degrees(latitude), longitude: .degrees(longitude))
  }
  mutating func places() throws(FieldError) -> [Coordinate] {
    try list(ofAtLeast: 16) { (reader: inout Self) throws(FieldError) in try reader.place() }
  }
  mutating func ring() throws(FieldError) -> Ring {
    let vertices = try places()
    guard let first = vertices.first else { throw .tooFewVertices }
    // `Ring` drops a closing vertex. One is appended so that it never drops a stored one.
    do { return try Ring(vertices + [first]) } catch { throw .tooFewVertices }
  }
  mutating func optional<Value>(
    _ read: (inout Self) throws(FieldError) -> Value
  ) throws(FieldError) -> Value? {
    try flag() ? try read(&self) : nil
  }
  /// Reads an instant within the range that clocks can show.
  mutating func allowedInstant() throws(FieldError) -> Instant {
    let time = try instant()
    guard Instant.allowed.contains(time) else { throw .timeOutOfRange(given: time.millisecondsSince1970) }
    return time
  }
  mutating func time() throws(FieldError) -> HybridTime {
    HybridTime(time: try allowedInstant(), counter: try half(), node: try word())
  }
}

/// The reason why bytes are no value of the expected kind.
public enum FieldError: Error, Hashable, Sendable {
  case endsEarly(needed: Int, left: Int)
  case bytesLeft(given: Int)
  /// More elements or bytes than the remaining bytes can hold.
  case countTooLarge(given: Int)
  /// No case has this number.
  case unknown(given: UInt8)
  case notFinite
  /// Allowed: latitudes up to 90 degrees and longitudes up to 180 degrees, either way.
  case noPlace
  case tooFewVertices
  /// Allowed: `Instant.allowed`.
  case timeOutOfRange(given: Int64)
  case schedule(ScheduleError)
  case reminder(ReminderError)
  /// Allowed: `RangedField.allowed`.
  case number(NumberOutOfRange)
  /// A required field is missing.
  case missing(field: UInt8)
  /// Allowed: `SyncRecord.version`.
  case version(given: UInt8)
  /// Fields must ascend, each only once.
  case outOfOrder(field: UInt8)
  /// A schedule without offsets, for whose time zone none are known. The engine knows no names of time zones;
  /// the caller that supplies the offsets reports it.
  case unknownTimeZone(given: Text)
}
