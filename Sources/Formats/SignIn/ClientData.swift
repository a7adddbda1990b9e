/// The browser's data about the page that requested a passkey (Web Authentication Level 2, section 5.8.1).
public struct ClientData: Sendable {
  public enum Purpose: String, Sendable {
    case making = "webauthn.create"
    case signingIn = "webauthn.get"
  }

  /// The longest client data, in bytes.
  public static let longest = 8192

  public let challenge: [UInt8]

  /// - Parameters:
  ///   - purpose: the required purpose.
  ///   - origin: the page's origin, as browsers write it.
  /// - Throws: `SignInRefusal` for another purpose, another page, or a page in a frame of another one.
  public init(_ bytes: [UInt8], purpose: Purpose, origin: String) throws(SignInRefusal) {
    guard bytes.count <= Self.longest else {
      throw SignInRefusal("client data of \(bytes.count) bytes", allowed: "\(Self.longest)")
    }
    let data = try SignInRefusal.object(bytes, "client data")
    func excerpt(_ name: String) -> String { SignInRefusal.excerpt(data[name]?.excerpt ?? "nothing") }
    guard data["type"]?.string == purpose.rawValue else {
      throw SignInRefusal("client data for \(excerpt("type"))", allowed: purpose.rawValue)
    }
    guard let challenge = data["challenge"]?.string.flatMap({ Base64URL.decode($0) }), !challenge.isEmpty
    else { throw SignInRefusal("client data without a challenge", allowed: "base64url") }
    guard data["origin"]?.string == origin else {
      throw SignInRefusal("client data of the page \(excerpt("origin"))", allowed: origin)
    }
    switch data["crossOrigin"] {
    case nil, .bool(false)?: break
    default: throw SignInRefusal("client data of a frame of another page", allowed: "a page of its own")
    }
    guard data["topOrigin"] == nil else {
      throw SignInRefusal("client data of a frame of another page", allowed: "a page of its own")
    }
    self.challenge = challenge
  }
}
