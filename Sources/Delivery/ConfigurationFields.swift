import Formats

/// Reads the members of a channel's settings and records which were read.
package final class ConfigurationFields {
  private let members: [String: JSONValue]
  private var seen: Set<String> = []
  package let policy: TargetPolicy

  /// Parses the JSON. Refuses duplicate members and more bytes than `ChannelConfiguration.maximumSize`.
  init(json: [UInt8], policy: TargetPolicy) throws(ConfigurationError) {
    guard json.count <= ChannelConfiguration.maximumSize else {
      throw ConfigurationError(
        field: "", given: "\(json.count) bytes", allowed: "at most \(ChannelConfiguration.maximumSize)")
    }
    let value: JSONValue
    do { value = try JSONValue.parse(json) } catch {
      throw ConfigurationError(
        field: "", given: "no JSON (line \(error.line): \(error.message))", allowed: "a JSON object")
    }
    guard let list = value.members else {
      throw ConfigurationError(field: "", given: value.kind, allowed: "a JSON object")
    }
    self.members = try Self.table(list)
    self.policy = policy
  }

  private init(_ members: [String: JSONValue], policy: TargetPolicy) {
    self.members = members
    self.policy = policy
  }

  private static func table(_ list: [(String, JSONValue)]) throws(ConfigurationError) -> [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    for (key, value) in list where members.updateValue(value, forKey: key) != nil {
      throw ConfigurationError(field: key.excerpt(40), given: "two members of this name", allowed: "one")
    }
    return members
  }

  /// Returns the members of a member that is an object.
  package func object(_ name: String) throws(ConfigurationError) -> ConfigurationFields {
    guard let list = value(name)?.members else {
      throw ConfigurationError(field: name, given: value(name)?.kind ?? "nothing", allowed: "an object")
    }
    return ConfigurationFields(try Self.table(list), policy: policy)
  }

  /// Returns the members of a member that is an object; nil if it is missing or null.
  func optionalObject(_ name: String) throws(ConfigurationError) -> ConfigurationFields? {
    value(name) == nil ? nil : try object(name)
  }

  /// The names of all members, ascending.
  package var names: [String] { members.keys.sorted() }

  /// Accepts a member that others may send and that is not used.
  func ignore(_ name: String) { seen.insert(name) }

  /// Returns nil if the member is missing or null.
  private func value(_ name: String) -> JSONValue? {
    seen.insert(name)
    if let value = members[name], value.kind != JSONValue.null.kind { return value }
    return nil
  }

  /// - Throws: if the member is present and is no string, or has more than `limit` bytes of UTF-8 or a
  ///   control character.
  package func text(_ name: String, limit: Int = 2048) throws(ConfigurationError) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.string else {
      throw ConfigurationError(field: name, given: value.kind, allowed: "a string")
    }
    guard text.utf8.count <= limit else {
      throw ConfigurationError(field: name, given: "\(text.utf8.count) bytes", allowed: "at most \(limit)")
    }
    guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
      throw ConfigurationError(field: name, given: "a control character", allowed: "one line of text")
    }
    return text
  }

  func requiredText(_ name: String, limit: Int = 2048) throws(ConfigurationError) -> String {
    guard let text = try text(name, limit: limit), !text.isEmpty else {
      throw ConfigurationError(field: name, given: "nothing", allowed: "a string")
    }
    return text
  }

  package func whole(_ name: String, in range: ClosedRange<Int64>, default standard: Int64)
    throws(ConfigurationError)
    -> Int64
  {
    guard let value = value(name) else { return standard }
    guard case .integer(let number) = value, range.contains(number) else {
      throw ConfigurationError(
        field: name, given: value.excerpt,
        allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  package func flag(_ name: String, default standard: Bool) throws(ConfigurationError) -> Bool {
    guard let value = value(name) else { return standard }
    guard case .bool(let flag) = value else {
      throw ConfigurationError(field: name, given: value.kind, allowed: "true or false")
    }
    return flag
  }

  /// Returns one of the named values.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, default standard: Choice
  ) throws(ConfigurationError) -> Choice {
    guard let text = try text(name) else { return standard }
    guard let choice = Choice(rawValue: text) else {
      throw ConfigurationError(
        field: name, given: text.excerpt(40), allowed: Choice.allCases.map(\.rawValue).joined(separator: ", ")
      )
    }
    return choice
  }

  package func url(_ name: String) throws(ConfigurationError) -> TargetURL? {
    guard let text = try text(name) else { return nil }
    do { return try TargetURL(text, policy: policy) } catch {
      throw ConfigurationError(field: name, given: error.given, allowed: error.allowed)
    }
  }

  func requiredURL(_ name: String) throws(ConfigurationError) -> TargetURL {
    guard let url = try url(name) else {
      throw ConfigurationError(field: name, given: "nothing", allowed: "an https URL")
    }
    return url
  }

  /// Returns the given URL; the service's own address if there is none.
  func url(_ name: String, standard: String) throws(ConfigurationError) -> TargetURL {
    if let url = try url(name) { return url }
    do { return try TargetURL(standard, policy: policy) } catch {
      throw ConfigurationError(field: name, given: error.given, allowed: error.allowed)
    }
  }

  /// Returns a key that needs no escaping in a path.
  func word(_ name: String, limit: Int) throws(ConfigurationError) -> String {
    let text = try requiredText(name, limit: limit)
    guard text.utf8.allSatisfy(Self.isWordByte) else {
      throw ConfigurationError(
        field: name, given: "other characters", allowed: "A-Z, a-z, 0-9, - and _")
    }
    return text
  }

  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Throws if there are members that were not read: a misspelt member would have no effect.
  func refuseUnknown() throws(ConfigurationError) {
    if let stranger = members.keys.filter({ !seen.contains($0) }).min() {
      throw ConfigurationError(
        field: stranger.excerpt(40), given: "an unknown member",
        allowed: seen.sorted().joined(separator: ", "))
    }
  }
}
