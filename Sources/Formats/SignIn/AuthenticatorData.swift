/// An authenticator's signed data about itself and its user (Web Authentication Level 2, section 6.1).
public struct AuthenticatorData: Sendable {
  /// SHA-256 of the host that the passkey is for.
  public let relyingPartyHash: [UInt8]
  /// True if somebody touched the authenticator.
  public let isUserPresent: Bool
  /// True if the authenticator verified the user by PIN, finger or face.
  public let isUserVerified: Bool
  public let signCount: UInt32
  /// The new passkey; nil on sign-in.
  public let credential: Credential?

  public struct Credential: Hashable, Sendable {
    public let id: [UInt8]
    /// The public key in COSE form.
    public let publicKey: [UInt8]
  }

  /// The longest data in bytes; a credential's id has 1,023 at most (section 4).
  public static let longest = 16_384
  static let longestID = 1023

  private enum Flag {
    static let present: UInt8 = 1 << 0
    static let verified: UInt8 = 1 << 2
    static let credential: UInt8 = 1 << 6
    static let extensions: UInt8 = 1 << 7
  }

  /// - Throws: `SignInRefusal` for bytes that end early, go on after the end, or hold an unsupported kind of
  ///   key.
  public init(_ bytes: [UInt8]) throws(SignInRefusal) {
    guard bytes.count <= Self.longest else {
      throw SignInRefusal("authenticator data of \(bytes.count) bytes", allowed: "\(Self.longest)")
    }
    var rest = bytes[...]
    func take(_ count: Int, _ rest: inout ArraySlice<UInt8>) throws(SignInRefusal) -> ArraySlice<UInt8> {
      guard rest.count >= count else {
        throw SignInRefusal("authenticator data that ends early", allowed: "37 bytes or more, whole")
      }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
    relyingPartyHash = Array(try take(32, &rest))
    let flags = try take(1, &rest).first ?? 0
    isUserPresent = flags & Flag.present != 0
    isUserVerified = flags & Flag.verified != 0
    signCount = try take(4, &rest).reduce(0) { $0 << 8 | UInt32($1) }
    if flags & Flag.credential != 0 {
      // The authenticator's model id is not used.
      _ = try take(16, &rest)
      let length = try take(2, &rest).reduce(0) { $0 << 8 | Int($1) }
      guard (1...Self.longestID).contains(length) else {
        throw SignInRefusal("a credential's id of \(length) bytes", allowed: "1 to \(Self.longestID)")
      }
      let id = Array(try take(length, &rest))
      let (item, size) = try CBORItem.read(rest)
      _ = try PasskeyPublicKey(item)
      credential = Credential(id: id, publicKey: Array(try take(size, &rest)))
    } else {
      credential = nil
    }
    if flags & Flag.extensions != 0 {
      let (item, size) = try CBORItem.read(rest)
      guard item.isMap else { throw SignInRefusal("extensions that are no map", allowed: "a map") }
      _ = try take(size, &rest)
    }
    guard rest.isEmpty else {
      throw SignInRefusal("authenticator data with \(rest.count) bytes behind it", allowed: "nothing")
    }
  }

  /// Reads the response to making a passkey (section 6.5.4). The attestation of the authenticator's maker is
  /// not requested and not checked.
  /// - Throws: `SignInRefusal`, also if the response has no passkey.
  public init(attestationObject bytes: [UInt8]) throws(SignInRefusal) {
    guard bytes.count <= 4 * Self.longest else {
      throw SignInRefusal("an attestation of \(bytes.count) bytes", allowed: "\(4 * Self.longest)")
    }
    let (object, length) = try CBORItem.read(bytes[...])
    guard length == bytes.count, object["fmt"]?.asText != nil, object["attStmt"]?.isMap == true,
      let data = object["authData"]?.asBytes
    else { throw SignInRefusal("no attestation object", allowed: "fmt, attStmt and authData") }
    self = try AuthenticatorData(data)
    guard credential != nil else {
      throw SignInRefusal("an attestation without a passkey", allowed: "one with its public key")
    }
  }
}
