#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An address of the network, or a block of them: "10.0.0.0/8", "::1".
public struct AddressBlock: Equatable, Sendable {
  /// IPv4 addresses are mapped to IPv6, ::ffff:a.b.c.d.
  private let bytes: [UInt8]
  /// 0 ... 128.
  private let prefixLength: Int

  /// - Returns: nil unless the text is an address, or an address with a prefix length.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let bytes = Self.bytes(of: String(parts[0])) else { return nil }
    let isVersion4 = !parts[0].contains(":")
    var length = 128
    if parts.count == 2 {
      guard let given = Int(parts[1]), (0...(isVersion4 ? 32 : 128)).contains(given) else { return nil }
      length = isVersion4 ? given + 96 : given
    }
    self.bytes = bytes
    prefixLength = length
  }

  func contains(_ address: String) -> Bool {
    guard let other = Self.bytes(of: address) else { return false }
    let whole = prefixLength / 8
    guard bytes[..<whole] == other[..<whole] else { return false }
    let rest = prefixLength % 8
    guard rest > 0 else { return true }
    let mask = UInt8(truncatingIfNeeded: 0xff << (8 - rest))
    return bytes[whole] & mask == other[whole] & mask
  }

  /// The addresses of one household: an IPv4 address, or the /64 prefix of an IPv6 address, within which a
  /// household chooses addresses freely.
  static func household(of address: String) -> String {
    guard address.contains(":"), let bytes = bytes(of: address),
      !bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xff, 0xff])
    else { return address }
    return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") + "/64"
  }

  static let loopback = [AddressBlock("127.0.0.0/8")!, AddressBlock("::1")!]

  private static func bytes(of text: String) -> [UInt8]? {
    var four = in_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      return [UInt8](repeating: 0, count: 10) + [0xff, 0xff] + withUnsafeBytes(of: four) { Array($0) }
    }
    var six = in6_addr()
    guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
    return withUnsafeBytes(of: six) { Array($0) }
  }
}
