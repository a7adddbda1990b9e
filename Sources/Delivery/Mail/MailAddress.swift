/// One mail address of the plain kind: a dot-atom and a domain, ASCII (RFC 5321, sections 4.1.2 and 4.5.3.1).
///
/// Quoted local parts, address literals and addresses beyond ASCII are refused, so that an address cannot end
/// a line, a command or a header.
public struct MailAddress: Hashable, Sendable, CustomStringConvertible {
  public let text: String
  /// The part after the at sign.
  public var domain: Substring { text[text.index(after: text.lastIndex(of: "@")!)...] }

  public struct Refusal: Error, Hashable, Sendable {
    public let allowed: String
    package init(_ more: String = "") {
      allowed = "one ASCII address such as anna@example.org, at most 254 characters" + more
    }
  }

  public init(_ text: String) throws(Refusal) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard text.utf8.count <= 254, parts.count == 2, (1...64).contains(parts[0].utf8.count) else {
      throw Refusal()
    }
    let atoms = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    guard atoms.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isAtomByte) }) else { throw Refusal() }
    let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
    guard labels.allSatisfy(Self.isLabel) else { throw Refusal() }
    self.text = text
  }

  /// Makes an address that a person other than the operator typed. By default its domain must be on the
  /// public internet, never this machine or its neighbours.
  package init(_ text: String, policy: TargetPolicy) throws(Refusal) {
    try self.init(text)
    do { try policy.check(host: String(domain)) } catch {
      throw Refusal(", at a host on the public internet")
    }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (97...122).contains(byte | 32)
  }
  private static func isAtomByte(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
  }
  private static func isLabel(_ label: Substring) -> Bool {
    (1...63).contains(label.utf8.count) && label.utf8.allSatisfy { isLetterOrDigit($0) || $0 == 45 }
      && label.utf8.first != 45 && label.utf8.last != 45
  }

  public var description: String { text }
}
