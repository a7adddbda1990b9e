import Foundation

/// As much of zip archives as KMZ needs: a directory of files, stored or deflated, below 4 GiB.
/// Source: PKWARE, .ZIP File Format Specification (APPNOTE) 6.3.10.
enum ZipArchive {
  struct Entry {
    enum Method { case stored, deflated }
    let name: String
    let method: Method
    /// Of the unzipped bytes.
    let checksum: UInt32
    /// As stored.
    let data: Data
  }

  private static let maximumEntries = 65_535

  /// The files of an archive; those packed in another way, and folders, are left out.
  /// - Throws: `ReadError` where the bytes are no archive or contradict themselves.
  static func entries(_ archive: Data) throws -> [Entry] {
    let bytes = Bytes(archive)
    guard let end = bytes.endOfDirectory else {
      throw ReadError("no zip archive, or the end of it is missing")
    }
    let count = min(maximumEntries, Int(bytes.half(end + 10)))
    var at = Int(bytes.word(end + 16))
    var entries: [Entry] = []
    for _ in 0..<count {
      guard at + 46 <= bytes.count, bytes.word(at) == 0x0201_4b50 else {
        throw ReadError("the zip archive's directory is damaged")
      }
      let nameLength = Int(bytes.half(at + 28))
      let length = 46 + nameLength + Int(bytes.half(at + 30)) + Int(bytes.half(at + 32))
      guard at + length <= bytes.count else { throw ReadError("the zip archive's directory is damaged") }
      let method: Entry.Method? =
        switch bytes.half(at + 10) {
        case 0: .stored
        case 8: .deflated
        default: nil
        }
      let name = String(decoding: bytes.slice(at + 46, nameLength), as: UTF8.self)
      let isEncrypted = bytes.half(at + 8) & 1 != 0
      if let method, !isEncrypted, !name.hasSuffix("/") {
        let data = try bytes.data(localHeader: Int(bytes.word(at + 42)), length: Int(bytes.word(at + 20)))
        entries.append(Entry(name: name, method: method, checksum: bytes.word(at + 16), data: data))
      }
      at += length
    }
    return entries
  }

  /// An archive of files, deflated; equal contents give equal archives.
  static func archive(_ files: [(name: String, contents: [UInt8])]) throws -> Data {
    var local: [UInt8] = []
    var directory: [UInt8] = []
    for (name, contents) in files {
      guard contents.count < 1 << 31, local.count < 1 << 31 else {
        throw ReadError("\(contents.count) bytes found, fewer than 2^31 allowed in a zip")
      }
      let packed = try deflated(contents)
      let nameBytes = Array(name.utf8)
      // Version 2.0, UTF-8 names, deflate, 1980-01-01.
      let common =
        half(20) + half(0x0800) + half(8) + half(0) + half(0x21) + word(packed.checksum)
        + word(UInt32(packed.data.count)) + word(UInt32(contents.count)) + half(UInt16(nameBytes.count))
        + half(0)
      directory +=
        word(0x0201_4b50) + half(20) + common + half(0) + half(0) + half(0) + word(0)
        + word(UInt32(local.count)) + nameBytes
      local += word(0x0403_4b50) + common + nameBytes + packed.data
    }
    let count = UInt16(files.count)
    let end =
      word(0x0605_4b50) + half(0) + half(0) + half(count) + half(count) + word(UInt32(directory.count))
      + word(UInt32(local.count)) + half(0)
    return Data(local + directory + end)
  }

  private static func half(_ value: UInt16) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
  private static func word(_ value: UInt32) -> [UInt8] {
    half(UInt16(truncatingIfNeeded: value)) + half(UInt16(truncatingIfNeeded: value >> 16))
  }

  /// Little-endian numbers at places that may not exist; there they are zero.
  private struct Bytes {
    private let data: Data
    let count: Int

    init(_ data: Data) {
      self.data = data
      count = data.count
    }

    private func byte(_ at: Int) -> UInt32 { at >= 0 && at < count ? UInt32(data[data.startIndex + at]) : 0 }
    func half(_ at: Int) -> UInt16 { UInt16(byte(at) | byte(at + 1) << 8) }
    func word(_ at: Int) -> UInt32 { UInt32(half(at)) | UInt32(half(at + 2)) << 16 }
    func slice(_ at: Int, _ length: Int) -> Data {
      data[data.startIndex + at..<data.startIndex + at + length]
    }

    /// The record is 22 bytes and a comment of at most 65,535.
    var endOfDirectory: Int? {
      var at = count - 22
      let lowest = max(0, at - 65_535)
      while at >= lowest {
        if word(at) == 0x0605_4b50 { return at }
        at -= 1
      }
      return nil
    }

    func data(localHeader at: Int, length: Int) throws -> Data {
      let start = at + 30 + Int(half(at + 26)) + Int(half(at + 28))
      guard word(at) == 0x0403_4b50, start <= count, length <= count - start else {
        throw ReadError("the zip archive is damaged, cut off or larger than 4 GiB")
      }
      return slice(start, length)
    }
  }
}
