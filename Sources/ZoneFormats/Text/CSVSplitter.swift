/// Cuts delimiter-separated text into records, a chunk at a time; any chunking gives the same records.
///
/// The format is RFC 4180 with common variants: CR, LF or CRLF; quotes inside unquoted fields are ordinary;
/// `#` lines are comments. A quote that does not close within 4 kB is taken as an ordinary character, so that
/// a stray quote costs one record. Linear in time.
package struct CSVSplitter {
  package struct Record {
    /// The line where the record starts, from 1.
    package let line: Int
    fileprivate let bytes: [UInt8]
    fileprivate let ends: [Int]

    /// The number of fields; their values are unquoted.
    package var count: Int { ends.count }
    package subscript(i: Int) -> ArraySlice<UInt8> {
      guard ends.indices.contains(i) else { return [] }
      return bytes[(i == 0 ? 0 : ends[i - 1])..<ends[i]]
    }
    package var isBlank: Bool { bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 } }
    /// True if the record begins with `#`.
    package var isComment: Bool { bytes.first == UInt8(ascii: "#") }
  }

  static let longestQuoted = 4096
  /// The longest record in bytes; a longer one is cut off, since no table of positions has such rows.
  static let longestRecord = 1 << 16

  private enum State { case fieldStart, plain, quoted, quoteInQuoted }
  private let delimiter: UInt8
  private var state = State.fieldStart
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var line = 1
  private var recordLine = 1
  private var lastWasCR = false
  /// The bytes since the last opening quote, that quote included.
  private var sinceQuote: [UInt8] = []
  private var quoteLine = 1
  /// True if quotes are ordinary until the line ends.
  private var ignoresQuotes = false

  package init(delimiter: UInt8) { self.delimiter = delimiter }

  package mutating func take(_ chunk: [UInt8], _ body: (Record) -> Void) {
    for byte in chunk {
      step(byte, body)
      if state == .quoted, sinceQuote.count > Self.longestQuoted { disregardQuote(body) }
    }
  }

  /// Passes on the last record if no line end follows it.
  package mutating func finish(_ body: (Record) -> Void) {
    while state == .quoted { disregardQuote(body) }
    if !bytes.isEmpty || !ends.isEmpty || state == .quoteInQuoted { endRecord(body) }
  }

  private mutating func step(_ byte: UInt8, _ body: (Record) -> Void) {
    let isLineEnd = byte == 0x0a || byte == 0x0d
    let isSecondOfCRLF = byte == 0x0a && lastWasCR
    lastWasCR = byte == 0x0d
    if isLineEnd, !isSecondOfCRLF { line += 1 }
    switch state {
    case .quoted:
      sinceQuote.append(byte)
      if byte == UInt8(ascii: "\"") { state = .quoteInQuoted } else { bytes.append(byte) }
      return
    case .quoteInQuoted where byte == UInt8(ascii: "\""):
      sinceQuote.append(byte)
      bytes.append(byte)
      state = .quoted
      return
    case .fieldStart where byte == UInt8(ascii: "\"") && !ignoresQuotes:
      state = .quoted
      quoteLine = line
      sinceQuote = [byte]
      return
    case .fieldStart, .plain, .quoteInQuoted: break
    }
    if byte == delimiter {
      ends.append(bytes.count)
      state = .fieldStart
    } else if isLineEnd {
      if !isSecondOfCRLF { endRecord(body) }
    } else {
      state = .plain
      if bytes.count < Self.longestRecord { bytes.append(byte) }
    }
  }

  private mutating func endRecord(_ body: (Record) -> Void) {
    ends.append(bytes.count)
    let record = Record(line: recordLine, bytes: bytes, ends: ends)
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    state = .fieldStart
    ignoresQuotes = false
    recordLine = line
    body(record)
  }

  /// Goes back to the last opening quote and takes all quotes from there to the line end as ordinary
  /// characters.
  private mutating func disregardQuote(_ body: (Record) -> Void) {
    let again = sinceQuote
    sinceQuote = []
    bytes.removeLast(bytes.count - (ends.last ?? 0))
    state = .fieldStart
    line = quoteLine
    lastWasCR = false
    ignoresQuotes = true
    for byte in again { step(byte, body) }
  }
}
