import Formats
import Store

/// The values that a phone sent with a position, as they are stored in the fix's `detail`.
extension StoredFix {
  package static func members(charging: Bool?, motion: [String], alarm: String?) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = []
    if let charging { members.append(("is_charging", .bool(charging))) }
    if !motion.isEmpty { members.append(("motion", .array(motion.map { .string($0) }))) }
    if let alarm { members.append(("alarm", .string(alarm))) }
    return members
  }

  /// Returns nil if there are no values.
  package static func detail(charging: Bool?, motion: [String], alarm: String?) -> String? {
    let members = members(charging: charging, motion: motion, alarm: alarm)
    return members.isEmpty ? nil : JSONValue.object(members).text
  }

  /// Charging, motion and alarm as the phone sent them; null if it did not.
  package var told: (isCharging: JSONValue, motion: JSONValue, alarm: JSONValue) {
    let value = detail.flatMap { try? JSONValue.parse(Array($0.utf8)) }
    var charging = JSONValue.null
    if case .bool(let flag)? = value?["is_charging"] { charging = .bool(flag) }
    let words = (value?["motion"]?.list ?? []).compactMap { word in word.string.map { JSONValue.string($0) } }
    return (
      charging, words.isEmpty ? .null : .array(words),
      value?["alarm"]?.string.map { .string($0) } ?? .null
    )
  }
}
