import Foundation
import PhoneSimulator

// Core Foundation's types, as far as the keychain's functions take them. On Apple's systems a dictionary and a text of
// Swift are bridged to these; here they are the same.
public typealias CFDictionary = [String: Any]
public typealias CFString = String
public typealias CFTypeRef = Any
/// https://developer.apple.com/documentation/foundation/osstatus
public typealias OSStatus = Int32

/// https://developer.apple.com/documentation/security/errsecsuccess
public let errSecSuccess: OSStatus = 0
/// https://developer.apple.com/documentation/security/errsecparam
public let errSecParam: OSStatus = -50
/// https://developer.apple.com/documentation/security/errsecnotavailable
public let errSecNotAvailable: OSStatus = -25291
/// https://developer.apple.com/documentation/security/errsecduplicateitem
public let errSecDuplicateItem: OSStatus = -25299
/// https://developer.apple.com/documentation/security/errsecitemnotfound
public let errSecItemNotFound: OSStatus = -25300
/// https://developer.apple.com/documentation/security/errsecinteractionnotallowed
public let errSecInteractionNotAllowed: OSStatus = -25308

/// https://developer.apple.com/documentation/security/ksecclass
public let kSecClass: CFString = "class"
/// https://developer.apple.com/documentation/security/ksecclassgenericpassword
public let kSecClassGenericPassword: CFString = "genp"
/// https://developer.apple.com/documentation/security/ksecattrservice
public let kSecAttrService: CFString = "svce"
/// https://developer.apple.com/documentation/security/ksecattraccount
public let kSecAttrAccount: CFString = "acct"
/// https://developer.apple.com/documentation/security/ksecvaluedata
public let kSecValueData: CFString = "v_Data"
/// https://developer.apple.com/documentation/security/ksecreturndata
public let kSecReturnData: CFString = "r_Data"
/// https://developer.apple.com/documentation/security/ksecreturnattributes
public let kSecReturnAttributes: CFString = "r_Attributes"
/// https://developer.apple.com/documentation/security/ksecmatchlimit
public let kSecMatchLimit: CFString = "m_Limit"
/// https://developer.apple.com/documentation/security/ksecmatchlimitall
public let kSecMatchLimitAll: CFString = "m_LimitAll"
/// https://developer.apple.com/documentation/security/ksecattraccessible
public let kSecAttrAccessible: CFString = "pdmn"
/// https://developer.apple.com/documentation/security/ksecattraccessibleafterfirstunlockthisdeviceonly
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"

/// https://developer.apple.com/documentation/security/secitemadd(_:_:)
// swift-format-ignore: AlwaysUseLowerCamelCase
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
  nonisolated(unsafe) let attributes = attributes
  return MainActor.assumeIsolated { FakePhone.current.keychain.add(attributes) }
}

/// https://developer.apple.com/documentation/security/secitemcopymatching(_:_:)
// swift-format-ignore: AlwaysUseLowerCamelCase
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?)
  -> OSStatus
{
  nonisolated(unsafe) let query = query
  nonisolated(unsafe) var found: Any?
  let status = MainActor.assumeIsolated { FakePhone.current.keychain.find(query, &found) }
  result?.pointee = found
  return status
}

/// https://developer.apple.com/documentation/security/secitemupdate(_:_:)
// swift-format-ignore: AlwaysUseLowerCamelCase
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
  nonisolated(unsafe) let (query, attributes) = (query, attributesToUpdate)
  return MainActor.assumeIsolated { FakePhone.current.keychain.update(query, attributes) }
}

/// https://developer.apple.com/documentation/security/secitemdelete(_:)
// swift-format-ignore: AlwaysUseLowerCamelCase
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
  nonisolated(unsafe) let query = query
  return MainActor.assumeIsolated { FakePhone.current.keychain.delete(query) }
}
