import ZoneFormats

/// A reader of fixes from an XML format.
package protocol TrackXMLReader: XMLElementReader {
  /// The required content of a file of the format, for messages.
  var expected: String { get }
  var collector: TrackFileCollector { get set }
  /// Ends what is left open.
  func finish()
}

extension TrackXMLReader {
  package func note(_ severity: ReadIssue.Severity, line: Int?, _ message: String) {
    collector.note(severity, line: line, message)
  }

  package func finish() {}
}

/// A track in one XML document.
package final class TrackXMLFileReader: TrackFormatReader {
  private let reader: any TrackXMLReader
  private var xml: XMLReader

  /// - Parameter name: the file, for messages.
  package init(_ reader: any TrackXMLReader, name: String) {
    self.reader = reader
    xml = XMLReader(reader: reader, name: name, longestText: 4096)
  }

  package var collector: TrackFileCollector { reader.collector }
  package var expected: String { reader.expected }

  package func feed(_ chunk: [UInt8]) throws(ReadError) { try xml.feed(chunk) }

  package func finish() throws(ReadError) {
    try xml.finish()
    reader.finish()
  }
}
