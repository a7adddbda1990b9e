import COpenSSL

/// SHA-256 (FIPS 180-4) of bytes given in parts.
package struct SHA256: ~Copyable {
  /// Bytes of a hash.
  package static let length = 32

  private let context: OpaquePointer

  package init() {
    context = OpenSSL.made(EVP_MD_CTX_new())
    OpenSSL.demand(EVP_DigestInit_ex(context, Algorithm.sha256, nil))
  }

  deinit { EVP_MD_CTX_free(context) }

  package mutating func update(_ bytes: some Sequence<UInt8>) {
    OpenSSL.withBytes(bytes) { OpenSSL.demand(EVP_DigestUpdate(context, $0.baseAddress, $0.count)) }
  }

  package consuming func finish() -> [UInt8] {
    OpenSSL.bytes(Self.length) { OpenSSL.demand(EVP_DigestFinal_ex(context, $0, nil)) }
  }

  package static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    OpenSSL.withBytes(bytes) { bytes in
      OpenSSL.bytes(length) {
        OpenSSL.demand(EVP_Digest(bytes.baseAddress, bytes.count, $0, nil, Algorithm.sha256, nil))
      }
    }
  }
}

/// Algorithms, looked up once: OpenSSL searches its providers at each request.
enum Algorithm {
  // OpenSSL counts who uses them with atomic numbers, and they are never changed.
  nonisolated(unsafe) static let sha256 = OpenSSL.made(EVP_MD_fetch(nil, "SHA256", nil))
  nonisolated(unsafe) static let sha1 = OpenSSL.made(EVP_MD_fetch(nil, "SHA1", nil))
}
