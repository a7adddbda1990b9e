import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// The name and ports for which the server starts Caddy.
public struct CaddySettings: Equatable, Sendable {
  /// In lower case.
  let domain: String
  /// From 1 to 65535, and different from each other.
  let httpPort: Int
  let httpsPort: Int
  /// The path of the program.
  public var program = "caddy"

  init(domain: String, httpPort: Int = 80, httpsPort: Int = 443) {
    self.domain = domain
    self.httpPort = httpPort
    self.httpsPort = httpsPort
  }

  /// True for names that no public authority certifies. Caddy's own authority does it for these.
  public var isInternal: Bool {
    isThisMachine || domain.hasSuffix(".local") || domain.hasSuffix(".internal")
  }

  /// True for localhost and names in it, which mean the machine that resolves them.
  var isThisMachine: Bool { domain == "localhost" || domain.hasSuffix(".localhost") }

  /// The URL of the server unless `public_url` is set.
  var publicURL: String { "https://\(domain)\(httpsPort == 443 ? "" : ":\(httpsPort)")" }

  /// The certificate of Caddy's own authority, a path in the data folder. Browsers trust internal names by it.
  public static let rootCertificate = "caddy/pki/authorities/local/root.crt"

  /// Finds Caddy in the folders of PATH.
  /// - Throws: `CaddyFailure.notInstalled`
  public mutating func findProgram(path: String?) throws(CaddyFailure) {
    let all = (path ?? "").split(separator: ":").map { "\($0)/caddy" }
    guard let found = all.first(where: { access($0, X_OK) == 0 }) else { throw .notInstalled }
    program = found
  }

  /// A name of the DNS with two labels or more, or localhost.
  /// - Returns: nil for anything else, such as a URL, an address, a name with a port or in other scripts than Latin.
  static func domainName(_ text: String) -> String? {
    let name = text.lowercased()
    guard name.utf8.count <= 253, name.wholeMatch(of: #/[a-z0-9.-]+/#) != nil else { return nil }
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    guard name == "localhost" || labels.count > 1,
      labels.allSatisfy({ (1...63).contains($0.count) && !$0.hasPrefix("-") && !$0.hasSuffix("-") }),
      // The last label of an IPv4 address is a number.
      let last = labels.last, last.contains(where: \.isLetter)
    else { return nil }
    return name
  }
}

extension ServerSettings {
  /// Reads `domain` and its ports. Caddy is then the only way to the server.
  mutating func readCaddy(_ values: Values) throws(Refusal) {
    guard let text = values.text(.domain) else {
      try Self.refuseAlone([.httpPort, .httpsPort], without: .domain, values)
      return
    }
    guard let domain = CaddySettings.domainName(text) else {
      throw values.refusal(
        .domain, "a name such as alarm.example.org, alarm.internal or localhost (other scripts as xn--...)")
    }
    // Caddy passes on a login header that a client makes up.
    for key in [Key.tlsCertificate, .tlsKey, .trustedProxy, .loginHeader] where values.text(key) != nil {
      throw Refusal(
        description: "\(values.source(key)) and \(values.source(.domain)) are both set; with a domain, Caddy "
          + "brings the certificates and is the only proxy")
    }
    guard Self.isLoopback(host) else {
      throw values.refusal(
        .listen, "a loopback address such as 127.0.0.1:8080, since Caddy is in front,")
    }
    let caddy = CaddySettings(
      domain: domain, httpPort: try values.number(.httpPort, 1...65535, or: 80),
      httpsPort: try values.number(.httpsPort, 1...65535, or: 443))
    guard caddy.httpPort != caddy.httpsPort else {
      throw values.refusal(.httpsPort, given: "\(caddy.httpsPort)", "another port than the one for HTTP")
    }
    if let url = publicURL {
      guard url.scheme == "https", url.host()?.lowercased() == domain else {
        throw values.refusal(.publicURL, "https://\(domain), with the port that people see,")
      }
    } else {
      publicURL = URL(string: caddy.publicURL)
    }
    trustedProxies = AddressBlock.loopback
    self.caddy = caddy
  }
}
