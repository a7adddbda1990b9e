/// A reader of fixes from an XML format.
protocol TrackXMLReader: XMLElementReader {
  /// The required content of a file of the format, for messages.
  static var expected: String { get }
  var collector: TrackFileCollector { get set }
  init()
}

extension TrackXMLReader {
  static func read(_ source: ByteSource) throws -> TrackFile {
    let reader = Self()
    reader.collector.sink = source.sink
    try XMLReader.read(source, with: reader)
    return try reader.collector.finish(name: source.name, expected: expected)
  }

  func note(_ severity: ReadIssue.Severity, line: Int?, _ message: String) {
    collector.note(severity, line: line, message)
  }
}
