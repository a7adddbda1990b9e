import Foundation
import NIOCore

/// An IP address that can be classified as public or not.
package struct NetworkAddress: Hashable, CustomStringConvertible {
  /// Four or sixteen bytes.
  private let bytes: [UInt8]

  package init?(_ address: SocketAddress) {
    switch address {
    case .v4(let v4):
      bytes = withUnsafeBytes(of: v4.address.sin_addr) { Array($0) }
    case .v6(let v6):
      bytes = withUnsafeBytes(of: v6.address.sin6_addr) { Array($0) }
    case .unixDomainSocket:
      return nil
    }
  }

  /// Makes it from an address of the system's resolver; nil for families other than IP.
  package init?(_ address: UnsafePointer<sockaddr>?) {
    guard let address else { return nil }
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { v4 in
        withUnsafeBytes(of: v4.pointee.sin_addr) { Array($0) }
      }
    case AF_INET6:
      bytes = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { v6 in
        withUnsafeBytes(of: v6.pointee.sin6_addr) { Array($0) }
      }
    default: return nil
    }
  }

  /// Makes it from "192.0.2.1" or "2001:db8::1", also in the brackets of a URL. Nil for names.
  package init?(literal: String) {
    var text = literal
    if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
    guard let address = try? SocketAddress(ipAddress: text, port: 0) else { return nil }
    self.init(address)
  }

  package var description: String {
    if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
    return stride(from: 0, to: 16, by: 2).map {
      String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
    }
    .joined(separator: ":")
  }

  /// The part that one household or one phone has: an IPv4 address, or the first 64 bits of an IPv6 address.
  package var household: [UInt8] { bytes.count == 4 ? bytes : Array(bytes.prefix(8)) }

  /// True if the address is globally reachable by IANA's special-purpose registries (RFC 6890 and its
  /// updates): not this machine, its neighbours or a reserved range. An address that carries an IPv4 address
  /// is judged by that.
  package var isPublic: Bool {
    if bytes.count == 4 { return Self.isPublic(v4: bytes) }
    let isZero = bytes[0..<10].allSatisfy { $0 == 0 }
    if isZero, bytes[10] == 0xff, bytes[11] == 0xff { return Self.isPublic(v4: Array(bytes[12...])) }
    // NAT64 (RFC 6052): 64:ff9b::/96.
    if bytes.starts(with: [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0]) {
      return Self.isPublic(v4: Array(bytes[12...]))
    }
    // 6to4 (RFC 3056).
    if bytes[0] == 0x20, bytes[1] == 0x02 { return Self.isPublic(v4: Array(bytes[2..<6])) }
    // Only 2000::/3 is assigned. Within it, 2001::/23 is for protocols, and 2001:db8::/32 and 3fff::/20 are
    // for documentation.
    guard bytes[0] & 0xe0 == 0x20 else { return false }
    if bytes[0] == 0x20, bytes[1] == 0x01, bytes[2] & 0xfe == 0 { return false }
    if bytes.starts(with: [0x20, 0x01, 0x0d, 0xb8]) { return false }
    return !(bytes[0] == 0x3f && bytes[1] == 0xff && bytes[2] & 0xf0 == 0)
  }

  private static func isPublic(v4 bytes: [UInt8]) -> Bool {
    switch (bytes[0], bytes[1]) {
    case (0, _), (10, _), (127, _), (169, 254), (192, 168): false
    case (100, 64...127), (172, 16...31), (198, 18...19): false
    case (192, 0): bytes[2] != 0 && bytes[2] != 2
    case (192, 88): bytes[2] != 99
    case (198, 51): bytes[2] != 100
    case (203, 0): bytes[2] != 113
    case (224..., _): false
    default: true
    }
  }
}
