/// Why something that somebody wants to sign in with is not taken: what was given, and what is allowed.
public struct SignInRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  public let given: String
  public let allowed: String

  public init(_ given: String, allowed: String) {
    self.given = given
    self.allowed = allowed
  }

  public var description: String { "\(given) found, \(allowed) allowed" }

  /// The beginning of a text of somebody else, fit for a message.
  static func excerpt(_ text: some StringProtocol) -> String {
    let shown = text.unicodeScalars.prefix(61).map { scalar -> Character in
      scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
        ? " " : Character(scalar)
    }
    return shown.count > 60 ? String(shown.prefix(60)) + "…" : String(shown)
  }

  /// An object of JSON in UTF-8.
  static func object(_ bytes: [UInt8], _ what: String) throws(Self) -> JSONValue {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw Self("\(what) that is not UTF-8", allowed: "UTF-8")
    }
    let value: JSONValue
    do { value = try JSONValue.parse(bytes) } catch {
      throw Self("\(what) that is no JSON (byte \(error.offset): \(error.message))", allowed: "a JSON object")
    }
    guard value.isObject else { throw Self("\(what) that is \(value.kind)", allowed: "a JSON object") }
    return value
  }
}
