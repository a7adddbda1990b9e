import Foundation

/// The credentials in the `Authorization` header of a phone app, unverified.
public enum PhoneCredentials: Hashable, Sendable {
  case basic(user: String, password: String)
  case bearer(token: String)

  /// Reads Basic (RFC 7617), Bearer (RFC 6750), and the unencoded `Basic token:` that Overland sends in
  /// OwnTracks mode, whose token counts as a bearer token.
  /// - Returns: nil for anything else.
  public init?(authorization: String) {
    let words = authorization.split(separator: " ", maxSplits: 1)
    guard words.count == 2 else { return nil }
    let value = Self.withoutSpaces(words[1])
    switch words[0].lowercased() {
    case "bearer" where !value.isEmpty: self = .bearer(token: value)
    case "basic":
      if value.hasSuffix(":"), value.count > 1 {
        self = .bearer(token: String(value.dropLast()))
        return
      }
      guard let decoded = Data(base64Encoded: value) else { return nil }
      let bytes = Array(decoded)
      guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      self = .basic(
        user: TextEncoding.string(bytes[..<colon]), password: TextEncoding.string(bytes[(colon + 1)...]))
    default: return nil
    }
  }

  /// Removes spaces and tabs at both ends. ASCII, the usual case, is trimmed by bytes.
  private static func withoutSpaces(_ text: Substring) -> String {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return text.trimmingCharacters(in: .whitespaces) }
    var rest = text
    while let first = rest.utf8.first, isSpace(first) { rest.removeFirst() }
    while let last = rest.utf8.last, isSpace(last) { rest.removeLast() }
    return String(rest)
  }

  /// The password or the token; nil for an empty password.
  public var secret: String? {
    switch self {
    case .basic(_, let password): password.isEmpty ? nil : password
    case .bearer(let token): token
    }
  }

  var user: String? {
    switch self {
    case .basic(let user, _): user
    case .bearer: nil
    }
  }
}
