import CZlib

/// A black and white picture as PNG (ISO/IEC 15948): one bit a pixel, no filter.
enum PNGImage {
  /// - Parameters:
  ///   - width: of the square's side, in pixels.
  ///   - isDark: asked for each pixel.
  static func encode(width: Int, isDark: (_ column: Int, _ row: Int) -> Bool) -> [UInt8] {
    let rowBytes = (width + 7) / 8
    var rows: [UInt8] = []
    rows.reserveCapacity((rowBytes + 1) * width)
    for row in 0..<width {
      // Which filter the row has: none.
      rows.append(0)
      var packed = [UInt8](repeating: 0xff, count: rowBytes)
      for column in 0..<width where isDark(column, row) { packed[column / 8] &= ~(0x80 >> UInt8(column % 8)) }
      rows += packed
    }
    var png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    // One bit, grey, and the only compression, filter and order there are.
    png += chunk("IHDR", word(width) + word(width) + [1, 0, 0, 0, 0])
    png += chunk("IDAT", compressed(rows))
    png += chunk("IEND", [])
    return png
  }

  private static func word(_ value: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(value).bigEndian) { Array($0) }
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let named = Array(name.utf8) + data
    return word(data.count) + named + word(Int(crc32(0, named, UInt32(named.count))))
  }

  private static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    var size = compressBound(UInt(bytes.count))
    var out = [UInt8](repeating: 0, count: Int(size))
    let status = compress2(&out, &size, bytes, UInt(bytes.count), 9)
    precondition(status == Z_OK, "memory for a picture is there, and the buffer has the size zlib asks for")
    return Array(out.prefix(Int(size)))
  }
}
