import Foundation

#if canImport(UIKit)
  import Security
#else
  import AppleFakes
#endif

/// The token for a server in the system's keychain. It can be read from the first unlock after a restart on,
/// since reports are sent with the phone locked. It stays on this phone and is in no backup.
///
/// It is stored under the server's address, so that a token is never sent to another server, even if the
/// process ends while a person changes servers.
@MainActor
struct TokenKeychain {
  static let service = "app.proximity.alarm.reports"

  /// The system refused; `status` is its error number.
  struct Refusal: Error, Equatable { let status: OSStatus }

  /// - Throws: also if there is none for this address.
  func token(for address: String) throws(Refusal) -> String {
    var query = query(address)
    query[kSecReturnData as String] = true
    var found: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &found)
    try check(status)
    guard let data = found as? Data else { throw Refusal(status: errSecItemNotFound) }
    return String(decoding: data, as: UTF8.self)
  }

  /// Stores a token, replacing an earlier one for the same address.
  func keep(_ token: String, for address: String) throws(Refusal) {
    let values: [String: Any] = [
      kSecValueData as String: Data(token.utf8),
      kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
    ]
    var status = SecItemUpdate(query(address) as CFDictionary, values as CFDictionary)
    if status == errSecItemNotFound {
      status = SecItemAdd(query(address).merging(values) { $1 } as CFDictionary, nil)
    }
    try check(status)
    Platform.wrote()
  }

  /// Removes all tokens except that of `address`; nil removes all. The keychain outlives the app, so tokens
  /// of an earlier installation are removed, too.
  func keepOnly(_ address: String?) throws(Refusal) {
    var all = query(nil)
    all[kSecReturnAttributes as String] = true
    all[kSecMatchLimit as String] = kSecMatchLimitAll
    var found: CFTypeRef?
    let status = SecItemCopyMatching(all as CFDictionary, &found)
    if status == errSecItemNotFound { return }
    try check(status)
    for item in found as? [[String: Any]] ?? [] {
      guard let account = item[kSecAttrAccount as String] as? String, account != address else { continue }
      let status = SecItemDelete(query(account) as CFDictionary)
      if status != errSecItemNotFound { try check(status) }
      Platform.wrote()
    }
  }

  private func query(_ address: String?) -> [String: Any] {
    var query: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: Self.service,
    ]
    if let address { query[kSecAttrAccount as String] = address }
    return query
  }

  private func check(_ status: OSStatus) throws(Refusal) {
    guard status == errSecSuccess else { throw Refusal(status: status) }
  }
}
