/// Pairs of fix and zone, added up so that their order doesn't count; the same in all engines, and in WebAssembly.
@frozen public struct Checksum: Equatable {
  public var hits = 0
  public var sum: UInt64 = 0

  @inlinable public init() {}
  /// Of what is no pair: a mean to compare.
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
