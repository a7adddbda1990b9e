import COpenSSL

/// The OpenSSL that this process is linked with, as its administrator has configured it.
package enum SystemOpenSSL {
  /// Returns the required algorithms that it does not offer, by OpenSSL's names, for example if it is
  /// restricted to those of FIPS 140. All other code here assumes that none is missing.
  package static func missing() -> [String] {
    defer { ERR_clear_error() }
    func lacks<Found>(_ names: [String], _ fetch: (String) -> Found?, _ free: (Found) -> Void) -> [String] {
      names.filter { name in
        guard let found = fetch(name) else { return true }
        free(found)
        return false
      }
    }
    return lacks(["SHA256", "SHA1"], { EVP_MD_fetch(nil, $0, nil) }, EVP_MD_free)
      + lacks(["AES-128-GCM", "ChaCha20-Poly1305"], { EVP_CIPHER_fetch(nil, $0, nil) }, EVP_CIPHER_free)
      + lacks(["HKDF"], { EVP_KDF_fetch(nil, $0, nil) }, EVP_KDF_free)
      + lacks(["EC", "ED25519", "RSA"], { EVP_KEYMGMT_fetch(nil, $0, nil) }, EVP_KEYMGMT_free)
  }
}
