import CZlib
import Foundation

/// Reads the blobs of an .osm.pbf file, in order or again at a known range (wiki.openstreetmap.org, "PBF
/// Format").
///
/// Every length is checked against the format's limits and the file's size before memory is reserved.
final class OSMBlobFile {
  /// The format's own limits.
  static let maximumHeader = 64 << 10
  static let maximumBlob = 32 << 20

  struct Blob {
    enum Kind { case header, data, unknown }
    let kind: Kind
    /// The byte range of its message in the file.
    let range: Range<Int>
  }

  let name: String
  let size: Int
  private let handle: FileHandle?
  private let memory: [UInt8]
  /// The byte offset of the next blob.
  private(set) var position = 0

  init(contentsOf url: URL) throws {
    name = url.lastPathComponent
    memory = []
    do {
      let handle = try FileHandle(forReadingFrom: url)
      self.handle = handle
      size = Int(clamping: try handle.seekToEnd())
    } catch { throw ReadError("\(url.path) cannot be opened: \(error.localizedDescription)") }
  }

  init(data: Data, name: String) {
    self.name = name.isEmpty ? "the file" : name
    handle = nil
    memory = Array(data)
    size = memory.count
  }

  deinit { try? handle?.close() }

  func fail(_ message: String, at offset: Int) -> ReadError {
    ReadError("\(name), byte \(offset): \(message)")
  }

  /// Returns the next blob without reading its content; nil at the end of the file.
  func next() throws -> Blob? {
    let start = position
    guard start < size else { return nil }
    guard size - start >= 4 else { throw fail("the file ends inside a blob's length", at: start) }
    let length = try bytes(start..<start + 4).reduce(0) { $0 << 8 | Int($1) }
    guard length <= Self.maximumHeader else {
      throw fail(
        "a blob header of \(length) bytes found, up to \(Self.maximumHeader) allowed; not .osm.pbf?",
        at: start)
    }
    guard size - start - 4 >= length else { throw fail("the file ends inside a blob's header", at: start) }
    var type: ArraySlice<UInt8> = []
    var dataSize: UInt64?
    var header = ProtobufReader(try bytes(start + 4..<start + 4 + length))
    do throws(ProtobufReader.Failure) {
      while let field = try header.next() {
        switch (field.number, field.value) {
        case (1, .bytes(let text)): type = text.rest
        case (3, .varint(let number)): dataSize = number
        default: break
        }
      }
    } catch { throw fail("a blob's header cannot be read: \(error)", at: start) }
    guard let dataSize, dataSize <= UInt64(Self.maximumBlob) else {
      let found = dataSize.map { "\($0) bytes" } ?? "no size"
      throw fail("a blob of \(found) found, up to \(Self.maximumBlob) allowed", at: start)
    }
    let begin = start + 4 + length
    guard size - begin >= Int(dataSize) else { throw fail("the file ends inside a blob", at: start) }
    position = begin + Int(dataSize)
    let kind: Blob.Kind =
      type.elementsEqual("OSMData".utf8) ? .data : type.elementsEqual("OSMHeader".utf8) ? .header : .unknown
    return Blob(kind: kind, range: begin..<position)
  }

  /// Returns the content of a blob, decompressed.
  func content(of blob: Blob) throws -> [UInt8] {
    var raw: ArraySlice<UInt8>?
    var zipped: ArraySlice<UInt8>?
    var statedSize: UInt64?
    var isOtherwise = false
    var message = ProtobufReader(try bytes(blob.range))
    do throws(ProtobufReader.Failure) {
      while let field = try message.next() {
        switch (field.number, field.value) {
        case (1, .bytes(let data)): raw = data.rest
        case (2, .varint(let number)): statedSize = number
        case (3, .bytes(let data)): zipped = data.rest
        case (4...7, .bytes): isOtherwise = true
        default: break
        }
      }
    } catch { throw fail("a blob cannot be read: \(error)", at: blob.range.lowerBound) }
    if let raw { return Array(raw) }
    guard !isOtherwise else {
      throw fail(
        "a blob compressed by lzma, bzip2, lz4 or zstd found; zlib or nothing allowed",
        at: blob.range.lowerBound)
    }
    guard let zipped else { throw fail("a blob without data found", at: blob.range.lowerBound) }
    guard let statedSize, statedSize <= UInt64(Self.maximumBlob) else {
      let found = statedSize.map { "\($0) bytes" } ?? "no size"
      throw fail(
        "a blob that unzips to \(found) found, up to \(Self.maximumBlob) allowed", at: blob.range.lowerBound)
    }
    return try unzip(zipped, to: Int(statedSize), at: blob.range.lowerBound)
  }

  private func unzip(_ zipped: ArraySlice<UInt8>, to size: Int, at offset: Int) throws -> [UInt8] {
    var status = Z_OK
    var made = UInt(size)
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      // zlib needs a valid address even for an empty buffer.
      var nothing: UInt8 = 0
      status = zipped.withUnsafeBufferPointer { source in
        withUnsafeMutablePointer(to: &nothing) { nothing in
          uncompress(buffer.baseAddress ?? nothing, &made, source.baseAddress, UInt(source.count))
        }
      }
      count = status == Z_OK ? min(size, Int(made)) : 0
    }
    guard status == Z_OK, bytes.count == size else {
      throw fail("the compressed data is damaged or differs from its stated length", at: offset)
    }
    return bytes
  }

  private func bytes(_ range: Range<Int>) throws -> [UInt8] {
    guard let handle else { return Array(memory[range]) }
    do {
      try handle.seek(toOffset: UInt64(range.lowerBound))
      var bytes: [UInt8] = []
      while bytes.count < range.count {
        guard let more = try handle.read(upToCount: range.count - bytes.count), !more.isEmpty else {
          throw fail("the file became shorter while it was read", at: range.lowerBound)
        }
        bytes.append(contentsOf: more)
      }
      return bytes
    } catch let error as ReadError { throw error } catch {
      throw fail("cannot be read further: \(error.localizedDescription)", at: range.lowerBound)
    }
  }
}
