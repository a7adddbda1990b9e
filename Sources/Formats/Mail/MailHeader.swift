/// The header of a message or of a part: names in lower case, the first of each name, unfolded.
struct MailHeader {
  private var values: [String: [UInt8]] = [:]
  /// The largest header that is read, in bytes. Fields beyond it, or beyond `maximumFields`, are ignored.
  private static let maximumSize = 1 << 18
  private static let maximumFields = 1000

  var isEmpty: Bool { values.isEmpty }
  subscript(_ name: String) -> String? { values[name].map { String(decoding: $0, as: UTF8.self) } }

  /// Splits a message at its first empty line into header and body.
  static func split(_ content: ArraySlice<UInt8>) -> (header: MailHeader, body: ArraySlice<UInt8>) {
    var header = MailHeader()
    var name = ""
    var value: [UInt8] = []
    var fields = 0
    func store() {
      if !name.isEmpty, header.values[name] == nil { header.values[name] = value }
    }
    var at = content.startIndex
    while at < content.endIndex {
      let end = content[at...].firstIndex(of: 10) ?? content.endIndex
      let next = end < content.endIndex ? end + 1 : end
      let line = content[at..<end].last == 13 ? content[at..<(end - 1)] : content[at..<end]
      if line.isEmpty {
        store()
        return (header, content[next...])
      }
      let isKept = next - content.startIndex <= maximumSize && fields < maximumFields
      if line.first == 32 || line.first == 9 {
        if isKept { value += line }
      } else {
        store()
        name = ""
        // A line that is no field ends the header: the body follows without an empty line.
        guard let colon = line.firstIndex(of: 58), colon > line.startIndex,
          line[..<colon].allSatisfy({ $0 > 32 && $0 < 127 })
        else { return (header, content[at...]) }
        fields += 1
        if isKept {
          name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
          value = Array(line[(colon + 1)...])
        }
      }
      at = next
    }
    store()
    return (header, content[content.endIndex...])
  }

  /// A value with parameters: `multipart/mixed; boundary="x"` (RFC 2045, section 5.1).
  struct Value {
    /// The text before the first semicolon, in lower case.
    let word: String
    private var parameters: [String: String] = [:]
    private static let maximumParameters = 64

    /// The value of a parameter, also in the split and encoded form of RFC 2231 (`filename*0*=...`).
    subscript(_ name: String) -> String? {
      if let coded = parameters[name + "*"] { return Self.uncoded(coded) }
      if let plain = parameters[name] { return plain }
      var whole = ""
      for index in 0..<Self.maximumParameters {
        if let coded = parameters["\(name)*\(index)*"] {
          whole += coded
        } else if let plain = parameters["\(name)*\(index)"] {
          whole += plain
        } else {
          break
        }
      }
      return whole.isEmpty ? nil : Self.uncoded(whole)
    }

    init(_ text: String) {
      let bytes = Array(text.utf8)
      var at = 0
      func skipBlanks() {
        while at < bytes.count, bytes[at] == 32 || bytes[at] == 9 || bytes[at] == 13 { at += 1 }
      }
      func piece(until ends: (UInt8) -> Bool) -> String {
        let start = at
        while at < bytes.count, !ends(bytes[at]) { at += 1 }
        let found = bytes[start..<at].filter { $0 != 13 }
        return String(decoding: found, as: UTF8.self).split(separator: " ").joined(separator: " ")
      }
      skipBlanks()
      word = piece { $0 == 59 || $0 == 40 }.lowercased()
      while at < bytes.count, parameters.count < Self.maximumParameters {
        // To the next semicolon, over comments.
        while at < bytes.count, bytes[at] != 59 { at += 1 }
        at += 1
        skipBlanks()
        let name = piece { $0 == 61 || $0 == 59 }.lowercased()
        guard at < bytes.count, bytes[at] == 61 else { continue }
        at += 1
        skipBlanks()
        let value: String
        if at < bytes.count, bytes[at] == 34 {
          at += 1
          var quoted: [UInt8] = []
          while at < bytes.count, bytes[at] != 34 {
            if bytes[at] == 92, at + 1 < bytes.count { at += 1 }
            quoted.append(bytes[at])
            at += 1
          }
          at += 1
          value = String(decoding: quoted, as: UTF8.self)
        } else {
          value = piece { $0 == 59 || $0 == 40 }
        }
        if !name.isEmpty, parameters[name] == nil { parameters[name] = value }
      }
    }

    /// Decodes `UTF-8''Na%C3%AFve`. The charset in front is ignored and UTF-8 assumed, which all senders use.
    private static func uncoded(_ text: String) -> String {
      let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
      let coded = Array((parts.count == 3 ? parts[2] : text[...]).utf8)
      var bytes: [UInt8] = []
      var at = 0
      while at < coded.count {
        if coded[at] == 37, at + 2 < coded.count, let high = MailBody.nibble(coded[at + 1]),
          let low = MailBody.nibble(coded[at + 2])
        {
          bytes.append(high << 4 | low)
          at += 3
        } else {
          bytes.append(coded[at])
          at += 1
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Returns a name for display: the text after the last slash, without control characters, of limited
  /// length.
  static func shown(_ name: String) -> String {
    let last = name.split { $0 == "/" || $0 == "\\" }.last ?? ""
    let plain = last.unicodeScalars.filter {
      $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
    }
    var text = ""
    text.unicodeScalars.append(contentsOf: plain.prefix(100))
    return text
  }
}
