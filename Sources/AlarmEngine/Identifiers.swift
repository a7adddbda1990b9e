/// Names a zone, everywhere and for ever; two zones may share a name or a place, never an id.
public struct ZoneID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  /// Sixteen hexadecimal digits.
  public var description: String { hexadecimal(rawValue) }

  /// The same id for the same bytes, for zones from files that carry none (FNV-1a, 64 bits).
  public static func derived(from bytes: [UInt8]) -> Self {
    var hash = StableHash()
    hash.combine(bytes)
    return Self(rawValue: hash.value)
  }
}

/// Names a phone.
public struct DeviceID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  public var description: String { hexadecimal(rawValue) }
}

/// Names one alarm for ever: derived from device, zone and the true time it began, so that every replay of the
/// same fixes gives the same id.
public struct AlarmID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  public var description: String { hexadecimal(rawValue) }

  public init(device: DeviceID, zone: ZoneID, began: Instant) {
    var hash = StableHash()
    hash.combine(device.rawValue)
    hash.combine(zone.rawValue)
    hash.combine(UInt64(bitPattern: began.millisecondsSince1970))
    rawValue = hash.value
  }
}

/// FNV-1a, 64 bits, finished with SplitMix64's mixer: the same on every machine and in every run.
/// Sources: G. Fowler, L. C. Noll, K.-P. Vo (1991), offset basis and prime of the FNV page; S. Vigna (2015).
struct StableHash {
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func combine(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
  mutating func combine(_ bytes: [UInt8]) { for byte in bytes { combine(byte) } }
  mutating func combine(_ word: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) { combine(UInt8(truncatingIfNeeded: word >> shift)) }
  }
  var value: UInt64 {
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

func hexadecimal(_ value: UInt64) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var bytes: [UInt8] = []
  for shift in stride(from: 60, through: 0, by: -4) {
    bytes.append(digits[Int((value >> UInt64(shift)) & 15)])
  }
  return String(decoding: bytes, as: UTF8.self)
}
