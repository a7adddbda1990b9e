import Crypto
import CryptoExtras
import Formats
import Foundation

extension SigningKeys.Key {
  /// Whether a token is signed by the holder of this key. A key that is none has signed nothing.
  func hasSigned(_ token: SignedToken) -> Bool {
    switch (material, token.algorithm) {
    case (.rsa(let modulus, let exponent), .rs256):
      SignatureCheck.rs256(token.signature, over: token.signedBytes, modulus: modulus, exponent: exponent)
    case (.p256(let x, let y), .es256):
      SignatureCheck.es256(raw: token.signature, over: token.signedBytes, x: x, y: y)
    case (.rsa, .es256), (.p256, .rs256): false
    }
  }
}

extension PasskeyPublicKey {
  /// Whether the holder of the private half has signed this. Of ES256 the signature is ASN.1, as authenticators write it.
  func hasSigned(_ bytes: [UInt8], signature: [UInt8]) -> Bool {
    switch self {
    case .es256(let x, let y): SignatureCheck.es256(der: signature, over: bytes, x: x, y: y)
    case .rs256(let modulus, let exponent):
      SignatureCheck.rs256(signature, over: bytes, modulus: modulus, exponent: exponent)
    }
  }
}

/// Signatures of other people's programs. Whatever cannot be read is no signature.
enum SignatureCheck {
  static func rs256(
    _ signature: [UInt8], over bytes: [UInt8], modulus: [UInt8], exponent: [UInt8]
  ) -> Bool {
    guard let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent) else { return false }
    return key.isValidSignature(
      .init(rawRepresentation: signature), for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5)
  }

  /// - Parameter raw: both numbers, 32 bytes each (RFC 7518, section 3.4).
  static func es256(raw signature: [UInt8], over bytes: [UInt8], x: [UInt8], y: [UInt8]) -> Bool {
    guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
    return es256(signature, over: bytes, x: x, y: y)
  }

  static func es256(der signature: [UInt8], over bytes: [UInt8], x: [UInt8], y: [UInt8]) -> Bool {
    guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
    return es256(signature, over: bytes, x: x, y: y)
  }

  private static func es256(
    _ signature: P256.Signing.ECDSASignature, over bytes: [UInt8], x: [UInt8], y: [UInt8]
  ) -> Bool {
    guard let key = try? P256.Signing.PublicKey(x963Representation: [4] + x + y) else { return false }
    return key.isValidSignature(signature, for: bytes)
  }
}
