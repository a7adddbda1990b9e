import Foundation

/// What the `Authorization` header of a phone's app claims.
public enum PhoneCredentials: Hashable, Sendable {
  case basic(user: String, password: String)
  case bearer(token: String)

  /// Reads Basic (RFC 7617), Bearer (RFC 6750), and the `Basic token:` that Overland writes without encoding it when
  /// it speaks OwnTracks: that token is a bearer's too.
  /// - Returns: nil for anything else.
  public init?(authorization: String) {
    let words = authorization.split(separator: " ", maxSplits: 1)
    guard words.count == 2 else { return nil }
    let value = words[1].trimmingCharacters(in: .whitespaces)
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

  var user: String? {
    switch self {
    case .basic(let user, _): user
    case .bearer: nil
    }
  }
}
