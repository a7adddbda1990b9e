import COpenSSL

/// Message authentication codes, which only a holder of the key can make (RFC 2104).
package enum HMAC {
  /// Returns a code of 32 bytes.
  package static func sha256(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    code(message, key, Algorithm.sha256, SHA256.length)
  }

  /// Returns a code of 20 bytes, for authenticator apps, which support nothing else.
  package static func sha1(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    code(message, key, Algorithm.sha1, 20)
  }

  private static func code(
    _ message: [UInt8], _ key: [UInt8], _ algorithm: OpaquePointer, _ length: Int
  ) -> [UInt8] {
    // Given no address, OpenSSL would use the key of the previous call.
    let key = key.isEmpty ? [0] : key
    return OpenSSL.bytes(length) { code in
      _ = OpenSSL.made(
        COpenSSL.HMAC(algorithm, key, Int32(key.count), message, message.count, code, nil))
    }
  }
}

/// Derives keys from a shared secret (RFC 5869).
package enum HKDF {
  package static func sha256(_ secret: [UInt8], salt: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
    let algorithm = OpenSSL.made(EVP_KDF_fetch(nil, "HKDF", nil))
    defer { EVP_KDF_free(algorithm) }
    let context = OpenSSL.made(EVP_KDF_CTX_new(algorithm))
    defer { EVP_KDF_CTX_free(context) }
    return Parameters.with { all in
      all.add(OSSL_KDF_PARAM_DIGEST, text: "SHA256")
      all.add(OSSL_KDF_PARAM_KEY, secret)
      all.add(OSSL_KDF_PARAM_SALT, salt)
      all.add(OSSL_KDF_PARAM_INFO, info)
    } use: { parameters in
      OpenSSL.bytes(count) { OpenSSL.demand(EVP_KDF_derive(context, $0, count, parameters)) }
    }
  }
}

/// True if two texts are equal, in a time that does not depend on where they differ.
package func constantTimeEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
  a.count == b.count && CRYPTO_memcmp(a, b, a.count) == 0
}
