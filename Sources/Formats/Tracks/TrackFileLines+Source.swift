import TrackFormats

extension TrackFileLines {
  /// Reads the lines of a whole source.
  static func read(_ source: ByteSource, _ body: (_ line: ArraySlice<UInt8>, _ number: Int) -> Void) throws {
    var lines = Self()
    while let chunk = try source.next() { lines.feed(chunk, body) }
    lines.finish(body)
  }
}
