import ZoneFormats

/// Cuts a text into lines, a chunk at a time, in any encoding; any chunking gives the same lines.
package struct TrackFileLines {
  /// The longest line in bytes; longer ones are cut, and no format read by lines has such.
  static let longest = 1 << 18

  private var encoding = TextEncoding()
  private var carry: [UInt8] = []
  private var number = 1
  private var lastWasCR = false

  package init() {}

  /// - Parameter body: receives each line without its end (CR, LF or CRLF) and its number, from 1.
  package mutating func feed(_ chunk: [UInt8], _ body: (_ line: ArraySlice<UInt8>, _ number: Int) -> Void) {
    take(encoding.decode(chunk), body)
  }

  /// Passes on the last line if no line end follows it.
  package mutating func finish(_ body: (_ line: ArraySlice<UInt8>, _ number: Int) -> Void) {
    take(encoding.decode([], isLast: true), body)
    if !carry.isEmpty { body(carry[...], number) }
    carry = []
  }

  private mutating func take(_ chunk: [UInt8], _ body: (_ line: ArraySlice<UInt8>, _ number: Int) -> Void) {
    var start = 0
    for i in chunk.indices where chunk[i] == 0x0a || chunk[i] == 0x0d {
      let isSecondOfCRLF = chunk[i] == 0x0a && (i > 0 ? chunk[i - 1] == 0x0d : lastWasCR)
      if !isSecondOfCRLF {
        if carry.isEmpty {
          body(chunk[start..<i].prefix(Self.longest), number)
        } else {
          carry.append(contentsOf: chunk[start..<i].prefix(Self.longest - carry.count))
          body(carry[...], number)
          carry.removeAll(keepingCapacity: true)
        }
        number += 1
      }
      start = i + 1
    }
    carry.append(contentsOf: chunk[start...].prefix(Self.longest - carry.count))
    if let last = chunk.last { lastWasCR = last == 0x0d }
  }
}
