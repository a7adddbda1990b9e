import ZoneFormats

/// A reader of fixes from a JSON format, to which the elements of its long arrays are given one by one.
package protocol TrackJSONReader: AnyObject {
  /// The required content of a file of the format, for messages.
  var expected: String { get }
  /// The name of an element, for messages: "a feature".
  var elementName: String { get }
  /// The members of the outermost object that are long arrays.
  var keys: [String] { get }
  var collector: TrackFileCollector { get set }
  func takeElement(_ element: JSONValue, line: Int)
  /// Takes the outermost value, without its elements.
  func takeDocument(_ document: JSONValue)
}

extension TrackJSONReader {
  package func takeDocument(_ document: JSONValue) {}
}

/// A track in JSON. One element at a time is in memory.
package final class TrackJSONFileReader: TrackFormatReader {
  private let reader: any TrackJSONReader
  private let name: String
  private var slicer: JSONSlicer
  private var encoding = TextEncoding()
  private var isEmpty = true
  /// The first error that makes the file invalid JSON; nil if there is none.
  private var failure: String?

  /// - Parameter name: the file, for messages.
  package init(_ reader: any TrackJSONReader, name: String) {
    self.reader = reader
    self.name = name
    slicer = JSONSlicer(keys: reader.keys, takesOutermost: true)
  }

  package var collector: TrackFileCollector { reader.collector }
  package var expected: String { reader.expected }

  package func feed(_ chunk: [UInt8]) throws(ReadError) { slice(encoding.decode(chunk)) }

  package func finish() throws(ReadError) {
    slice(encoding.decode([], isLast: true))
    slicer.finish { take($0) }
    if isEmpty { fail("the text ends early", line: 1) }
    if let failure, !reader.collector.hasPoints { throw ReadError("\(name) is not JSON \(failure)") }
  }

  private func slice(_ chunk: [UInt8]) { slicer.feed(chunk) { take($0) } }

  private func take(_ item: JSONSlicer.Item) {
    isEmpty = false
    switch item {
    case .element(let bytes, let line), .document(let bytes, let line, elements: 0):
      if let value = parse(bytes, line: line) { reader.takeElement(value, line: line) }
    case .document(let bytes, let line, _):
      if let value = parse(bytes, line: line) { reader.takeDocument(value) }
    case .nothing(let line): fail("a value expected before or after a comma", line: line, .warning)
    case .tooDeep(let line): fail("more than \(JSONSlicer.maximumDepth) levels found", line: line)
    case .tooLong(let line):
      fail("\(reader.elementName) of more than \(JSONSlicer.maximumLength) bytes found", line: line)
    case .cutOff(let line): fail("the text ends early", line: line)
    }
  }

  private func parse(_ bytes: [UInt8], line: Int) -> JSONValue? {
    do throws(JSONError) { return try JSONValue.parse(bytes, line: line) } catch {
      fail(error.message, line: error.line)
      return nil
    }
  }

  private func fail(_ message: String, line: Int, _ severity: ReadIssue.Severity = .error) {
    if failure == nil { failure = "(line \(line)): \(message)" }
    reader.collector.note(severity, line: line, "not JSON: \(message)")
  }
}
