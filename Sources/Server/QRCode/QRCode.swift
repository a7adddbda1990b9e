import CQREncode

/// A QR code (ISO/IEC 18004): a square of dark and light modules, made by libqrencode.
struct QRCode: Equatable, Sendable {
  /// Modules of a side, without the margin.
  let width: Int
  /// Row by row.
  private let modules: [Bool]

  /// Light modules around it, as readers need them.
  static let margin = 4
  /// The most that one holds, in bytes.
  static let maximumBytes = 2953

  struct TooLong: Error, Equatable {
    let given: Int
    let allowed: Int
  }

  /// Holds the text as UTF-8; survives the loss of 15 % where there is room for that, else of 7 %.
  init(_ text: String) throws(TooLong) {
    let bytes = Array(text.utf8)
    guard (1...Self.maximumBytes).contains(bytes.count),
      let code = Self.encode(bytes, QR_ECLEVEL_M) ?? Self.encode(bytes, QR_ECLEVEL_L)
    else { throw TooLong(given: bytes.count, allowed: Self.maximumBytes) }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    self.width = width
    // The lowest bit is the module.
    modules = UnsafeBufferPointer(start: code.pointee.data, count: width * width).map { $0 & 1 == 1 }
  }

  /// Nil where it does not fit.
  private static func encode(_ bytes: [UInt8], _ level: QRecLevel) -> UnsafeMutablePointer<CQREncode.QRcode>?
  {
    QRcode_encodeData(Int32(bytes.count), bytes, 0, level)
  }

  /// Also outside, where all is light.
  func isDark(column: Int, row: Int) -> Bool {
    (0..<width).contains(column) && (0..<width).contains(row) && modules[row * width + column]
  }

  /// The runs of dark modules of one row.
  private func runs(row: Int) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for column in 0..<width where isDark(column: column, row: row) {
      if let last = runs.last, last.upperBound == column {
        runs[runs.count - 1] = last.lowerBound..<column + 1
      } else {
        runs.append(column..<column + 1)
      }
    }
    return runs
  }

  /// A picture that fits any size: a module is one unit.
  var svg: String {
    let side = width + 2 * Self.margin
    var path = ""
    for row in 0..<width {
      for run in runs(row: row) {
        path += "M\(run.lowerBound + Self.margin) \(row + Self.margin)h\(run.count)v1h-\(run.count)z"
      }
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">\
      <path fill="#fff" d="M0 0h\(side)v\(side)h-\(side)z"/><path fill="#000" d="\(path)"/></svg>
      """
  }

  /// - Parameter scale: pixels of a module's side.
  func png(scale: Int) -> [UInt8] {
    precondition(scale > 0, "a module has a pixel at least")
    return PNGImage.encode(width: (width + 2 * Self.margin) * scale) { column, row in
      isDark(column: column / scale - Self.margin, row: row / scale - Self.margin)
    }
  }
}
