import Cryptography
import Formats

/// JSON Web Tokens signed with ES256 (RFC 7515, RFC 7518 section 3.4), for VAPID and APNs.
enum JSONWebToken {
  static func es256(claims: JSONValue, keyID: String? = nil, key: P256.PrivateKey) -> String {
    var header: [(String, JSONValue)] = [("typ", .string("JWT")), ("alg", .string("ES256"))]
    if let keyID { header.append(("kid", .string(keyID))) }
    let content =
      Base64URL.encode(JSONValue.object(header).text.utf8) + "." + Base64URL.encode(claims.text.utf8)
    return content + "." + Base64URL.encode(key.signature(of: Array(content.utf8)))
  }
}
