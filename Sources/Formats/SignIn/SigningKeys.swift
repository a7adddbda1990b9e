/// The signing keys of a provider (RFC 7517) that may sign tokens for us.
public struct SigningKeys: Sendable {
  public struct Key: Hashable, Sendable {
    public let id: String?
    public let material: Material
  }

  public enum Material: Hashable, Sendable {
    case rsa(modulus: [UInt8], exponent: [UInt8])
    /// A point of P-256, 32 bytes for each coordinate.
    case p256(x: [UInt8], y: [UInt8])

    var algorithm: SignedToken.Algorithm {
      switch self {
      case .rsa: .rs256
      case .p256: .es256
      }
    }
  }

  /// The most keys that are read.
  public static let most = 100

  public let keys: [Key]

  /// Keys of other kinds and for other uses are left out.
  /// - Throws: `SignInRefusal` for anything that is no set of keys.
  public init(_ bytes: [UInt8]) throws(SignInRefusal) {
    let set = try SignInRefusal.object(bytes, "a set of keys")
    guard let list = set["keys"]?.list else {
      throw SignInRefusal("a set of keys without \"keys\"", allowed: "a list of keys")
    }
    keys = list.prefix(Self.most).compactMap(Self.key)
  }

  private static func key(_ value: JSONValue) -> Key? {
    if let use = value["use"], use.string != "sig" { return nil }
    if let uses = value["key_ops"]?.list, !uses.contains(where: { $0.string == "verify" }) { return nil }
    guard let material = material(value) else { return nil }
    if let named = value["alg"], named.string != material.algorithm.rawValue { return nil }
    return Key(id: value["kid"]?.string, material: material)
  }

  private static func material(_ value: JSONValue) -> Material? {
    func number(_ name: String) -> [UInt8]? { value[name]?.string.flatMap { Base64URL.decode($0) } }
    switch value["kty"]?.string {
    case "RSA":
      // 2,048 to 16,384 bits.
      guard let modulus = number("n"), (256...2049).contains(modulus.count), let exponent = number("e"),
        (1...8).contains(exponent.count)
      else { return nil }
      return .rsa(modulus: modulus, exponent: exponent)
    case "EC":
      guard value["crv"]?.string == "P-256", let x = number("x"), x.count == 32, let y = number("y"),
        y.count == 32
      else { return nil }
      return .p256(x: x, y: y)
    default: return nil
    }
  }

  /// Returns the keys that may have signed a token: those of its algorithm and, if it names a key, of that
  /// id.
  public func keys(for token: SignedToken) -> [Key] {
    keys.filter { key in
      key.material.algorithm == token.algorithm && (token.keyID == nil || key.id == token.keyID)
    }
  }
}
