/// The reason why a sign-in is refused: the value given and the values allowed.
public struct SignInRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  public let given: String
  public let allowed: String

  public init(_ given: String, allowed: String) {
    self.given = given
    self.allowed = allowed
  }

  public var description: String { "\(given) found, \(allowed) allowed" }

  /// Returns the beginning of an untrusted text for a message.
  static func excerpt(_ text: some StringProtocol) -> String {
    let shown = text.unicodeScalars.prefix(61).map { scalar -> Character in
      scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
        ? " " : Character(scalar)
    }
    return shown.count > 60 ? String(shown.prefix(60)) + "…" : String(shown)
  }

  /// Parses a JSON object in UTF-8.
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
