import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// What a reader of an XML format does with the elements as they pass by.
protocol TrackFileXMLReader: AnyObject {
  /// The local name, without prefix, of the root element.
  var rootName: String { get }
  /// Whether the text inside the element just started is wanted.
  func start(_ name: String, _ attributes: [String: String], line: Int) -> Bool
  /// - Parameter text: all text directly inside the element if it was wanted, else empty.
  func end(_ name: String, text: String, line: Int)
  var collector: TrackFileCollector { get set }
}

/// Runs an XML file past a reader in bounded memory.
///
/// External entities are never fetched. Prefixes are cut off: the formats' names do not clash, and files with the
/// wrong namespace are common.
final class TrackFileXML: NSObject, XMLParserDelegate {
  private let reader: TrackFileXMLReader
  private let longestText: Int
  private var wanted: [Bool] = []
  private var text: [UInt8] = []
  private(set) var foundRoot: String?

  private init(_ reader: TrackFileXMLReader, longestText: Int) {
    self.reader = reader
    self.longestText = longestText
  }

  /// - Parameter longestText: text of an element beyond so many bytes is cut.
  /// - Throws: `ReadError` when the root is another than the reader's or there is none; `CancellationError`.
  static func read(_ input: TrackFileInput, with reader: TrackFileXMLReader, longestText: Int = 4096) throws {
    let stream = TrackFileXMLStream(input)
    let parser = XMLParser(stream: stream)
    let delegate = TrackFileXML(reader, longestText: longestText)
    parser.delegate = delegate
    parser.shouldResolveExternalEntities = false
    let isWhole = parser.parse()
    if let failure = stream.failure { throw failure }
    if let root = delegate.foundRoot, root != reader.rootName {
      throw ReadError(
        "\(input.name.isEmpty ? "the file" : input.name) is no track: its root element is <\(root)>, "
          + "<\(reader.rootName)> expected")
    }
    // The parser is content with a text that ends in the middle; elements still open tell.
    guard !isWhole || delegate.foundRoot == nil || !delegate.wanted.isEmpty else { return }
    let line = parser.lineNumber
    guard delegate.foundRoot != nil else {
      throw ReadError(
        "\(input.name.isEmpty ? "the file" : input.name) is not XML (line \(max(1, line))); "
          + "<\(reader.rootName)> expected")
    }
    reader.collector.note(
      .error, line: line > 0 ? line : nil, "the XML is broken here; what follows is not read")
  }

  func parser(
    _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    let name = Self.localName(element)
    if foundRoot == nil {
      foundRoot = name
      if name != reader.rootName { parser.abortParsing() }
    }
    let isWanted = reader.start(name, attributes, line: parser.lineNumber)
    wanted.append(isWanted)
    if isWanted { text.removeAll(keepingCapacity: true) }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    guard wanted.last == true, text.count < longestText else { return }
    text.append(contentsOf: string.utf8.prefix(longestText - text.count))
  }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    guard wanted.last == true, text.count < longestText else { return }
    text.append(contentsOf: block.prefix(longestText - text.count))
  }

  func parser(
    _ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?
  ) {
    let isWanted = wanted.popLast() ?? false
    reader.end(
      Self.localName(element), text: isWanted ? String(decoding: text, as: UTF8.self) : "",
      line: parser.lineNumber)
    if isWanted { text.removeAll(keepingCapacity: true) }
  }

  private static func localName(_ name: String) -> String {
    guard let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) else { return name }
    return String(name[name.utf8.index(after: colon)...])
  }
}

/// A `TrackFileInput` as the stream that `XMLParser` asks for.
private final class TrackFileXMLStream: InputStream {
  private let input: TrackFileInput
  private var chunk: ArraySlice<UInt8> = []
  private var isAtEnd = false
  private(set) var failure: Error?

  init(_ input: TrackFileInput) {
    self.input = input
    super.init(data: Data())
  }

  override func open() {}
  override func close() {}
  override var streamStatus: Stream.Status { isAtEnd ? .atEnd : .open }
  override var streamError: Error? { failure }
  override var hasBytesAvailable: Bool { !isAtEnd }

  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
    if chunk.isEmpty, !isAtEnd {
      do {
        if let next = try input.next() { chunk = next[...] } else { isAtEnd = true }
      } catch {
        failure = error
        isAtEnd = true
      }
    }
    let count = min(maxLength, chunk.count)
    chunk.prefix(count).withUnsafeBufferPointer { from in
      if let base = from.baseAddress { buffer.update(from: base, count: count) }
    }
    chunk = chunk.dropFirst(count)
    return count
  }
}
