import CZlib
import Foundation

/// Inflates gzip, zlib or bare deflate data, a chunk at a time.
final class ZipInflater {
  enum Wrapping {
    /// Gzip or zlib, recognised by the header; joined gzip members follow one another.
    case header
    /// Bare deflate, as in zip archives.
    case none
  }

  private var stream = z_stream()
  private var input: [UInt8] = []
  private(set) var isAtEnd = false
  private(set) var produced = 0
  private let limit: Int
  private let wrapping: Wrapping

  /// - Parameter limit: bytes that may come out before the data counts as hostile.
  init(_ wrapping: Wrapping, limit: Int) throws {
    self.limit = limit
    self.wrapping = wrapping
    let bits: Int32 =
      switch wrapping {
      case .header: 15 + 32
      case .none: -15
      }
    guard inflateInit2_(&stream, bits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw ReadError("no memory to unzip the file")
    }
  }

  deinit { inflateEnd(&stream) }

  /// What `chunk` inflates to, all of it.
  func inflate(_ chunk: ArraySlice<UInt8>) throws -> [UInt8] {
    var output: [UInt8] = []
    input = Array(chunk)
    var used = 0
    while used < input.count {
      if isAtEnd {
        // A further gzip member; anything else after the end is padding.
        guard case .header = wrapping, input[used] == 0x1f else { return output }
        inflateReset(&stream)
        isAtEnd = false
      }
      used += try step(from: used, into: &output)
    }
    return output
  }

  /// Runs the decoder until its input is used up or the data ends.
  /// - Returns: how many bytes of input it took.
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
          throw ReadError("unzips to more than \(limit) bytes, which are allowed")
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

/// Bare deflate data, and the checksum of what went in, for zip archives.
func deflated(_ bytes: [UInt8]) throws -> (data: [UInt8], checksum: UInt32) {
  var source = bytes
  var stream = z_stream()
  let size = Int32(MemoryLayout<z_stream>.size)
  guard deflateInit2_(&stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK else {
    throw ReadError("no memory to zip the file")
  }
  defer { deflateEnd(&stream) }
  let room = Int(deflateBound(&stream, UInt(source.count)))
  let length = source.count
  var done = false
  let data = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
    source.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(length)
      stream.next_out = buffer.baseAddress
      stream.avail_out = UInt32(room)
      done = deflate(&stream, Z_FINISH) == Z_STREAM_END
    }
    count = room - Int(stream.avail_out)
  }
  guard done else { throw ReadError("the data could not be zipped") }
  return (data, UInt32(crc32(0, bytes, UInt32(length))))
}
