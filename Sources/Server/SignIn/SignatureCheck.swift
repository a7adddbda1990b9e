import Cryptography
import Formats

extension SigningKeys.Key {
  /// True if a token is signed by the holder of this key; false for an invalid key.
  func hasSigned(_ token: SignedToken) -> Bool {
    switch (material, token.algorithm) {
    case (.rsa(let modulus, let exponent), .rs256):
      RSA.isSignature(token.signature, of: token.signedBytes, modulus: modulus, exponent: exponent)
    case (.p256(let x, let y), .es256):
      P256.isSignature(raw: token.signature, of: token.signedBytes, by: [4] + x + y)
    case (.rsa, .es256), (.p256, .rs256): false
    }
  }
}

extension PasskeyPublicKey {
  /// True if the holder of the private key has signed these bytes. With ES256 the signature is ASN.1, as
  /// written by authenticators.
  func hasSigned(_ bytes: [UInt8], signature: [UInt8]) -> Bool {
    switch self {
    case .es256(let x, let y): P256.isSignature(der: signature, of: bytes, by: [4] + x + y)
    case .rs256(let modulus, let exponent):
      RSA.isSignature(signature, of: bytes, modulus: modulus, exponent: exponent)
    }
  }
}
