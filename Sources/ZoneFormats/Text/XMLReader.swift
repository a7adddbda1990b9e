/// Reads an XML file in bounded memory and linear time; any chunking gives the same elements.
///
/// It is written by hand so that a log cut by a dead battery or joined by hand loses only one point: expat
/// ends at the first mistake, libxml2 (and Foundation's parser, which is based on it) at some
/// (`docs/decisions/xml.md` has the measurements). Document types are skipped, so that only the entities of
/// `XMLText` are expanded. Prefixes are removed: the formats' names do not clash, and files with the wrong
/// namespace are common.
package struct XMLReader {
  /// The longest tag in bytes; longer ones are cut, and none that we read is longer.
  static let longestTag = 1 << 16
  static let deepest = 256

  private enum State { case text, tag, comment, characterData, instruction, documentType }
  private let reader: XMLElementReader
  private let name: String
  private let longestText: Int
  private var state = State.text
  private var line = 1
  private var lastWasCR = false
  private var tag: [UInt8] = []
  private var tagLine = 1
  private var quote: UInt8?
  /// Open brackets inside a document type.
  private var brackets = 0
  private var open: [(name: String, isWanted: Bool)] = []
  /// True if the text of the innermost open element is wanted.
  private var isWanted = false
  /// The raw text of the file up to the next tag.
  private var raw: [UInt8] = []
  private var text: [UInt8] = []
  /// True if part of the text was left out.
  private var isCut = false
  private var foundRoot = false
  private var encoding = TextEncoding()
  /// The bytes before `isBegun`.
  private var head: [UInt8] = []
  private var isBegun = false

  /// - Parameters:
  ///   - name: the file, for messages.
  ///   - longestText: the most bytes of an element's text; the rest is cut.
  package init(reader: XMLElementReader, name: String, longestText: Int) {
    self.reader = reader
    self.name = name
    self.longestText = longestText
  }

  /// - Throws: `ReadError` if the root is not one of the reader's, or elements nest too deep.
  package mutating func feed(_ chunk: [UInt8]) throws(ReadError) {
    guard isBegun else {
      head += chunk
      if head.count >= Self.headLength { try begin() }
      return
    }
    try take(encoding.decode(chunk))
  }

  /// - Throws: `ReadError` also if there was no root.
  package mutating func finish() throws(ReadError) {
    if !isBegun { try begin() }
    try take(encoding.decode([], isLast: true))
    guard foundRoot else { throw ReadError("\(name) is not XML; <\(reader.rootNames[0])> expected") }
    if state != .text || !open.isEmpty { reader.note(.error, line: line, "the XML is cut off here") }
  }

  private mutating func begin() throws(ReadError) {
    let first = head
    (head, isBegun) = ([], true)
    checkEncoding(Array(first.prefix(Self.headLength)))
    try take(encoding.decode(first))
  }

  /// The declaration of an encoding stands in the first bytes.
  private static let headLength = 256

  private func checkEncoding(_ head: [UInt8]) {
    let words = String(decoding: head, as: UTF8.self).prefix { $0 != ">" }.split { "=\"' ".contains($0) }
    guard words.first?.hasSuffix("<?xml") == true,
      let place = words.firstIndex(of: "encoding"), place + 1 < words.endIndex
    else { return }
    let known = ["utf-8", "utf8", "utf-16", "us-ascii", "iso-8859-1", "windows-1252"]
    guard !known.contains(words[place + 1].lowercased()) else { return }
    reader.note(
      .warning, line: 1,
      "encoding \"\(NumberField.excerpt(String(words[place + 1])))\" found, UTF-8, UTF-16 and Windows-1252 allowed; "
        + "letters beyond ASCII may be misread")
  }

  private mutating func take(_ chunk: [UInt8]) throws(ReadError) {
    try chunk.withUnsafeBufferPointer { (bytes) throws(ReadError) in
      var i = 0
      while i < bytes.count {
        if state == .text {
          i = takeText(bytes, from: i)
        } else {
          count(bytes[i])
          try takeMarkup(bytes[i])
          i += 1
        }
      }
    }
  }

  private mutating func count(_ byte: UInt8) {
    if byte == 0x0a ? !lastWasCR : byte == 0x0d { line += 1 }
    lastWasCR = byte == 0x0d
  }

  /// - Returns: where to go on, after the next `<`.
  private mutating func takeText(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var end = start
    while end < bytes.count, bytes[end] != UInt8(ascii: "<") {
      count(bytes[end])
      end += 1
    }
    if isWanted {
      let room = longestText - raw.count - text.count
      if end - start > room, !isCut {
        isCut = true
        reader.note(.error, line: line, "text of more than \(longestText) bytes found; it is cut")
      }
      raw.append(contentsOf: bytes[start..<end].prefix(max(0, room)))
    }
    guard end < bytes.count else { return end }
    state = .tag
    tagLine = line
    lastWasCR = false
    return end + 1
  }

  private mutating func takeMarkup(_ byte: UInt8) throws(ReadError) {
    switch state {
    case .text: break
    case .tag: try takeInTag(byte)
    case .comment: end(byte, "-->")
    case .instruction: end(byte, "?>")
    case .characterData:
      if isWanted, text.count < longestText { text.append(byte) }
      end(byte, "]]>")
      // The two brackets were kept as text before the third character came.
      if state == .text, isWanted { text.removeLast(min(3, text.count)) }
    case .documentType: takeInDocumentType(byte)
    }
  }

  private mutating func takeInTag(_ byte: UInt8) throws(ReadError) {
    switch byte {
    case UInt8(ascii: "<"):
      noteBroken("a tag without end found; it is left out")
      tag.removeAll(keepingCapacity: true)
      tagLine = line
      quote = nil
      return
    case UInt8(ascii: ">") where quote == nil:
      state = .text
      try endTag()
      tag.removeAll(keepingCapacity: true)
      return
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      if quote == nil { quote = byte } else if quote == byte { quote = nil }
    default: break
    }
    if tag.count < Self.longestTag { tag.append(byte) }
    guard tag.count <= 8, tag[0] == UInt8(ascii: "!") || tag[0] == UInt8(ascii: "?") else { return }
    if tag[0] == UInt8(ascii: "?") {
      leaveTag(for: .instruction)
    } else if tag.elementsEqual("!--".utf8) {
      leaveTag(for: .comment)
    } else if tag.elementsEqual("![CDATA[".utf8) {
      text.append(contentsOf: XMLText.unescaped(raw))
      raw.removeAll(keepingCapacity: true)
      leaveTag(for: .characterData)
    } else if tag.elementsEqual("!DOCTYPE".utf8) {
      brackets = 0
      leaveTag(for: .documentType)
    }
  }

  private mutating func leaveTag(for next: State) {
    state = next
    quote = nil
    tag.removeAll(keepingCapacity: true)
  }

  /// Back to text when the last bytes are `mark`; `tag` remembers them.
  private mutating func end(_ byte: UInt8, _ mark: String) {
    tag.append(byte)
    guard byte == UInt8(ascii: ">"), tag.suffix(mark.utf8.count).elementsEqual(mark.utf8) else {
      if tag.count > 16 { tag.removeFirst(tag.count - 2) }
      return
    }
    leaveTag(for: .text)
  }

  private mutating func takeInDocumentType(_ byte: UInt8) {
    if let opening = quote {
      if byte == opening { quote = nil }
      return
    }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
    case UInt8(ascii: "["): brackets += 1
    case UInt8(ascii: "]"): brackets -= 1
    case UInt8(ascii: ">") where brackets <= 0: leaveTag(for: .text)
    default: break
    }
  }

  private mutating func endTag() throws(ReadError) {
    if tag.first == UInt8(ascii: "/") { return close(Self.localName(tag.dropFirst().trimmed)) }
    let isEmpty = tag.last == UInt8(ascii: "/")
    let body = isEmpty ? tag.dropLast() : tag[...]
    let nameEnd = body.firstIndex { $0 <= 0x20 } ?? body.endIndex
    guard let first = body.first,
      first >= 0x80 || first == UInt8(ascii: "_") || (0x61...0x7a).contains(first | 0x20)
    else { return noteBroken("a tag without a name found; it is left out") }
    let element = Self.localName(body[..<nameEnd])
    if open.isEmpty {
      // Outside the root, for example where files were joined by hand, anything is allowed.
      guard foundRoot || reader.rootNames.contains(element) else {
        throw ReadError("\(name): the root element is <\(element)>, <\(reader.rootNames[0])> expected")
      }
      foundRoot = true
    }
    guard open.count < Self.deepest else {
      throw ReadError("\(name): elements nested deeper than \(Self.deepest) (line \(line))")
    }
    let isWanted = reader.start(element, Self.attributes(body[nameEnd...]), line: tagLine)
    raw.removeAll(keepingCapacity: true)
    text.removeAll(keepingCapacity: true)
    isCut = false
    open.append((element, isWanted))
    self.isWanted = isWanted
    if isEmpty { close(element) }
  }

  private mutating func close(_ element: String) {
    guard
      let depth = open.lastIndex(where: { $0.name.utf8.count == element.utf8.count && $0.name == element })
    else {
      return note("</\(NumberField.excerpt(element))> found without a start tag; it is passed over")
    }
    if depth != open.count - 1 {
      note(
        "</\(NumberField.excerpt(element))> found, </\(NumberField.excerpt(open[open.count - 1].name))> expected"
      )
    }
    while open.count > depth {
      let (name, isWanted) = open.removeLast()
      if isWanted { text.append(contentsOf: XMLText.unescaped(raw)) }
      reader.end(name, text: isWanted ? TextEncoding.string(text[...]) : "", line: tagLine)
      raw.removeAll(keepingCapacity: true)
      text.removeAll(keepingCapacity: true)
    }
    isWanted = open.last?.isWanted == true
  }

  private func note(_ message: String) { reader.note(.error, line: tagLine, message) }

  /// Reports a lost tag; it is unknown which one.
  private func noteBroken(_ message: String) {
    note(message)
    reader.lostTag()
  }

  private static func localName(_ name: ArraySlice<UInt8>) -> String {
    let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
    return TextEncoding.string(local.prefix(256))
  }

  /// Reads attributes, names with their prefixes; anything but `name="value"` is skipped.
  private static func attributes(_ bytes: ArraySlice<UInt8>) -> [String: String] {
    var attributes: [String: String] = [:]
    var rest = bytes.trimmed
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      let name = rest[..<equals].trimmed
      rest = rest[(equals + 1)...].trimmed
      guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { break }
      rest = rest.dropFirst()
      guard let end = rest.firstIndex(of: quote) else { break }
      let value = rest[..<end]
      attributes[TextEncoding.string(name)] = TextEncoding.string(
        value.contains(UInt8(ascii: "&")) ? XMLText.unescaped(Array(value))[...] : value)
      rest = rest[(end + 1)...].trimmed
    }
    return attributes
  }
}
