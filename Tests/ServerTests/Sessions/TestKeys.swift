import COpenSSL
import Cryptography
import Foundation

extension P256.PrivateKey {
  /// PKCS #8 (RFC 5958, RFC 5915), as Apple hands its keys out; put together here, so that nothing else has written it.
  var pem: String {
    let head: [UInt8] = [
      0x30, 0x81, 0x87, 0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01,
      0x06,
      0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x04, 0x6d, 0x30, 0x6b, 0x02, 0x01, 0x01, 0x04,
      0x20,
    ]
    let der = Data(head + bytes + [0xa1, 0x44, 0x03, 0x42, 0x00] + publicKey)
    return "-----BEGIN PRIVATE KEY-----\n\(der.base64EncodedString(options: .lineLength64Characters))\n"
      + "-----END PRIVATE KEY-----\n"
  }
}

/// A key of RSA with 2,048 bits, with both halves: the server itself only checks signatures of others.
final class RSAKey: @unchecked Sendable {
  // Never changed once it is made.
  private let key: OpaquePointer

  init() {
    var made: OpaquePointer?
    let context = EVP_PKEY_CTX_new_from_name(nil, "RSA", nil)
    defer { EVP_PKEY_CTX_free(context) }
    guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_rsa_keygen_bits(context, 2048) == 1,
      EVP_PKEY_generate(context, &made) == 1, let made
    else { fatalError("OpenSSL makes no key of RSA") }
    key = made
  }

  deinit { EVP_PKEY_free(key) }

  var modulus: [UInt8] { number(OSSL_PKEY_PARAM_RSA_N) }
  var exponent: [UInt8] { number(OSSL_PKEY_PARAM_RSA_E) }

  private func number(_ name: String) -> [UInt8] {
    var number: OpaquePointer?
    guard EVP_PKEY_get_bn_param(key, name, &number) == 1 else { fatalError("a key without \(name)") }
    defer { BN_free(number) }
    var bytes = [UInt8](repeating: 0, count: Int(BN_num_bits(number) + 7) / 8)
    BN_bn2bin(number, &bytes)
    return bytes
  }

  func signature(of bytes: [UInt8]) -> [UInt8] {
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    var signature = [UInt8](repeating: 0, count: 256)
    var count = signature.count
    guard EVP_DigestSignInit_ex(context, nil, "SHA256", nil, nil, key, nil) == 1,
      EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1
    else { fatalError("OpenSSL signs nothing") }
    return signature
  }
}
