import Foundation

/// The bytes of a track file, a chunk at a time; tells of progress and stops when asked to.
final class TrackFileInput {
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
  private var head = Data()

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
  /// - Throws: `CancellationError` when the listener says stop, `ReadError` when the disk does.
  func next() throws -> [UInt8]? {
    var chunk = head
    head = Data()
    if chunk.isEmpty { chunk = try fetch() }
    if chunk.isEmpty { return nil }
    try report(chunk.count)
    return Array(chunk)
  }

  /// The first bytes, up to `count`; they are read again by `next`.
  func peek(_ count: Int) throws -> [UInt8] {
    while head.count < count {
      let more = try fetch()
      if more.isEmpty { break }
      head.append(more)
    }
    return Array(head.prefix(count))
  }

  /// Everything that is left, for formats that cannot be read in pieces.
  func rest() throws -> [UInt8] {
    var all: [UInt8] = []
    all.reserveCapacity(total ?? 0)
    while let chunk = try next() { all.append(contentsOf: chunk) }
    return all
  }

  private var fetched = 0
  private func fetch() throws -> Data {
    guard let handle else {
      let piece = data.dropFirst(fetched).prefix(chunkSize)
      fetched += piece.count
      return Data(piece)
    }
    do { return try handle.read(upToCount: chunkSize) ?? Data() } catch {
      throw ReadError("\(name) cannot be read on: \(error.localizedDescription)")
    }
  }

  private func report(_ count: Int) throws {
    done += count
    guard let progress, done - reported >= Self.progressStep || done == total else { return }
    reported = done
    guard progress(done, total) else { throw CancellationError() }
  }
}
