import ZoneFormats

/// Reads a file of a track a piece at a time; any chunking gives the same points and issues.
package protocol TrackFormatReader: AnyObject {
  var collector: TrackFileCollector { get }
  /// The required content of a file, for messages.
  var expected: String { get }
  /// - Throws: `ReadError` if nothing can be read.
  func feed(_ chunk: [UInt8]) throws(ReadError)
  /// - Throws: `ReadError` if the file is of another kind.
  func finish() throws(ReadError)
}
