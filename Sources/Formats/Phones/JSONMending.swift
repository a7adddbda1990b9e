/// Repairs JSON made from a template with missing values: `{"acc":,"alt":NaN,"dir":+4}`.
///
/// A missing value becomes null. A bare word or number that JSON does not allow becomes a string, so that the
/// reader can name it in a message, and so does a number with a comma in it (`{"lat":46,05,"lon":14,5}`): a
/// digit begins no key of an object. Brackets and quotes are left as they are.
enum JSONMending {
  /// - Returns: nil if there is nothing to repair.
  /// - Complexity: linear.
  static func mend(_ bytes: [UInt8]) -> [UInt8]? {
    var mended: [UInt8] = []
    mended.reserveCapacity(bytes.count + 64)
    var changed = false
    var at = 0
    /// The last byte that was no blank, outside of strings.
    var last = UInt8(ascii: "[")
    /// Open brackets.
    var open: [UInt8] = []
    while at < bytes.count {
      let byte = bytes[at]
      switch byte {
      case UInt8(ascii: "\""):
        let end = endOfString(bytes, from: at)
        mended += bytes[at..<end]
        at = end
        last = byte
      case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"):
        if last == UInt8(ascii: ":") || (last == UInt8(ascii: ",") && byte == UInt8(ascii: ",")) {
          mended += "null".utf8
          changed = true
        }
        if byte != UInt8(ascii: ",") { _ = open.popLast() }
        mended.append(byte)
        at += 1
        last = byte
      case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"):
        if byte != UInt8(ascii: ":") { open.append(byte) }
        mended.append(byte)
        at += 1
        last = byte
      case 32, 9, 10, 13:
        mended.append(byte)
        at += 1
      default:
        var end = at
        while end < bytes.count, isBare(bytes[end]) { end += 1 }
        // Any other byte is kept, so that the reader can name it.
        guard end > at else {
          mended.append(byte)
          at += 1
          continue
        }
        if open.last == UInt8(ascii: "{"), last == UInt8(ascii: ":"), bytes[end - 1].isDigit {
          while end + 1 < bytes.count, bytes[end] == UInt8(ascii: ","), bytes[end + 1].isDigit {
            end += 1
            while end < bytes.count, isBare(bytes[end]) { end += 1 }
          }
        }
        let word = Array(bytes[at..<end])
        if (try? JSONValue.parse(word)) == nil {
          mended += [UInt8(ascii: "\"")] + word + [UInt8(ascii: "\"")]
          changed = true
        } else {
          mended += word
        }
        at = end
        last = 0
      }
    }
    return changed ? mended : nil
  }

  /// True if a byte is a letter, a digit or a sign of numbers, none of which could end a string.
  private static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122, 0x80...: true
    case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "%"), UInt8(ascii: "_"): true
    default: false
    }
  }

  private static func endOfString(_ bytes: [UInt8], from start: Int) -> Int {
    var at = start + 1
    while at < bytes.count, bytes[at] != UInt8(ascii: "\"") { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
    return min(at + 1, bytes.count)
  }
}
