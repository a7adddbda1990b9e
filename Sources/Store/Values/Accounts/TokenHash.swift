/// The SHA-256 hash of a secret that somebody else keeps: a session cookie, a device token or a set-up link.
public struct TokenHash: Hashable, Sendable {
  public let bytes: [UInt8]

  /// - Precondition: 32 bytes.
  public init(_ bytes: [UInt8]) {
    precondition(bytes.count == 32, "SHA-256 has 32 bytes")
    self.bytes = bytes
  }
}
