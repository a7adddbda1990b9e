import AlarmEngine
import Geometry

/// The fault in bytes that cannot be read.
public enum DataError: Error, Hashable, Sendable {
  case endsEarly
  case bytesLeft
  /// A kind, word or mark unknown to this version.
  case unknown
  /// A number outside its allowed range.
  case outOfRange
  /// More than the bytes that follow could hold.
  case countTooLarge
  /// The bytes differ from those written.
  case damaged
}

/// Reads the output of ``DataWriter`` and of Java's `DataOutputStream`. Every number is checked before use.
struct DataReader {
  private let bytes: ArraySlice<UInt8>
  private var offset: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    offset = bytes.startIndex
  }

  var remaining: Int { bytes.endIndex - offset }

  private func need(_ count: Int) throws(DataError) {
    guard count >= 0, count <= remaining else { throw .endsEarly }
  }

  mutating func byte() throws(DataError) -> UInt8 {
    try need(1)
    offset += 1
    return bytes[offset - 1]
  }
  mutating func flag() throws(DataError) -> Bool {
    switch try byte() {
    case 0: false
    case 1: true
    default: throw .outOfRange
    }
  }
  mutating func half() throws(DataError) -> UInt32 {
    try need(4)
    var value: UInt32 = 0
    for _ in 0..<4 { value = value << 8 | UInt32(try byte()) }
    return value
  }
  mutating func word() throws(DataError) -> UInt64 {
    try need(8)
    var value: UInt64 = 0
    for _ in 0..<8 { value = value << 8 | UInt64(try byte()) }
    return value
  }
  /// Counted from 1; so far that nothing ever counts beyond.
  mutating func ordinal() throws(DataError) -> UInt64 {
    let value = try word()
    guard value < 1 << 62 else { throw .outOfRange }
    return value
  }
  /// A number of things that take `least` bytes each.
  mutating func count(ofAtLeast least: Int) throws(DataError) -> Int {
    let count = Int32(bitPattern: try half())
    guard count >= 0, Int(count) <= remaining / least else { throw .countTooLarge }
    return Int(count)
  }
  mutating func slice(_ count: Int) throws(DataError) -> ArraySlice<UInt8> {
    try need(count)
    offset += count
    return bytes[(offset - count)..<offset]
  }
  mutating func blob() throws(DataError) -> [UInt8] { Array(try slice(try count(ofAtLeast: 1))) }
  mutating func number() throws(DataError) -> Double {
    let value = Double(bitPattern: try word())
    guard value.isFinite else { throw .outOfRange }
    return value
  }
  mutating func span() throws(DataError) -> TimeSpan { .milliseconds(Int64(bitPattern: try word())) }
  mutating func instant() throws(DataError) -> Instant {
    let value = Instant(millisecondsSince1970: Int64(bitPattern: try word()))
    guard Instant.allowed.contains(value) else { throw .outOfRange }
    return value
  }
  mutating func place() throws(DataError) -> Coordinate {
    let latitude = try number()
    let longitude = try number()
    do { return try Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude) } catch {
      throw .outOfRange
    }
  }

  /// A number that is not allowed is replaced by the nearest that is, so that a phone keeps what else it knows.
  mutating func settings() throws(DataError) -> Settings {
    var settings = Settings()
    func set(_ field: RangedField, _ number: Double) {
      let allowed = field.allowed
      try? settings.set(field, to: min(max(number, allowed.lowerBound), allowed.upperBound))
    }
    set(.alarmCycle, try span().seconds)
    set(.defaultSleep, try span().seconds)
    set(.repeatHorizon, try span().seconds)
    // The position horizon.
    _ = try span()
    set(.signalTimeout, try span().seconds)
    // The clock allowance.
    _ = try span()
    for field in [RangedField.defaultRadius, .unstatedAccuracy, .dangerMargin, .maximumSpeed] {
      set(field, try number())
    }
    return settings
  }
}

/// FNV-1a, 32 bits: detects damage by a disk, not forgery.
/// Source: G. Fowler, L. C. Noll, K.-P. Vo (1991), offset basis and prime of the FNV page.
enum Checksum {
  static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var sum: UInt32 = 0x811c_9dc5
    for byte in bytes { sum = (sum ^ UInt32(byte)) &* 0x0100_0193 }
    return sum
  }
}
