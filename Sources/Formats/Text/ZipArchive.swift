import CZip
import Foundation

/// A zip archive in memory, as a KMZ file is. libzip reads it.
final class ZipArchive {
  struct Entry {
    let name: String
    /// The compressed size in bytes.
    let packedSize: Int
    fileprivate let index: zip_uint64_t
  }

  /// The files that can be unpacked; encrypted ones and folders are left out.
  let entries: [Entry]
  private let archive: OpaquePointer

  /// - Throws: `ReadError` if the bytes are no archive or are inconsistent.
  init(_ bytes: [UInt8]) throws {
    var error = zip_error_t()
    zip_error_init(&error)
    defer { zip_error_fini(&error) }
    // The archive owns the copy from here on.
    guard let source = Self.copy(bytes, { zip_source_buffer_create($0, $1, 1, &error) }) else {
      throw ReadError("no memory to unzip the file")
    }
    guard let archive = zip_open_from_source(source, ZIP_RDONLY, &error) else {
      zip_source_free(source)
      throw ReadError(
        zip_error_code_zip(&error) == ZIP_ER_NOZIP
          ? "not a zip archive, or its end is missing"
          : "the zip archive is damaged: \(String(cString: zip_error_strerror(&error)))")
    }
    self.archive = archive
    entries = (0..<zip_uint64_t(max(0, zip_get_num_entries(archive, 0)))).compactMap { index in
      var status = zip_stat_t()
      guard zip_stat_index(archive, index, 0, &status) == 0, let bytes = status.name else { return nil }
      let name = String(cString: bytes)
      guard !name.hasSuffix("/"), status.encryption_method == ZIP_EM_NONE,
        zip_compression_method_supported(zip_int32_t(status.comp_method), 0) != 0
      else { return nil }
      return Entry(name: name, packedSize: Int(clamping: status.comp_size), index: index)
    }
  }

  deinit { zip_discard(archive) }

  /// The bytes of one file, unzipped a chunk at a time.
  final class Reader {
    private static let chunkSize = 1 << 18
    private let archive: ZipArchive
    private let file: OpaquePointer
    private let limit: Int
    private(set) var produced = 0

    /// - Parameter limit: bytes that may come out before the data counts as hostile.
    init(_ entry: Entry, of archive: ZipArchive, limit: Int) throws {
      guard let file = zip_fopen_index(archive.archive, entry.index, 0) else {
        throw ReadError("the zip archive is damaged: \(String(cString: zip_strerror(archive.archive)))")
      }
      self.archive = archive
      self.file = file
      self.limit = limit
    }

    deinit { zip_fclose(file) }

    /// Returns the next bytes; nil at the end, once the checksum was verified.
    func next() throws -> [UInt8]? {
      var read: zip_int64_t = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, count in
        read = zip_fread(file, buffer.baseAddress, zip_uint64_t(buffer.count))
        count = Int(max(0, read))
      }
      guard read >= 0 else {
        throw ReadError("the zipped data is damaged: \(String(cString: zip_file_strerror(file)))")
      }
      produced += bytes.count
      guard produced <= limit else {
        throw ReadError("unzips to more than the maximum of \(limit) bytes")
      }
      return bytes.isEmpty ? nil : bytes
    }
  }

  /// Creates an archive of deflated files; equal contents give equal archives.
  static func archive(_ files: [(name: String, contents: [UInt8])]) throws -> Data {
    var error = zip_error_t()
    zip_error_init(&error)
    defer { zip_error_fini(&error) }
    guard let target = zip_source_buffer_create(nil, 0, 0, &error) else { throw unwritten(&error) }
    defer { zip_source_free(target) }
    guard let archive = zip_open_from_source(target, ZIP_CREATE | ZIP_TRUNCATE, &error) else {
      throw unwritten(&error)
    }
    // Keeps the source after the archive is closed, since it then holds the bytes.
    zip_source_keep(target)
    for (name, contents) in files {
      let source = copy(contents) { zip_source_buffer(archive, $0, $1, 1) }
      let index = zip_file_add(archive, name, source, zip_flags_t(ZIP_FL_ENC_UTF_8))
      // 1980-01-01, the format's first day.
      guard index >= 0, zip_file_set_dostime(archive, zip_uint64_t(index), 0, 0x21, 0) == 0 else {
        defer { zip_discard(archive) }
        if index < 0 { zip_source_free(source) }
        throw unwritten(zip_get_error(archive))
      }
    }
    guard zip_close(archive) == 0 else {
      defer { zip_discard(archive) }
      throw unwritten(zip_get_error(archive))
    }
    var status = zip_stat_t()
    guard zip_source_stat(target, &status) == 0, zip_source_open(target) == 0 else {
      throw unwritten(zip_source_error(target))
    }
    defer { zip_source_close(target) }
    var data = Data(count: Int(status.size))
    let read = data.withUnsafeMutableBytes { zip_source_read(target, $0.baseAddress, status.size) }
    guard read == zip_int64_t(status.size) else { throw unwritten(zip_source_error(target)) }
    return data
  }

  private static func unwritten(_ error: UnsafeMutablePointer<zip_error_t>?) -> ReadError {
    ReadError("the file could not be zipped: \(String(cString: zip_error_strerror(error)))")
  }

  /// Passes a copy of the bytes to `take`, which owns and frees it; frees the copy if `take` returns nil.
  private static func copy(
    _ bytes: [UInt8], _ take: (UnsafeMutableRawPointer?, zip_uint64_t) -> OpaquePointer?
  ) -> OpaquePointer? {
    // libzip takes no ownership of an empty buffer.
    guard !bytes.isEmpty else { return take(nil, 0) }
    guard let memory = malloc(bytes.count) else { return nil }
    bytes.withUnsafeBytes { source in
      UnsafeMutableRawBufferPointer(start: memory, count: bytes.count).copyMemory(from: source)
    }
    guard let taken = take(memory, zip_uint64_t(bytes.count)) else {
      free(memory)
      return nil
    }
    return taken
  }
}
