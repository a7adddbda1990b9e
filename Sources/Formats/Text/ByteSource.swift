import Foundation

/// Reads a file or memory a chunk at a time and decompresses gzip. Reports progress and can be cancelled.
final class ByteSource {
  /// The largest decompressed size of a gzip file: 4 GiB.
  static let unzippedLimit = 1 << 32
  static let chunkSize = 1 << 18
  /// The number of bytes between two progress reports.
  static let progressStep = 1 << 20

  /// Called before each chunk; its error ends the reading.
  var check: (() throws -> Void)?
  /// The file's name, whose extension tells the format; may be empty.
  let name: String
  private let handle: FileHandle?
  private let data: Data
  private let chunkSize: Int
  private let total: Int?
  private let progress: ReadProgress?
  private var done = 0
  private var reported = 0
  /// Bytes that `peek` has fetched and `next` has not yet returned.
  private var head: [UInt8] = []
  private var sawStart = false
  private var inflater: GzipInflater?
  /// The reader of a file inside an archive; nil for other sources.
  private var archived: ZipArchive.Reader?

  init(contentsOf url: URL, chunkSize: Int = chunkSize, progress: ReadProgress?) throws {
    name = url.lastPathComponent
    let values = try? url.resourceValues(forKeys: [.fileSizeKey, .isDirectoryKey])
    if values?.isDirectory == true { throw ReadError("\(url.path) is a folder; name the files in it") }
    do { handle = try FileHandle(forReadingFrom: url) } catch {
      throw ReadError("\(url.path) cannot be opened: \(error.localizedDescription)")
    }
    data = Data()
    self.chunkSize = chunkSize
    total = values?.fileSize
    self.progress = progress
  }

  init(data: Data, name: String, chunkSize: Int = chunkSize, progress: ReadProgress?) {
    self.name = name
    handle = nil
    self.data = data
    self.chunkSize = max(1, chunkSize)
    total = data.count
    self.progress = progress
  }

  /// A file inside a zip archive.
  convenience init(_ file: ZipArchive.Reader, name: String) {
    self.init(data: Data(), name: name, progress: nil)
    archived = file
  }

  deinit { try? handle?.close() }

  /// The name used in messages.
  var label: String { name.isEmpty ? "the file" : name }

  /// The next bytes; nil at the end.
  /// - Throws: `CancellationError` if `progress` returns false, `ReadError` if reading or decompressing
  ///   fails.
  func next() throws -> [UInt8]? {
    try check?()
    if !head.isEmpty {
      defer { head = [] }
      return head
    }
    return try archived.map { try $0.next() } ?? unzipped()
  }

  /// Returns the first bytes, up to `count`; `next` returns them again.
  func peek(_ count: Int) throws -> [UInt8] {
    var start: [UInt8] = []
    while start.count < count, let more = try next() { start += more }
    head = start
    return Array(start.prefix(count))
  }

  /// - Throws: `ReadError` if the bytes begin like a FIT file, the format in which watches keep activities,
  ///   which cannot be read.
  func refuseFIT() throws {
    let start = try peek(1 << 16)
    guard start.count >= 12, start[0] == 12 || start[0] == 14, start[8..<12].elementsEqual(".FIT".utf8) else {
      return
    }
    throw ReadError(
      "\(label) is a FIT file, which cannot be read; "
        + "export the activity as GPX or TCX where the watch's program or website keeps it")
  }

  /// Returns all remaining bytes, for formats that cannot be read in pieces.
  /// - Throws: `ReadError` if there are more than `limit` bytes.
  func rest(limit: Int) throws -> [UInt8] {
    var all: [UInt8] = []
    while let chunk = try next() {
      all += chunk
      guard all.count <= limit else {
        throw ReadError("\(label): more than the maximum of \(limit) bytes found")
      }
    }
    return all
  }

  private func unzipped() throws -> [UInt8]? {
    while true {
      var raw = try fetch()
      if !sawStart {
        sawStart = true
        if raw.count == 1 { raw += try fetch() }
        if raw.starts(with: [0x1f, 0x8b]) { inflater = try GzipInflater(limit: Self.unzippedLimit) }
      }
      guard !raw.isEmpty else { break }
      let bytes = try inflater?.inflate(raw[...]) ?? raw
      if !bytes.isEmpty { return bytes }
    }
    if let inflater, !inflater.isAtEnd { throw ReadError("\(label): the zipped data ends too early") }
    return nil
  }

  private func fetch() throws -> [UInt8] {
    var bytes: [UInt8]
    if let handle {
      do { bytes = Array(try handle.read(upToCount: chunkSize) ?? Data()) } catch {
        throw ReadError("\(name) cannot be read beyond byte \(done): \(error.localizedDescription)")
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
