import COpenSSL

/// Signatures of the curve edwards25519 (RFC 8032).
package enum Ed25519 {
  /// Bytes of a key, private or public.
  package static let keyLength = 32
  /// Bytes of a signature.
  package static let signatureLength = 64

  /// True if the signature is that of the key's holder; false for an invalid key.
  package static func isSignature(_ signature: [UInt8], of bytes: [UInt8], by publicKey: [UInt8]) -> Bool {
    guard publicKey.count == keyLength, signature.count == signatureLength,
      let key = KeyHandle(EVP_PKEY_new_raw_public_key(NID_ED25519, nil, publicKey, publicKey.count))
    else { return false }
    return key.hasSigned(bytes, signature, nil)
  }

  package struct PrivateKey: Sendable {
    private let key: KeyHandle
    /// The private key, to be kept secret.
    package let bytes: [UInt8]
    package let publicKey: [UInt8]

    /// Makes a new key with the system's random generator.
    package init() {
      // Any 32 bytes are a key.
      self = OpenSSL.made(Self(RandomBytes.make(keyLength)))
    }

    /// Returns nil unless there are 32 bytes.
    package init?(_ bytes: [UInt8]) {
      guard bytes.count == keyLength,
        let key = KeyHandle(EVP_PKEY_new_raw_private_key(NID_ED25519, nil, bytes, bytes.count))
      else { return nil }
      self.key = key
      self.bytes = bytes
      publicKey = OpenSSL.bytes(keyLength) {
        var count = keyLength
        OpenSSL.demand(EVP_PKEY_get_raw_public_key(key.pointer, $0, &count))
      }
    }

    /// Signs bytes. The signature has 64 bytes and is the same each time.
    package func signature(of bytes: [UInt8]) -> [UInt8] { key.signature(of: bytes, nil) }
  }
}
