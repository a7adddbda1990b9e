import AlarmEngine
import Foundation
import Geometry

/// The reason why a message is refused.
public enum MailError: Error, Hashable, Sendable, CustomStringConvertible {
  case tooLarge(given: Int, allowed: Int)
  case noHeader
  case tooDeep(allowed: Int)
  case tooManyParts(allowed: Int)

  public var description: String {
    switch self {
    case .tooLarge(let given, let allowed): "\(given) bytes; allowed: \(allowed)"
    case .noHeader: "not an e-mail: it does not begin with a header"
    case .tooDeep(let allowed): "parts nested deeper than \(allowed) levels"
    case .tooManyParts(let allowed): "more than \(allowed) parts"
    }
  }
}

/// A received mail, read for the zones in it (S126): RFC 5322 with MIME, RFC 2045 and 2046.
///
/// The content is untrusted: names are only shown, never used as file names or to tell a format, and no
/// content can trap. A damaged message is read as far as possible.
public struct ReceivedMail: Sendable {
  /// A part that holds no other parts.
  public struct Part: Hashable, Sendable {
    /// "text/plain", in lower case.
    public let type: String
    /// The sender's name for the part, made printable; empty if there is none.
    public let name: String
    /// Decoded.
    public let bytes: [UInt8]
  }

  public static let maximumSize = 25 << 20
  public static let maximumDepth = 10
  public static let maximumParts = 1000

  /// In the order of the message.
  public let parts: [Part]

  /// - Complexity: linear in the size for each level of parts.
  public init(_ bytes: [UInt8]) throws(MailError) {
    guard bytes.count <= Self.maximumSize else {
      throw .tooLarge(given: bytes.count, allowed: Self.maximumSize)
    }
    var content = bytes[...]
    // The line that a mailbox file puts before each message.
    if content.starts(with: "From ".utf8) { content = content.drop { $0 != 10 }.dropFirst() }
    let (header, _) = MailHeader.split(content)
    guard !header.isEmpty else { throw .noHeader }
    var walk = MailWalk()
    try walk.visit(content, depth: 0)
    parts = walk.parts
  }

  /// Returns the zones of all parts, each once, and the issues with the part's name.
  ///
  /// A part counts if its content looks like zones. Text of the mail itself counts only as PAD: prose may
  /// mention other formats.
  public func zones(defaultRadius: Distance = .metres(50)) -> ZoneFile {
    var zones: [Zone] = []
    var issues: [ReadIssue] = []
    var seen: Set<Zone> = []
    for (index, part) in parts.enumerated() {
      guard let format = ZoneFormat(start: Array(part.bytes.prefix(1 << 16))) else { continue }
      if part.name.isEmpty, part.type.hasPrefix("text/"), format != .pad { continue }
      let name = part.name.isEmpty ? "part \(index + 1)" : part.name
      do {
        let file = try ZoneFile.read(data: Data(part.bytes), format: format, defaultRadius: defaultRadius)
        zones += file.zones.filter { seen.insert($0).inserted }
        issues += file.issues.map {
          ReadIssue($0.severity, line: $0.line, "\(name): \($0.message)")
        }
      } catch {
        issues.append(ReadIssue(.error, "\(name): \(error)"))
      }
    }
    return ZoneFile(zones: zones, issues: issues)
  }
}

/// Collects the parts of a message.
private struct MailWalk {
  var parts: [ReceivedMail.Part] = []
  private var visited = 0

  mutating func visit(_ content: ArraySlice<UInt8>, depth: Int, isDigest: Bool = false) throws(MailError) {
    guard depth <= ReceivedMail.maximumDepth else { throw .tooDeep(allowed: ReceivedMail.maximumDepth) }
    visited += 1
    guard visited <= ReceivedMail.maximumParts else {
      throw .tooManyParts(allowed: ReceivedMail.maximumParts)
    }
    let (header, body) = MailHeader.split(content)
    let type = MailHeader.Value(header["content-type"] ?? "")
    let media = type.word.isEmpty ? (isDigest ? "message/rfc822" : "text/plain") : type.word
    if media.hasPrefix("multipart/"), let boundary = type["boundary"], !boundary.isEmpty {
      for part in MailBody.parts(of: body, boundary: boundary) {
        try visit(part, depth: depth + 1, isDigest: media == "multipart/digest")
      }
      return
    }
    let coding = MailHeader.Value(header["content-transfer-encoding"] ?? "").word
    let bytes = MailBody.decode(body, coding: coding)
    if media == "message/rfc822" {
      try visit(bytes[...], depth: depth + 1)
      return
    }
    let disposition = MailHeader.Value(header["content-disposition"] ?? "")
    let name = disposition["filename"] ?? type["name"] ?? ""
    parts.append(ReceivedMail.Part(type: media, name: MailHeader.shown(name), bytes: bytes))
  }
}
