import ZoneFormats

extension XMLReader {
  /// - Parameter longestText: the most bytes of an element's text; the rest is cut.
  /// - Throws: `ReadError` if the root is not one of the reader's or is missing; errors of the source.
  static func read(_ source: ByteSource, with reader: XMLElementReader, longestText: Int = 4096) throws {
    var xml = Self(reader: reader, name: source.label, longestText: longestText)
    while let chunk = try source.next() { try xml.feed(chunk) }
    try xml.finish()
  }
}
