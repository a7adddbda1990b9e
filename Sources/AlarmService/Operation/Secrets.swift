import Cryptography
import Formats
import Store

/// Random tokens of which only the hash is stored.
package enum Secrets {
  /// Returns 32 random bytes of the system's generator.
  package static func randomBytes() -> [UInt8] { RandomBytes.make(32) }

  /// Returns 43 characters that can be used in an address, a header field and a password.
  package static func random() -> String { Base64URL.encode(randomBytes()) }

  /// True if a text has the form of such a token: no device may have it as its name, and it is not stored in
  /// clear.
  static func isLikelyOne(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 43
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  package static func hash(_ secret: some StringProtocol) -> TokenHash {
    TokenHash(SHA256.hash(secret.utf8))
  }
}
