import Foundation

/// The metadata of an OpenID Connect provider (OpenID Connect Discovery 1.0, section 4).
public struct ProviderDocument: Hashable, Sendable {
  /// The method by which the client authenticates to the provider (RFC 6749, section 2.3).
  public enum ClientProof: String, Sendable {
    case basic = "client_secret_basic"
    case post = "client_secret_post"
  }

  public let authorization: String
  public let token: String
  public let keys: String
  public let clientProof: ClientProof
  /// True if each response names the issuer, so that one without it is from another sender (RFC 9207).
  public let namesIssuerInAnswers: Bool

  /// - Parameter issuer: the issuer as the operator wrote it; that of the document must be identical.
  /// - Throws: `SignInRefusal` for a document of another issuer, or one without a required address.
  public init(_ bytes: [UInt8], issuer: String) throws(SignInRefusal) {
    let document = try SignInRefusal.object(bytes, "a provider's document")
    guard document["issuer"]?.string == issuer else {
      throw SignInRefusal(
        "a provider's document of the issuer \(SignInRefusal.excerpt(document["issuer"]?.excerpt ?? "nothing"))",
        allowed: issuer)
    }
    func address(_ name: String) throws(SignInRefusal) -> String {
      guard let text = document[name]?.string, text.utf8.count <= 2000, Self.isSafe(text) else {
        throw SignInRefusal(
          "a provider's document whose \(name) is \(SignInRefusal.excerpt(document[name]?.excerpt ?? "nothing"))",
          allowed: Self.allowedAddress)
      }
      return text
    }
    authorization = try address("authorization_endpoint")
    token = try address("token_endpoint")
    keys = try address("jwks_uri")
    let methods = document["token_endpoint_auth_methods_supported"]?.list?.compactMap(\.string) ?? []
    clientProof =
      methods.contains(ClientProof.post.rawValue) && !methods.contains(ClientProof.basic.rawValue)
      ? .post : .basic
    if case .bool(true)? = document["authorization_response_iss_parameter_supported"] {
      namesIssuerInAnswers = true
    } else {
      namesIssuerInAnswers = false
    }
  }

  public static let allowedAddress = "https:// and a host, or http:// on this machine"

  /// True if an address is safe for secrets: TLS, or this machine.
  public static func isSafe(_ text: String) -> Bool {
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }), let url = URL(string: text),
      let host = url.host(), !host.isEmpty, url.user() == nil, url.password() == nil, url.fragment() == nil
    else { return false }
    switch url.scheme {
    case "https": return true
    case "http": return ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host)
    default: return false
    }
  }
}
