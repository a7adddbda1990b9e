/// What a reader of an XML format does with the elements as they pass by.
protocol TrackFileXMLReader: AnyObject {
  /// The local name, without prefix, of the root element.
  var rootName: String { get }
  /// Whether the text inside the element just started is wanted.
  func start(_ name: String, _ attributes: [String: String], line: Int) -> Bool
  /// - Parameter text: all text directly inside the element if it was wanted, else empty.
  func end(_ name: String, text: String, line: Int)
  /// A tag could not be read: what is open may belong to two points.
  func lostTag()
  /// Something in the XML is not as it should be; what it belongs to may be lost.
  func note(line: Int, _ message: String)
}

/// Runs an XML file past a reader in bounded memory and linear time; any chunking gives the same elements.
///
/// Our own and not Foundation's: on Linux that one traps on bytes that are not UTF-8 inside a comment, takes a text that
/// ends in the middle for whole, and gives up at the first mistake, where a log cut by a dead battery or joined by hand
/// should lose one point. Document types are skipped, so that no entity but the five of XML and numbers means anything.
/// Prefixes are cut off: the formats' names do not clash, and files with the wrong namespace are common.
struct TrackFileXML {
  /// Tags beyond this are cut; nothing we read is longer.
  static let longestTag = 1 << 16
  static let deepest = 256

  private enum State { case text, tag, comment, characterData, instruction, documentType }
  private let reader: TrackFileXMLReader
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
  /// Whether the text of the innermost open element is.
  private var isWanted = false
  /// Text as it stands in the file, up to the next tag.
  private var raw: [UInt8] = []
  private var text: [UInt8] = []
  private var foundRoot = false

  static func read(_ input: TrackFileInput, with reader: TrackFileXMLReader) throws {
    try read(name: input.name, with: reader) { try input.next() }
  }

  /// - Parameters:
  ///   - name: what messages call the file.
  ///   - longestText: text of an element beyond so many bytes is cut.
  ///   - next: the next bytes, nil at the end.
  /// - Throws: `ReadError` when the root is another than the reader's or there is none; what `next` throws.
  static func read(
    name: String, with reader: TrackFileXMLReader, longestText: Int = 4096, next: () throws -> [UInt8]?
  ) throws {
    var xml = Self(reader: reader, name: name.isEmpty ? "the file" : name, longestText: longestText)
    var encoding = TextEncoding()
    while let chunk = try next() { try xml.take(encoding.decode(chunk)) }
    try xml.take(encoding.decode([], isLast: true))
    guard xml.foundRoot else { throw ReadError("\(xml.name) is not XML; <\(reader.rootName)> expected") }
    if xml.state != .text || !xml.open.isEmpty { reader.note(line: xml.line, "the XML breaks off here") }
  }

  private init(reader: TrackFileXMLReader, name: String, longestText: Int) {
    self.reader = reader
    self.name = name
    self.longestText = longestText
  }

  private mutating func take(_ chunk: [UInt8]) throws {
    try chunk.withUnsafeBufferPointer { bytes in
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
    var i = start
    while i < bytes.count {
      let byte = bytes[i]
      i += 1
      if byte == UInt8(ascii: "<") {
        state = .tag
        tagLine = line
        lastWasCR = false
        return i
      }
      count(byte)
      if isWanted, raw.count < longestText { raw.append(byte) }
    }
    return i
  }

  private mutating func takeMarkup(_ byte: UInt8) throws {
    switch state {
    case .text: break
    case .tag: try takeInTag(byte)
    case .comment: end(byte, "-->")
    case .instruction: end(byte, "?>")
    case .characterData:
      if isWanted, text.count < longestText { text.append(byte) }
      end(byte, "]]>")
      // The two brackets were taken for text before their third sign came.
      if state == .text, isWanted { text.removeLast(min(3, text.count)) }
    case .documentType: takeInDocumentType(byte)
    }
  }

  private mutating func takeInTag(_ byte: UInt8) throws {
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
      text.append(contentsOf: Self.unescaped(raw))
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

  private mutating func endTag() throws {
    if tag.first == UInt8(ascii: "/") { return close(Self.localName(tag.dropFirst().trimmed)) }
    let isEmpty = tag.last == UInt8(ascii: "/")
    let body = isEmpty ? tag.dropLast() : tag[...]
    let nameEnd = body.firstIndex { $0 <= 0x20 } ?? body.endIndex
    guard let first = body.first,
      first >= 0x80 || first == UInt8(ascii: "_") || (0x61...0x7a).contains(first | 0x20)
    else { return noteBroken("a tag without a name found; it is left out") }
    let element = Self.localName(body[..<nameEnd])
    if open.isEmpty {
      guard element == reader.rootName else {
        throw ReadError(
          "\(name) is no track: its root element is <\(element)>, <\(reader.rootName)> expected")
      }
      foundRoot = true
    }
    guard open.count < Self.deepest else {
      throw ReadError("\(name): elements nested deeper than \(Self.deepest) (line \(line))")
    }
    let isWanted = reader.start(element, Self.attributes(body[nameEnd...]), line: tagLine)
    raw.removeAll(keepingCapacity: true)
    text.removeAll(keepingCapacity: true)
    open.append((element, isWanted))
    self.isWanted = isWanted
    if isEmpty { close(element) }
  }

  private mutating func close(_ element: String) {
    guard let depth = open.lastIndex(where: { $0.name == element }) else {
      return note("</\(NumberField.excerpt(element))> found that closes nothing; it is passed over")
    }
    if depth != open.count - 1 {
      note(
        "</\(NumberField.excerpt(element))> found, </\(NumberField.excerpt(open[open.count - 1].name))> expected"
      )
    }
    while open.count > depth {
      let (name, isWanted) = open.removeLast()
      if isWanted { text.append(contentsOf: Self.unescaped(raw)) }
      reader.end(name, text: isWanted ? TextEncoding.string(text[...]) : "", line: tagLine)
      raw.removeAll(keepingCapacity: true)
      text.removeAll(keepingCapacity: true)
    }
    isWanted = open.last?.isWanted == true
  }

  private func note(_ message: String) { reader.note(line: tagLine, message) }

  /// A tag is lost, nobody knows which.
  private func noteBroken(_ message: String) {
    note(message)
    reader.lostTag()
  }

  private static func localName(_ name: ArraySlice<UInt8>) -> String {
    let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
    return TextEncoding.string(local.prefix(256))
  }

  /// Names with their prefixes; what is not `name="value"` is passed over.
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
        value.contains(UInt8(ascii: "&")) ? unescaped(Array(value))[...] : value)
      rest = rest[(end + 1)...].trimmed
    }
    return attributes
  }

  /// The five entities of XML and numbers; others stay as they stand.
  static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(UInt8(ascii: "&")) else { return bytes }
    var result: [UInt8] = []
    var rest = bytes[...]
    while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
      result.append(contentsOf: rest[..<ampersand])
      rest = rest[(ampersand + 1)...]
      guard let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")), let scalar = scalar(rest[..<end])
      else {
        result.append(UInt8(ascii: "&"))
        continue
      }
      result.append(contentsOf: String(scalar).utf8)
      rest = rest[(end + 1)...]
    }
    return result + rest
  }

  private static func scalar(_ name: ArraySlice<UInt8>) -> Unicode.Scalar? {
    switch String(decoding: name, as: UTF8.self) {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    case let name where name.hasPrefix("#x"):
      return UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
    case let name where name.hasPrefix("#"): return UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init)
    default: return nil
    }
  }
}
