import CZlib
import Foundation

/// The bytes of a file or of memory, a chunk at a time, unzipped where they are gzip.
final class ZoneFileSource {
  static let chunkSize = 1 << 20
  /// What a gzip file may unzip to: 4 GiB.
  static let unzippedLimit = 1 << 32

  private enum Origin {
    case file(FileHandle)
    case memory(Data)
  }

  private let origin: Origin
  private var memoryOffset = 0
  private let total: Int?
  private var done = 0
  let progress: ReadProgress?
  private var pending: [UInt8] = []
  private var inflater: ZipInflater?
  private var sawStart = false
  /// CRC-32 that the unzipped bytes must have, and the one so far.
  private var expectedChecksum: UInt32?
  private var checksum: UInt = 0

  init(contentsOf url: URL, progress: ReadProgress?) throws {
    do {
      origin = .file(try FileHandle(forReadingFrom: url))
    } catch {
      throw ReadError("\(url.path): cannot be opened")
    }
    let values = try? url.resourceValues(forKeys: [.fileSizeKey])
    total = values?.fileSize
    self.progress = progress
  }

  init(_ data: Data, progress: ReadProgress?) {
    origin = .memory(data)
    total = data.count
    self.progress = progress
  }

  /// A file inside a zip archive.
  init(_ entry: ZipArchive.Entry, progress: ReadProgress?) throws {
    origin = .memory(entry.data)
    total = entry.data.count
    self.progress = progress
    sawStart = true
    expectedChecksum = entry.checksum
    switch entry.method {
    case .stored: break
    case .deflated: inflater = try ZipInflater(.none, limit: Self.unzippedLimit)
    }
  }

  /// The next bytes; nil at the end.
  /// - Throws: `ReadError`, or `CancellationError` where the progress says so.
  func next() throws -> [UInt8]? {
    if !pending.isEmpty {
      defer { pending = [] }
      return pending
    }
    if let bytes = try nextUnzipped() {
      if expectedChecksum != nil { checksum = crc32(checksum, bytes, UInt32(bytes.count)) }
      return bytes
    }
    if let expectedChecksum, UInt32(checksum) != expectedChecksum {
      throw ReadError("the zipped data is damaged")
    }
    return nil
  }

  private func nextUnzipped() throws -> [UInt8]? {
    while let raw = try nextRaw() {
      if !sawStart {
        sawStart = true
        if raw.starts(with: [0x1f, 0x8b]) { inflater = try ZipInflater(.header, limit: Self.unzippedLimit) }
      }
      guard let inflater else { return raw }
      let bytes = try inflater.inflate(raw[...])
      if !bytes.isEmpty { return bytes }
    }
    if let inflater, !inflater.isAtEnd { throw ReadError("the compressed data ends too early") }
    return nil
  }

  /// The first bytes, which `next()` gives again.
  func peek() throws -> [UInt8] {
    if pending.isEmpty { pending = try next() ?? [] }
    return pending
  }

  /// All bytes, for formats that cannot be read in pieces.
  func all(limit: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let chunk = try next() {
      bytes += chunk
      guard bytes.count <= limit else { throw ReadError("more than \(limit) bytes, which are allowed") }
    }
    return bytes
  }

  private func nextRaw() throws -> [UInt8]? {
    let bytes: [UInt8]
    switch origin {
    case .file(let handle):
      do {
        bytes = Array(try handle.read(upToCount: Self.chunkSize) ?? Data())
      } catch {
        throw ReadError("cannot be read after byte \(done)")
      }
    case .memory(let data):
      let size = min(Self.chunkSize, data.count - memoryOffset)
      let start = data.startIndex + memoryOffset
      bytes = Array(data[start..<start + size])
      memoryOffset += size
    }
    done += bytes.count
    if let progress, !progress(done, total) { throw CancellationError() }
    return bytes.isEmpty ? nil : bytes
  }
}
