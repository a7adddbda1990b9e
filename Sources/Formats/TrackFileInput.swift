import Foundation

/// The bytes of a track file, a chunk at a time, unzipped where they are gzip; tells of progress and stops when asked to.
final class TrackFileInput {
  /// What a gzip file may unzip to: 4 GiB.
  static let unzippedLimit = 1 << 32
  /// How many bytes lie between two reports.
  static let progressStep = 1 << 20

  /// What messages call the file.
  let name: String
  private let handle: FileHandle?
  private let data: Data
  private let chunkSize: Int
  private let total: Int?
  private let progress: ReadProgress?
  private var done = 0
  private var reported = 0
  /// Bytes that were looked at beforehand and are still to be read.
  private var head: [UInt8] = []
  private var sawStart = false
  private var inflater: ZipInflater?

  init(url: URL, chunkSize: Int = 1 << 18, progress: ReadProgress?) throws {
    name = url.lastPathComponent
    do { handle = try FileHandle(forReadingFrom: url) } catch {
      throw ReadError("\(url.path) cannot be opened: \(error.localizedDescription)")
    }
    data = Data()
    self.chunkSize = chunkSize
    total = (try? url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize
    self.progress = progress
  }
  init(data: Data, name: String, chunkSize: Int = 1 << 18, progress: ReadProgress?) {
    self.name = name
    handle = nil
    self.data = data
    self.chunkSize = max(1, chunkSize)
    total = data.count
    self.progress = progress
  }
  deinit { try? handle?.close() }

  /// The next bytes; nil at the end.
  /// - Throws: `CancellationError` when the listener says stop, `ReadError` when the disk or the zipped data does.
  func next() throws -> [UInt8]? {
    if !head.isEmpty {
      defer { head = [] }
      return head
    }
    return try unzipped()
  }

  /// The first bytes, up to `count`; they are read again by `next`.
  func peek(_ count: Int) throws -> [UInt8] {
    while head.count < count, let more = try unzipped() { head += more }
    return Array(head.prefix(count))
  }

  /// Everything that is left, for formats that cannot be read in pieces.
  /// - Throws: `ReadError` when that is more than `limit` bytes.
  func rest(limit: Int = 1 << 31) throws -> [UInt8] {
    var all: [UInt8] = []
    while let chunk = try next() {
      all += chunk
      guard all.count <= limit else {
        throw ReadError(
          "\(name.isEmpty ? "the file" : name): more than \(limit) bytes found, so many are allowed")
      }
    }
    return all
  }

  private func unzipped() throws -> [UInt8]? {
    if !sawStart {
      sawStart = true
      var start = try fetch()
      if start.count == 1 { start += try fetch() }
      if start.starts(with: [0x1f, 0x8b]) { inflater = try ZipInflater(.header, limit: Self.unzippedLimit) }
      let bytes = try inflater?.inflate(start[...]) ?? start
      if !bytes.isEmpty { return bytes }
    }
    while true {
      let raw = try fetch()
      guard !raw.isEmpty else { break }
      let bytes = try inflater?.inflate(raw[...]) ?? raw
      if !bytes.isEmpty { return bytes }
    }
    if let inflater, !inflater.isAtEnd {
      throw ReadError("\(name.isEmpty ? "the file" : name): the zipped data ends too early")
    }
    return nil
  }

  private func fetch() throws -> [UInt8] {
    var bytes: [UInt8]
    if let handle {
      do { bytes = Array(try handle.read(upToCount: chunkSize) ?? Data()) } catch {
        throw ReadError("\(name) cannot be read on: \(error.localizedDescription)")
      }
    } else {
      bytes = Array(data.dropFirst(done).prefix(chunkSize))
    }
    done += bytes.count
    guard let progress, !bytes.isEmpty, done - reported >= Self.progressStep || done == total else {
      return bytes
    }
    reported = done
    guard progress(done, total) else { throw CancellationError() }
    return bytes
  }
}
