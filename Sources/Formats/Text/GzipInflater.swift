import CZlib
import Foundation

/// Inflates gzip or zlib data, recognised by the header, a chunk at a time; joined gzip members follow one another.
final class GzipInflater {
  private var stream = z_stream()
  private var input: [UInt8] = []
  private(set) var isAtEnd = false
  private(set) var produced = 0
  private let limit: Int

  /// - Parameter limit: the largest output in bytes; more is refused as hostile.
  init(limit: Int) throws {
    self.limit = limit
    // The largest window, and detection of a gzip or zlib header.
    guard inflateInit2_(&stream, 15 + 32, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw ReadError("no memory to unzip the file")
    }
  }

  deinit { inflateEnd(&stream) }

  /// Returns the complete output for `chunk`.
  func inflate(_ chunk: ArraySlice<UInt8>) throws -> [UInt8] {
    var output: [UInt8] = []
    input = Array(chunk)
    var used = 0
    while used < input.count {
      if isAtEnd {
        // A further gzip member; anything else after the end is padding.
        guard input[used] == 0x1f else { return output }
        inflateReset(&stream)
        isAtEnd = false
      }
      used += try step(from: used, into: &output)
    }
    return output
  }

  /// Runs the decoder until its input is used up or the data ends.
  /// - Returns: the number of input bytes consumed.
  private func step(from start: Int, into output: inout [UInt8]) throws -> Int {
    let room = 1 << 18
    var status = Z_OK
    let available = input.count - start
    try input.withUnsafeMutableBufferPointer { source in
      guard let base = source.baseAddress else { return }
      stream.next_in = base + start
      stream.avail_in = UInt32(available)
      repeat {
        var made = 0
        let piece = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
          stream.next_out = buffer.baseAddress
          stream.avail_out = UInt32(room)
          status = CZlib.inflate(&stream, Z_NO_FLUSH)
          made = room - Int(stream.avail_out)
          count = made
        }
        output.append(contentsOf: piece)
        produced += made
        guard produced <= limit else {
          throw ReadError("unzips to more than the maximum of \(limit) bytes")
        }
        switch status {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: isAtEnd = true
        default: throw ReadError("the compressed data is damaged")
        }
      } while !isAtEnd && stream.avail_out == 0
    }
    return available - Int(stream.avail_in)
  }
}
