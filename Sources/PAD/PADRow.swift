import AlarmEngine

/// One line of a PAD file, split at its separators.
///
/// Quotes around a whole value are removed (some spreadsheets quote everything); they do not protect
/// separators.
struct PADRow {
  let line: Int
  let bytes: [UInt8]
  private(set) var fields: [Range<Int>] = []
  let separator: UInt8
  private(set) var separatorInQuotes = false

  static let separators: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: ";"), 9]
  private static let quote = UInt8(ascii: "\"")

  init(line: Int, bytes: [UInt8], separator: UInt8) {
    self.line = line
    self.bytes = bytes
    self.separator = separator
    var from = 0
    for at in bytes.indices where bytes[at] == separator {
      append(from..<at)
      from = at + 1
    }
    append(from..<bytes.count)
    while let last = fields.last, last.isEmpty { fields.removeLast() }
  }

  private mutating func append(_ range: Range<Int>) {
    var low = range.lowerBound
    var high = range.upperBound
    while low < high, Self.isBlank(bytes[low]) { low += 1 }
    while high > low, Self.isBlank(bytes[high - 1]) { high -= 1 }
    if low < high, bytes[low] == Self.quote {
      if high - low >= 2, bytes[high - 1] == Self.quote {
        low += 1
        high -= 1
      } else if high < bytes.count {
        separatorInQuotes = true
      }
    }
    fields.append(low..<high)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }

  var isBlank: Bool { fields.isEmpty }
  var key: ArraySlice<UInt8> { fields.isEmpty ? [] : bytes[fields[0]] }

  /// Returns the value in column `index`, the key being column 0; empty if the row is shorter.
  func bytes(_ index: Int) -> ArraySlice<UInt8> { index < fields.count ? bytes[fields[index]] : [] }

  func text(_ index: Int) -> Text {
    let value = bytes(index)
    guard value.startIndex > 0, index < fields.count, bytes[value.startIndex - 1] == Self.quote else {
      return Text(utf8: Array(value))
    }
    // Inside quotes a doubled quote is one.
    var utf8: [UInt8] = []
    var wasQuote = false
    for byte in value {
      wasQuote = byte == Self.quote && !wasQuote
      if !wasQuote { utf8.append(byte) }
    }
    return Text(utf8: utf8)
  }

  /// Returns at most 60 bytes of the value, for an issue.
  func excerpt(_ index: Int) -> Text { Self.excerpt(bytes(index)) }

  static func excerpt(_ value: ArraySlice<UInt8>) -> Text {
    guard value.count > 60 else { return Text(utf8: Array(value)) }
    var cut = value.prefix(60)
    // Not in the middle of a character.
    while let last = cut.last, last & 0xc0 == 0x80 { cut.removeLast() }
    if let last = cut.last, last >= 0xc0 { cut.removeLast() }
    return Text(utf8: Array(cut) + Array("...".utf8))
  }

  /// Reads a number. If the separator is not a comma, a comma is the decimal mark.
  func number(_ index: Int) -> Double? {
    let value = bytes(index)
    let comma = UInt8(ascii: ",")
    if separator != comma, value.contains(comma) { return DecimalNumber.parse(value, mark: comma) }
    return DecimalNumber.parse(value)
  }
}
