import COpenSSL

/// A key held by OpenSSL.
///
/// It is Sendable: the key is never changed once it is made, and OpenSSL lets threads share it
/// (openssl-threads(7)).
final class KeyHandle: @unchecked Sendable {
  let pointer: OpaquePointer

  /// - Parameter pointer: freed with this; nil for bytes that are no key.
  init?(_ pointer: OpaquePointer?) {
    guard let pointer else {
      ERR_clear_error()
      return nil
    }
    self.pointer = pointer
  }

  deinit { EVP_PKEY_free(pointer) }

  /// - Parameter isPrivate: whether the private half is among the parameters.
  convenience init?(_ type: String, isPrivate: Bool, _ fill: (inout Parameters) -> Void) {
    let context = OpenSSL.made(EVP_PKEY_CTX_new_from_name(nil, type, nil))
    defer { EVP_PKEY_CTX_free(context) }
    OpenSSL.demand(EVP_PKEY_fromdata_init(context))
    let halves =
      OSSL_KEYMGMT_SELECT_PUBLIC_KEY | (isPrivate ? OSSL_KEYMGMT_SELECT_PRIVATE_KEY : 0)
    var key: OpaquePointer?
    let isMade = Parameters.with(fill) {
      EVP_PKEY_fromdata(
        context, &key,
        halves | OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS | OSSL_KEYMGMT_SELECT_OTHER_PARAMETERS, $0)
    }
    self.init(OpenSSL.isDone(isMade) ? key : nil)
  }

  /// Returns a number of the key; nil if it has none of that name.
  /// - Parameter count: the number of bytes, with leading zeros if the number has fewer; nil for its own
  ///   length.
  func number(_ name: String, count: Int? = nil) -> [UInt8]? {
    var number: OpaquePointer?
    guard OpenSSL.isDone(EVP_PKEY_get_bn_param(pointer, name, &number)) else { return nil }
    defer { BN_clear_free(number) }
    return OpenSSL.bytes(of: number, count: count ?? (Int(BN_num_bits(number)) + 7) / 8)
  }

  /// - Parameter algorithm: the hash; nil for keys whose type fixes it.
  func signature(of bytes: [UInt8], _ algorithm: String?) -> [UInt8] {
    let context = OpenSSL.made(EVP_MD_CTX_new())
    defer { EVP_MD_CTX_free(context) }
    OpenSSL.demand(EVP_DigestSignInit_ex(context, nil, algorithm, nil, nil, pointer, nil))
    var count = 0
    OpenSSL.demand(EVP_DigestSign(context, nil, &count, bytes, bytes.count))
    var signature = [UInt8](repeating: 0, count: count)
    OpenSSL.demand(EVP_DigestSign(context, &signature, &count, bytes, bytes.count))
    return Array(signature.prefix(count))
  }

  func hasSigned(_ bytes: [UInt8], _ signature: [UInt8], _ algorithm: String?) -> Bool {
    let context = OpenSSL.made(EVP_MD_CTX_new())
    defer { EVP_MD_CTX_free(context) }
    return OpenSSL.isDone(EVP_DigestVerifyInit_ex(context, nil, algorithm, nil, nil, pointer, nil))
      && OpenSSL.isDone(EVP_DigestVerify(context, signature, signature.count, bytes, bytes.count))
  }
}
