import Crypto
import Store

/// Random texts that prove something, of which only the hash is kept.
enum Secrets {
  /// 32 random bytes of the system's generator.
  static func randomBytes() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// 43 characters, fit for an address, a header field and a password.
  static func random() -> String { Base64URL.encode(randomBytes()) }

  static func hash(_ secret: some StringProtocol) -> TokenHash {
    TokenHash(Array(SHA256.hash(data: Array(secret.utf8))))
  }
}
