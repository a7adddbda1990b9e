import Foundation

/// An absolute http or https URL for requests. It is shown without its path, which often is a secret.
public struct TargetURL: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The URL as it is sent.
  public let text: String
  public let scheme: String
  /// The host in lower case.
  public let host: String
  /// The port in the URL, or the scheme's own.
  public let port: Int

  /// - Throws: the given URL, without its path, and the allowed ones: https, or also http if the policy
  ///   allows private networks; with a host, without user, password and fragment.
  public init(_ text: String, policy: TargetPolicy) throws(TargetRefusal) {
    let allowed = policy.allowsPrivateNetworks ? "an http or https URL" : "an https URL"
    let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !"\\^`{|}\"<>".utf8.contains($0) }
    guard isPlain, let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      let host = parts.host?.lowercased(), !host.isEmpty
    else { throw TargetRefusal(given: "no absolute URL", allowed: allowed) }
    guard scheme == "https" || (scheme == "http" && policy.allowsPrivateNetworks) else {
      throw TargetRefusal(given: scheme.excerpt(20), allowed: allowed)
    }
    guard parts.user == nil, parts.password == nil, parts.fragment == nil else {
      throw TargetRefusal(given: "a user name, password or fragment", allowed: "\(allowed) without them")
    }
    guard (1...65_535).contains(parts.port ?? 443) else {
      throw TargetRefusal(given: "port \(parts.port ?? 0)", allowed: "1 to 65535")
    }
    try policy.check(host: host)
    self.text = text
    self.scheme = scheme
    self.host = host
    self.port = parts.port ?? (scheme == "https" ? 443 : 80)
  }

  /// "https://push.example.net", with the port if it is not the scheme's own: RFC 6454's origin, and VAPID's
  /// audience.
  public var origin: String {
    let isStandard = port == (scheme == "https" ? 443 : 80)
    return "\(scheme)://\(host)" + (isStandard ? "" : ":\(port)")
  }
  public var description: String { origin }
  public var debugDescription: String { origin }
  public var customMirror: Mirror { Mirror(self, children: ["origin": origin]) }

  /// Returns the URL with `path` appended, with one slash between the two.
  func appending(_ path: String) -> String {
    (text.hasSuffix("/") ? String(text.dropLast()) : text) + "/" + path
  }
}
