/// The hosts to which the server may connect.
///
/// The address of a channel is typed by a person who may not be the operator. By default it must be on the
/// public internet, over TLS: never this machine, its network neighbours or a cloud's metadata service.
public struct TargetPolicy: Hashable, Sendable {
  /// The operator's setting that also allows loopback, link-local and private addresses, and http without
  /// TLS.
  public let allowsPrivateNetworks: Bool
  public init(allowsPrivateNetworks: Bool = false) { self.allowsPrivateNetworks = allowsPrivateNetworks }

  public static let publicInternet = Self()

  /// Checks an address before it is connected to.
  /// - Parameter address: nil for an address that is not an IP address.
  package func check(_ address: NetworkAddress?) throws(TargetRefusal) {
    guard !allowsPrivateNetworks else { return }
    guard let address else {
      throw TargetRefusal(given: "an address of an unknown kind", allowed: Self.allowedWords)
    }
    guard address.isPublic else { throw TargetRefusal(given: "\(address)", allowed: Self.allowedWords) }
  }

  /// Checks the host of a URL: refuses literal addresses that are not public, and names that can only be
  /// local.
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
    // A name of digits and dots, or of hexadecimal digits, is an obscured address that resolvers still
    // accept.
    let last = name.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
    let isDisguised = last.allSatisfy(\.isNumber) || last.hasPrefix("0x")
    guard !isLocal, !isDisguised, name.contains(".") else {
      throw TargetRefusal(given: host.excerpt(80), allowed: Self.allowedWords)
    }
  }

  static let allowedWords = "hosts on the public internet (the operator can allow private networks)"
}

/// The refusal of an address to which the server does not send.
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
