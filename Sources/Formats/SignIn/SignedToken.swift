/// A JSON Web Token (RFC 7519, RFC 7515), parsed but not verified.
public struct SignedToken: Sendable {
  /// The allowed signature algorithms. `none`, and keyed hashes, which share a secret with the signer, are
  /// not among them.
  public enum Algorithm: String, CaseIterable, Sendable {
    case rs256 = "RS256"
    case es256 = "ES256"
  }

  /// The longest token in bytes; a provider's has one or two thousand.
  public static let longest = 65_536

  public let algorithm: Algorithm
  /// The id of the signer's key, if the token states it.
  public let keyID: String?
  package let claims: JSONValue
  /// The bytes that the signature covers.
  public let signedBytes: [UInt8]
  public let signature: [UInt8]

  /// - Throws: `SignInRefusal` for anything but a token with a signature of `Algorithm`.
  public init(_ text: String) throws(SignInRefusal) {
    guard text.utf8.count <= Self.longest else {
      throw SignInRefusal("a token of \(text.utf8.count) bytes", allowed: "\(Self.longest)")
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else {
      throw SignInRefusal("a token of \(parts.count) parts", allowed: "3")
    }
    let header = try SignInRefusal.object(Self.part(parts[0], "header"), "a token's header")
    let name = header["alg"]?.string ?? "nothing"
    guard let algorithm = Algorithm(rawValue: name) else {
      let known = Algorithm.allCases.map(\.rawValue).joined(separator: ", ")
      throw SignInRefusal("a token signed with \(SignInRefusal.excerpt(name))", allowed: known)
    }
    // Critical extensions must be understood (RFC 7515, section 4.1.11), and none is supported.
    guard header["crit"] == nil else {
      throw SignInRefusal("a token with critical extensions", allowed: "none")
    }
    self.algorithm = algorithm
    keyID = header["kid"]?.string
    claims = try SignInRefusal.object(Self.part(parts[1], "claims"), "a token's claims")
    signature = try Self.part(parts[2], "signature")
    signedBytes = Array(parts[0].utf8) + [UInt8(ascii: ".")] + Array(parts[1].utf8)
  }

  private static func part(_ text: Substring, _ name: String) throws(SignInRefusal) -> [UInt8] {
    guard !text.hasSuffix("="), let bytes = Base64URL.decode(String(text)), !bytes.isEmpty else {
      throw SignInRefusal("a token whose \(name) is no base64url", allowed: "base64url without padding")
    }
    return bytes
  }
}
