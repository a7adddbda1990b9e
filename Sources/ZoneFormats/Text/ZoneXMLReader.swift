/// Makes zones from the elements of an XML document.
package protocol ZoneXMLReader: XMLElementReader {
  var builder: ZoneFileBuilder { get set }
  /// The most bytes of an element's text; the rest is cut.
  var longestText: Int { get }
  /// Reports what only the end of the document shows.
  func finish()
}

/// Reads zones from one XML document: KML (OGC 07-147r2) or GPX.
package final class ZoneXMLFileReader: ZoneFormatReader {
  private let reader: any ZoneXMLReader
  private var xml: XMLReader

  /// - Parameter name: the file, for messages.
  package init(_ reader: any ZoneXMLReader, name: String) {
    self.reader = reader
    xml = XMLReader(reader: reader, name: name, longestText: reader.longestText)
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
