import ZoneFormats

extension JSONSlicer {
  /// Slices a whole source, in any encoding.
  static func read(
    _ source: ByteSource, keys: [String], takesOutermost: Bool = false, _ handle: (Item) throws -> Void
  ) throws {
    var slicer = Self(keys: keys, takesOutermost: takesOutermost)
    var encoding = TextEncoding()
    while let chunk = try source.next() { try slicer.feed(encoding.decode(chunk), to: handle) }
    try slicer.feed(encoding.decode([], isLast: true), to: handle)
    try slicer.finish(handle)
  }
}
