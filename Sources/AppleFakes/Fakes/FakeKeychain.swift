import Foundation
import PhoneSimulator

/// The keychain of one application, as far as passwords without a place in the network go. It stays where the application
/// is removed from the phone.
@MainActor
public final class FakeKeychain {
  public struct Item: Hashable, Sendable {
    public let service: String
    public let account: String
    public fileprivate(set) var data: Data
    /// One of Apple's constants; empty: that of an item for which nothing was said.
    public fileprivate(set) var accessible: String
  }

  public private(set) var items: [Item] = []
  /// The status that every call returns without doing anything; nil: calls work.
  public var refusal: OSStatus?

  nonisolated init() {}

  /// Puts an item there as another installation of the application did.
  public func leave(_ data: Data, service: String, account: String) {
    items.append(Item(service: service, account: account, data: data, accessible: ""))
  }

  func add(_ attributes: [String: Any]) -> OSStatus {
    if let problem = problem(attributes) { return problem }
    guard let service = attributes[kSecAttrService] as? String,
      let account = attributes[kSecAttrAccount] as? String, let data = attributes[kSecValueData] as? Data
    else { return errSecParam }
    guard !items.contains(where: { $0.service == service && $0.account == account }) else {
      return errSecDuplicateItem
    }
    items.append(
      Item(
        service: service, account: account, data: data,
        accessible: attributes[kSecAttrAccessible] as? String ?? ""))
    return errSecSuccess
  }

  func find(_ query: [String: Any], _ result: inout Any?) -> OSStatus {
    if let problem = problem(query) { return problem }
    let found = items.filter { matches($0, query) }
    guard let first = found.first else { return errSecItemNotFound }
    func form(_ item: Item) -> Any {
      if query[kSecReturnAttributes] as? Bool == true {
        return [kSecAttrService: item.service, kSecAttrAccount: item.account] as [String: Any]
      }
      return item.data
    }
    let isAll = query[kSecMatchLimit] as? String == kSecMatchLimitAll
    result = isAll ? found.map(form) : form(first)
    return errSecSuccess
  }

  func update(_ query: [String: Any], _ attributes: [String: Any]) -> OSStatus {
    if let problem = problem(query) { return problem }
    let places = items.indices.filter { matches(items[$0], query) }
    for place in places {
      if let data = attributes[kSecValueData] as? Data { items[place].data = data }
      if let accessible = attributes[kSecAttrAccessible] as? String { items[place].accessible = accessible }
    }
    return places.isEmpty ? errSecItemNotFound : errSecSuccess
  }

  func delete(_ query: [String: Any]) -> OSStatus {
    if let problem = problem(query) { return problem }
    let before = items.count
    items.removeAll { matches($0, query) }
    return items.count == before ? errSecItemNotFound : errSecSuccess
  }

  /// A process that has ended does nothing more.
  private func problem(_ query: [String: Any]) -> OSStatus? {
    guard FakePhone.isRunning else { return errSecNotAvailable }
    if let refusal { return refusal }
    return query[kSecClass] as? String == kSecClassGenericPassword ? nil : errSecParam
  }

  private func matches(_ item: Item, _ query: [String: Any]) -> Bool {
    func holds(_ key: String, _ value: String) -> Bool { query[key].map { $0 as? String == value } ?? true }
    return holds(kSecAttrService, item.service) && holds(kSecAttrAccount, item.account)
  }
}
