/// Reads zones from a GPX file; ``GPXZoneReader`` makes them.
package final class GPXZoneFileReader: ZoneFormatReader {
  private let reader: GPXZoneReader
  private var xml: XMLReader

  /// - Parameter name: the file, for messages.
  package init(_ builder: ZoneFileBuilder, name: String) {
    reader = GPXZoneReader(builder)
    xml = XMLReader(reader: reader, name: name, longestText: 4096)
  }

  package var builder: ZoneFileBuilder {
    get { reader.builder }
    set { reader.builder = newValue }
  }

  package func feed(_ chunk: [UInt8]) throws(ReadError) { try xml.feed(chunk) }

  package func finish() throws(ReadError) {
    try xml.finish()
    reader.finish()
  }
}
