/// Reads the lines of a text file a chunk at a time, in any encoding; any chunking gives the same lines.
enum TrackFileLines {
  /// The longest line in bytes; longer ones are cut, and no format read by lines has such.
  static let longest = 1 << 18

  /// - Parameter body: receives each line without its end (CR, LF or CRLF) and its number, from 1.
  static func read(_ source: ByteSource, _ body: (_ line: ArraySlice<UInt8>, _ number: Int) throws -> Void)
    throws
  {
    var encoding = TextEncoding()
    var carry: [UInt8] = []
    var number = 1
    var lastWasCR = false
    func take(_ chunk: [UInt8]) throws {
      var start = 0
      for i in chunk.indices where chunk[i] == 0x0a || chunk[i] == 0x0d {
        let isSecondOfCRLF = chunk[i] == 0x0a && (i > 0 ? chunk[i - 1] == 0x0d : lastWasCR)
        if !isSecondOfCRLF {
          if carry.isEmpty {
            try body(chunk[start..<i].prefix(longest), number)
          } else {
            carry.append(contentsOf: chunk[start..<i].prefix(longest - carry.count))
            try body(carry[...], number)
            carry.removeAll(keepingCapacity: true)
          }
          number += 1
        }
        start = i + 1
      }
      carry.append(contentsOf: chunk[start...].prefix(longest - carry.count))
      if let last = chunk.last { lastWasCR = last == 0x0d }
    }
    while let chunk = try source.next() { try take(encoding.decode(chunk)) }
    try take(encoding.decode([], isLast: true))
    if !carry.isEmpty { try body(carry[...], number) }
  }
}
