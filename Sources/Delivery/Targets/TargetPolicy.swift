/// Which hosts the server may be made to speak to.
///
/// A channel's address is typed by a person who need not be the operator. By default it must lead to the public
/// internet, over TLS: never to this machine, its network neighbours or a cloud's metadata service.
public struct TargetPolicy: Hashable, Sendable {
  /// Operator's setting: also loopback, link-local and private addresses, and http without TLS.
  public let allowsPrivateNetworks: Bool
  public init(allowsPrivateNetworks: Bool = false) { self.allowsPrivateNetworks = allowsPrivateNetworks }

  public static let publicInternet = Self()

  /// Judges an address that is about to be connected to.
  /// - Parameter address: nil for one that is not an IP address.
  package func check(_ address: NetworkAddress?) throws(TargetRefusal) {
    guard !allowsPrivateNetworks else { return }
    guard let address else {
      throw TargetRefusal(given: "an address of an unknown kind", allowed: Self.allowedWords)
    }
    guard address.isPublic else { throw TargetRefusal(given: "\(address)", allowed: Self.allowedWords) }
  }

  /// Judges a host as it stands in a URL: literal addresses and names that can only be local.
  package func check(host: String) throws(TargetRefusal) {
    guard !allowsPrivateNetworks else { return }
    if let literal = NetworkAddress(literal: host) {
      guard literal.isPublic else { throw TargetRefusal(given: host, allowed: Self.allowedWords) }
      return
    }
    let name = host.lowercased().trimmingSuffix(".")
    let isLocal = ["localhost", "local", "internal", "home.arpa", "lan"].contains {
      name == $0 || name.hasSuffix("." + $0)
    }
    // A name of digits and dots or hexadecimal is an address in a disguise that resolvers still understand.
    let last = name.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
    let isDisguised = last.allSatisfy(\.isNumber) || last.hasPrefix("0x")
    guard !isLocal, !isDisguised, name.contains(".") else {
      throw TargetRefusal(given: host.excerpt(80), allowed: Self.allowedWords)
    }
  }

  static let allowedWords = "hosts on the public internet (the operator can allow private networks)"
}

/// An address we do not send to.
public struct TargetRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  public let given: String
  public let allowed: String
  public var description: String { "\(given) found; allowed: \(allowed)" }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
