import AlarmEngine

/// Splits bytes into lines of UTF-8, a chunk at a time.
///
/// UTF-8 with or without a byte order mark, UTF-16 with one (or recognised by its zero bytes); a line that is not
/// UTF-8 is Windows-1252. Lines end with CR, LF or CRLF. No more than one line is kept, up to
/// `maximumLineLength`; a longer one is skipped and reported.
public struct PADLines: Sendable {
  public enum Line {
    /// - Parameter hadControls: whether control characters other than the tab were removed.
    case text(number: Int, utf8: [UInt8], hadControls: Bool)
    /// - Parameter bytes: the length of the line as UTF-8.
    case tooLong(number: Int, bytes: Int)
  }

  public static let maximumLineLength = 1 << 20

  private enum Encoding {
    case unknown, bytes
    case utf16(bigEndian: Bool)
  }

  private var encoding = Encoding.unknown
  private var head: [UInt8] = []
  private var line: [UInt8] = []
  private var length = 0
  private var number = 1
  private var lastWasReturn = false
  private var halfUnit: UInt8?
  private var highSurrogate: UInt32?

  public init() {}

  /// Passes every line that `chunk` completes to `handle`.
  public mutating func feed(_ chunk: ArraySlice<UInt8>, to handle: (Line) -> Void) {
    var chunk = chunk
    if case .unknown = encoding {
      // The first four bytes determine the encoding.
      let missing = 4 - head.count
      head.append(contentsOf: chunk.prefix(missing))
      chunk = chunk.dropFirst(missing)
      guard head.count == 4 else { return }
      start(handle)
    }
    decode(chunk, handle)
  }

  /// Passes on the last line if the file does not end with a line end.
  public mutating func finish(_ handle: (Line) -> Void) {
    if case .unknown = encoding { start(handle) }
    if halfUnit != nil || highSurrogate != nil { cut(Self.replacement[...], handle) }
    halfUnit = nil
    highSurrogate = nil
    if length > 0 { endLine(handle) }
  }

  private mutating func start(_ handle: (Line) -> Void) {
    let first = head
    head = []
    var skip = 0
    switch (first.first, first.dropFirst().first) {
    case (0xff, 0xfe): (encoding, skip) = (.utf16(bigEndian: false), 2)
    case (0xfe, 0xff): (encoding, skip) = (.utf16(bigEndian: true), 2)
    case (let a?, 0) where a != 0: encoding = .utf16(bigEndian: false)
    case (0, let b?) where b != 0: encoding = .utf16(bigEndian: true)
    default: encoding = .bytes
    }
    decode(first[skip...], handle)
  }

  private mutating func decode(_ chunk: ArraySlice<UInt8>, _ handle: (Line) -> Void) {
    switch encoding {
    case .unknown, .bytes: cut(chunk, handle)
    case .utf16(let bigEndian): decodeUTF16(chunk, bigEndian: bigEndian, handle)
    }
  }

  private static let replacement: [UInt8] = [0xef, 0xbf, 0xbd]

  private mutating func decodeUTF16(_ chunk: ArraySlice<UInt8>, bigEndian: Bool, _ handle: (Line) -> Void) {
    var utf8: [UInt8] = []
    utf8.reserveCapacity(chunk.count)
    for byte in chunk {
      guard let half = halfUnit else {
        halfUnit = byte
        continue
      }
      halfUnit = nil
      let unit = bigEndian ? UInt32(half) << 8 | UInt32(byte) : UInt32(byte) << 8 | UInt32(half)
      if let high = highSurrogate {
        highSurrogate = nil
        if unit & 0xfc00 == 0xdc00 {
          appendUTF8(0x1_0000 + (high - 0xd800) << 10 + (unit - 0xdc00), to: &utf8)
          continue
        }
        utf8.append(contentsOf: Self.replacement)
      }
      if unit & 0xfc00 == 0xd800 {
        highSurrogate = unit
      } else if unit & 0xfc00 == 0xdc00 {
        utf8.append(contentsOf: Self.replacement)
      } else {
        appendUTF8(unit, to: &utf8)
      }
    }
    cut(utf8[...], handle)
  }

  private mutating func cut(_ chunk: ArraySlice<UInt8>, _ handle: (Line) -> Void) {
    var from = chunk.startIndex
    var at = from
    while at < chunk.endIndex {
      let byte = chunk[at]
      guard byte == 10 || byte == 13 else {
        at += 1
        continue
      }
      if byte == 10, lastWasReturn, at == from, length == 0 {
        lastWasReturn = false  // The second half of CRLF.
      } else {
        append(chunk[from..<at])
        endLine(handle)
        lastWasReturn = byte == 13
      }
      at += 1
      from = at
    }
    if from < at {
      append(chunk[from..<at])
      lastWasReturn = false
    }
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    length += bytes.count
    if length <= Self.maximumLineLength {
      line.append(contentsOf: bytes)
    } else if !line.isEmpty {
      line = []
    }
  }

  private mutating func endLine(_ handle: (Line) -> Void) {
    if length > Self.maximumLineLength {
      handle(.tooLong(number: number, bytes: length))
    } else {
      let hadControls = tidy()
      handle(.text(number: number, utf8: line, hadControls: hadControls))
    }
    line.removeAll(keepingCapacity: true)
    length = 0
    number += 1
  }

  /// Converts the line to UTF-8 without control characters and byte order mark.
  private mutating func tidy() -> Bool {
    var hadControls = false
    var isASCII = true
    for byte in line {
      if byte >= 0x80 { isASCII = false }
      if byte < 0x20, byte != 9 { hadControls = true }
    }
    if hadControls { line.removeAll { $0 < 0x20 && $0 != 9 } }
    if !isASCII {
      if !isUTF8(line[...]) { line = windows1252(line) }
      // Concatenated files have byte order marks inside.
      if line.starts(with: [0xef, 0xbb, 0xbf]) { line.removeFirst(3) }
    }
    return hadControls
  }
}
