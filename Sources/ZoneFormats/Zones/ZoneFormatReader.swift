/// Reads a file of zones a piece at a time; any chunking gives the same zones.
package protocol ZoneFormatReader: AnyObject {
  var builder: ZoneFileBuilder { get set }
  /// True if a later piece may take back the zones of the pieces before.
  var holdsBack: Bool { get }
  /// - Throws: `ReadError` if nothing can be read.
  func feed(_ chunk: [UInt8]) throws(ReadError)
  /// - Throws: `ReadError` if nothing could be read.
  func finish() throws(ReadError)
}

extension ZoneFormatReader {
  package var holdsBack: Bool { false }
}
