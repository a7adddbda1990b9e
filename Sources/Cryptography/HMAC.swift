import COpenSSL

/// Codes that only who has the key can make (RFC 2104).
package enum HMAC {
  /// 32 bytes.
  package static func sha256(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    code(message, key, Algorithm.sha256, SHA256.length)
  }

  /// 20 bytes: for the codes of authenticator apps, which know nothing else.
  package static func sha1(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    code(message, key, Algorithm.sha1, 20)
  }

  private static func code(
    _ message: [UInt8], _ key: [UInt8], _ algorithm: OpaquePointer, _ length: Int
  ) -> [UInt8] {
    // Without an address OpenSSL takes the key of the call before.
    let key = key.isEmpty ? [0] : key
    return OpenSSL.bytes(length) { code in
      _ = OpenSSL.made(
        COpenSSL.HMAC(algorithm, key, Int32(key.count), message, message.count, code, nil))
    }
  }
}

/// Keys out of a shared secret (RFC 5869).
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

/// Whether two texts are the same, in a time that tells nothing of where they differ.
package func constantTimeEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
  a.count == b.count && CRYPTO_memcmp(a, b, a.count) == 0
}
