import COpenSSL
import Foundation

@testable import Cryptography

extension P256.PrivateKey {
  /// PKCS #8 (RFC 5958, RFC 5915), in the form in which Apple issues keys; built here, independently of the
  /// code under test.
  var pem: String {
    let head: [UInt8] = [
      0x30, 0x81, 0x87, 0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02,
      0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x04, 0x6d, 0x30, 0x6b, 0x02,
      0x01, 0x01, 0x04, 0x20,
    ]
    let der = Data(head + bytes + [0xa1, 0x44, 0x03, 0x42, 0x00] + publicKey)
    return "-----BEGIN PRIVATE KEY-----\n\(der.base64EncodedString(options: .lineLength64Characters))\n"
      + "-----END PRIVATE KEY-----\n"
  }
}

/// A 2,048-bit RSA key with both halves: the server itself only verifies signatures.
struct RSAKey: Sendable {
  private let key: KeyHandle
  let modulus: [UInt8]
  let exponent: [UInt8]

  init() {
    var made: OpaquePointer?
    let context = OpenSSL.made(EVP_PKEY_CTX_new_from_name(nil, "RSA", nil))
    defer { EVP_PKEY_CTX_free(context) }
    OpenSSL.demand(EVP_PKEY_keygen_init(context))
    OpenSSL.demand(EVP_PKEY_CTX_set_rsa_keygen_bits(context, 2048))
    OpenSSL.demand(EVP_PKEY_generate(context, &made))
    key = OpenSSL.made(KeyHandle(made))
    modulus = OpenSSL.made(key.number(OSSL_PKEY_PARAM_RSA_N))
    exponent = OpenSSL.made(key.number(OSSL_PKEY_PARAM_RSA_E))
  }

  func signature(of bytes: [UInt8]) -> [UInt8] { key.signature(of: bytes, "SHA256") }
}
