import Foundation

/// The bytes of a file or of memory, a chunk at a time, unzipped where they are gzip; tells of progress and stops when
/// asked to.
final class ByteSource {
  /// What a gzip file may unzip to: 4 GiB.
  static let unzippedLimit = 1 << 32
  static let chunkSize = 1 << 18
  /// How many bytes lie between two reports.
  static let progressStep = 1 << 20

  /// Where the points of a track go that is not to be held as a whole.
  var sink: TrackPointSink?
  /// The file's, of which the extension tells the format; may be empty.
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
  private var inflater: GzipInflater?
  /// Where the bytes are a file's in an archive.
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

  /// What messages call it.
  var label: String { name.isEmpty ? "the file" : name }

  /// The next bytes; nil at the end.
  /// - Throws: `CancellationError` when the listener says stop, `ReadError` when the disk or the zipped data does.
  func next() throws -> [UInt8]? {
    try sink?.check()
    if !head.isEmpty {
      defer { head = [] }
      return head
    }
    return try archived.map { try $0.next() } ?? unzipped()
  }

  /// The first bytes, up to `count`; they are read again by `next`.
  func peek(_ count: Int) throws -> [UInt8] {
    var start: [UInt8] = []
    while start.count < count, let more = try next() { start += more }
    head = start
    return Array(start.prefix(count))
  }

  /// - Throws: `ReadError` where the bytes begin as a FIT file, in which watches keep activities: no reader of it is here.
  func refuseFIT() throws {
    let start = try peek(1 << 16)
    guard start.count >= 12, start[0] == 12 || start[0] == 14, start[8..<12].elementsEqual(".FIT".utf8) else {
      return
    }
    throw ReadError(
      "\(label) is a FIT file, which cannot be read; "
        + "export the activity as GPX or TCX where the watch's program or website keeps it")
  }

  /// Everything that is left, for formats that cannot be read in pieces.
  /// - Throws: `ReadError` when that is more than `limit` bytes.
  func rest(limit: Int) throws -> [UInt8] {
    var all: [UInt8] = []
    while let chunk = try next() {
      all += chunk
      guard all.count <= limit else {
        throw ReadError("\(label): more than \(limit) bytes found, so many are allowed")
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
        throw ReadError("\(name) cannot be read on after byte \(done): \(error.localizedDescription)")
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
