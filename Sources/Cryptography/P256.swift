import COpenSSL

/// Signatures and shared secrets of the curve P-256 (FIPS 186-5, SP 800-56A). A signature covers the text's
/// SHA-256.
package enum P256 {
  /// The length in bytes of a private key, and of a coordinate.
  package static let keyLength = 32
  /// The length in bytes of a public key: 4, and the two coordinates (SEC 1, uncompressed).
  package static let pointLength = 65

  package static func isPoint(_ bytes: [UInt8]) -> Bool { handle(of: bytes) != nil }

  /// - Parameter signature: the two numbers, 32 bytes each (RFC 7518, section 3.4).
  package static func isSignature(raw signature: [UInt8], of bytes: [UInt8], by publicKey: [UInt8]) -> Bool {
    guard signature.count == 2 * keyLength else { return false }
    let pair = OpenSSL.made(ECDSA_SIG_new())
    defer { ECDSA_SIG_free(pair) }
    let numbers = [signature[..<keyLength], signature[keyLength...]].map {
      OpenSSL.made(BN_bin2bn(Array($0), Int32(keyLength), nil))
    }
    // The pair owns the numbers from now on.
    OpenSSL.demand(ECDSA_SIG_set0(pair, numbers[0], numbers[1]))
    let length = i2d_ECDSA_SIG(pair, nil)
    let der = OpenSSL.bytes(Int(length)) { bytes in
      var end = bytes
      precondition(i2d_ECDSA_SIG(pair, &end) == length, "one pair of numbers has one length")
    }
    return isSignature(der: der, of: bytes, by: publicKey)
  }

  /// - Parameter signature: in ASN.1, as authenticators write it.
  package static func isSignature(der signature: [UInt8], of bytes: [UInt8], by publicKey: [UInt8]) -> Bool {
    handle(of: publicKey)?.hasSigned(bytes, signature, "SHA256") ?? false
  }

  /// Returns a key handle; nil if the bytes are no point of the curve.
  fileprivate static func handle(of point: [UInt8]) -> KeyHandle? {
    guard point.count == pointLength, point[0] == 4 else { return nil }
    return KeyHandle("EC", isPrivate: false) {
      $0.add(OSSL_PKEY_PARAM_GROUP_NAME, text: curve)
      $0.add(OSSL_PKEY_PARAM_PUB_KEY, point)
    }
  }

  /// OpenSSL's name of the curve.
  fileprivate static let curve = "prime256v1"

  package struct PrivateKey: Sendable {
    private let key: KeyHandle
    /// The private key, to be kept secret.
    package let bytes: [UInt8]
    /// The public key, an uncompressed point of 65 bytes.
    package let publicKey: [UInt8]

    /// Makes a new key with the system's random generator.
    package init() {
      // All but one of 2^32 numbers are below the curve's order.
      let found = (0..<16).lazy.compactMap { _ in Self(RandomBytes.make(keyLength)) }.first
      self = OpenSSL.made(found)
    }

    /// Returns nil unless the bytes are 32 that form a number from one to below the curve's order.
    package init?(_ bytes: [UInt8]) {
      guard let publicKey = Self.point(of: bytes),
        let key = KeyHandle(
          "EC", isPrivate: true,
          {
            $0.add(OSSL_PKEY_PARAM_GROUP_NAME, text: curve)
            $0.add(OSSL_PKEY_PARAM_PUB_KEY, publicKey)
            $0.add(OSSL_PKEY_PARAM_PRIV_KEY, number: bytes)
          })
      else { return nil }
      (self.key, self.bytes, self.publicKey) = (key, bytes, publicKey)
    }

    /// Returns nil unless the text is a key of this curve in PKCS #8 or SEC 1, without a password.
    package init?(pem: String) {
      let text = Array(pem.utf8)
      let source = OpenSSL.made(BIO_new_mem_buf(text, Int32(text.count)))
      defer { BIO_free(source) }
      // Without this callback OpenSSL would ask for the password of an encrypted key at the terminal.
      guard let key = KeyHandle(PEM_read_bio_PrivateKey(source, nil, { _, _, _, _ in -1 }, nil)) else {
        return nil
      }
      var name = [CChar](repeating: 0, count: 50)
      guard OpenSSL.isDone(EVP_PKEY_get_group_name(key.pointer, &name, name.count, nil)),
        name.prefix(while: { $0 != 0 }).elementsEqual(curve.utf8.map { CChar($0) }),
        let bytes = key.number(OSSL_PKEY_PARAM_PRIV_KEY, count: keyLength)
      else { return nil }
      self.init(bytes)
    }

    /// Signs a text. The signature is in ASN.1, at most 72 bytes, and different each time.
    package func derSignature(of text: [UInt8]) -> [UInt8] { key.signature(of: text, "SHA256") }

    /// Signs a text. The signature is two numbers, 32 bytes each (RFC 7518, section 3.4), and different each
    /// time.
    package func signature(of text: [UInt8]) -> [UInt8] {
      let der = derSignature(of: text)
      let pair = der.withUnsafeBufferPointer { der in
        var start = der.baseAddress
        return OpenSSL.made(d2i_ECDSA_SIG(nil, &start, der.count))
      }
      defer { ECDSA_SIG_free(pair) }
      return [ECDSA_SIG_get0_r(pair), ECDSA_SIG_get0_s(pair)].flatMap {
        OpenSSL.bytes(of: $0, count: keyLength)
      }
    }

    /// Returns the secret shared with the owner of a public key: the first coordinate, 32 bytes. Nil if
    /// `point` is not on the curve.
    package func sharedSecret(with point: [UInt8]) -> [UInt8]? {
      guard let other = handle(of: point) else { return nil }
      let context = OpenSSL.made(EVP_PKEY_CTX_new(key.pointer, nil))
      defer { EVP_PKEY_CTX_free(context) }
      OpenSSL.demand(EVP_PKEY_derive_init(context))
      guard OpenSSL.isDone(EVP_PKEY_derive_set_peer(context, other.pointer)) else { return nil }
      return OpenSSL.bytes(keyLength) {
        var count = keyLength
        OpenSSL.demand(EVP_PKEY_derive(context, $0, &count))
      }
    }

    /// Returns the public key; nil if the bytes are no private key.
    private static func point(of bytes: [UInt8]) -> [UInt8]? {
      guard bytes.count == keyLength else { return nil }
      let group = OpenSSL.made(EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1))
      let number = OpenSSL.made(BN_bin2bn(bytes, Int32(bytes.count), nil))
      let point = OpenSSL.made(EC_POINT_new(group))
      defer {
        EC_POINT_free(point)
        BN_clear_free(number)
        EC_GROUP_free(group)
      }
      guard BN_is_zero(number) == 0, BN_cmp(number, EC_GROUP_get0_order(group)) < 0 else { return nil }
      OpenSSL.demand(EC_POINT_mul(group, point, number, nil, nil, nil))
      return OpenSSL.bytes(pointLength) {
        let count = EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, $0, pointLength, nil)
        precondition(count == pointLength, "a point has 65 bytes")
      }
    }
  }
}
