/// The public key of a passkey in COSE form (RFC 9052, RFC 9053, RFC 8812), of a supported kind.
public enum PasskeyPublicKey: Hashable, Sendable {
  /// ES256: a point of P-256, 32 bytes for each coordinate.
  case es256(x: [UInt8], y: [UInt8])
  case rs256(modulus: [UInt8], exponent: [UInt8])

  /// The COSE numbers of the algorithms to request, the preferred one first.
  public static let algorithms: [Int] = [-7, -257]

  /// - Throws: `SignInRefusal` for anything but one whole key of these kinds.
  public init(cose bytes: [UInt8]) throws(SignInRefusal) {
    let (item, length) = try CBORItem.read(bytes[...])
    guard length == bytes.count else {
      throw SignInRefusal("a key with \(bytes.count - length) bytes behind it", allowed: "nothing")
    }
    try self.init(item)
  }

  private enum Label {
    static let kind: Int64 = 1
    static let algorithm: Int64 = 3
    /// The curve of an elliptic key, the modulus of an RSA key.
    static let first: Int64 = -1
    static let second: Int64 = -2
    static let third: Int64 = -3
  }

  init(_ item: CBORItem) throws(SignInRefusal) {
    switch (item[Label.kind], item[Label.algorithm]) {
    case (.integer(2), .integer(-7)):
      guard item[Label.first] == .integer(1), let x = item[Label.second]?.asBytes, x.count == 32,
        let y = item[Label.third]?.asBytes, y.count == 32
      else {
        throw SignInRefusal("an elliptic key that is no point of P-256", allowed: "P-256, 32 bytes each")
      }
      self = .es256(x: x, y: y)
    case (.integer(3), .integer(-257)):
      guard let modulus = item[Label.first]?.asBytes, (256...1024).contains(modulus.count),
        let exponent = item[Label.second]?.asBytes, (1...8).contains(exponent.count)
      else { throw SignInRefusal("an RSA key of another size", allowed: "2,048 to 8,192 bits") }
      self = .rs256(modulus: modulus, exponent: exponent)
    default: throw SignInRefusal("a key of another kind", allowed: "ES256 (-7) or RS256 (-257)")
    }
  }
}
