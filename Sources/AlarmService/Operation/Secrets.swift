import Cryptography
import Formats
import Store

/// Random texts that prove something, of which only the hash is kept.
package enum Secrets {
  /// 32 random bytes of the system's generator.
  package static func randomBytes() -> [UInt8] { RandomBytes.make(32) }

  /// 43 characters, fit for an address, a header field and a password.
  package static func random() -> String { Base64URL.encode(randomBytes()) }

  /// Whether a text is of the form of one of ours: no device may be called so, and none is kept in clear.
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
