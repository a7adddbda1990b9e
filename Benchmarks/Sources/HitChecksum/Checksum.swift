/// A sum over pairs of fix and zone that does not depend on their order. All engines, also in WebAssembly,
/// compute the same sum.
@frozen public struct Checksum: Equatable {
  public var hits = 0
  public var sum: UInt64 = 0

  @inlinable public init() {}
  /// Makes a row's checksum of a mean, for operations that have no pairs.
  @inlinable public init(mean: Int) { hits = mean }

  /// SplitMix64's last step (S. Vigna, 2015).
  @inlinable @inline(__always) public static func mixed(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  @inlinable @inline(__always) public mutating func add(fix: Int, zone: Int) {
    hits &+= 1
    sum &+= Self.mixed(
      (UInt64(truncatingIfNeeded: fix) << 32 | UInt64(truncatingIfNeeded: zone)) &+ 0x9e37_79b9_7f4a_7c15)
  }
}
