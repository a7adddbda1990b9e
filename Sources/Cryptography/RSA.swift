import COpenSSL

/// Signatures of RSA with SHA-256 (RSASSA-PKCS1-v1_5, RFC 8017), which providers of sign-in and passkeys may use.
package enum RSA {
  /// True if the signature is that of the key's holder; false for an invalid key or one of fewer than 2,048
  /// bits.
  /// - Parameters:
  ///   - modulus: its bytes, the highest first.
  ///   - exponent: the same.
  package static func isSignature(
    _ signature: [UInt8], of bytes: [UInt8], modulus: [UInt8], exponent: [UInt8]
  ) -> Bool {
    guard modulus.drop(while: { $0 == 0 }).count >= 256,
      let key = KeyHandle(
        "RSA", isPrivate: false,
        {
          $0.add(OSSL_PKEY_PARAM_RSA_N, number: modulus)
          $0.add(OSSL_PKEY_PARAM_RSA_E, number: exponent)
        })
    else { return false }
    return key.hasSigned(bytes, signature, "SHA256")
  }
}
