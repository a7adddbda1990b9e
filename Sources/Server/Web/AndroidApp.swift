import Cryptography
import Formats
import Foundation
import NIOConcurrencyHelpers
import NIOPosix

/// The Android app that the server offers: a file that the operator names.
///
/// The file may be replaced while the server runs. It is read again when its size or its time has changed, so
/// that the checksum is that of the file which is sent. Replace it by renaming another file to its name: a file
/// that is written in place is sent half-written.
final class AndroidApp: Sendable {
  static let mediaType = "application/vnd.android.package-archive"
  static let maximumBytes: Int64 = 1 << 30

  /// The file as it was when it was read last.
  struct Edition: Sendable {
    let entry: StaticFiles.Entry
    /// 64 hexadecimal digits.
    let sha256: String
    fileprivate let mark: Mark
  }

  fileprivate struct Mark: Equatable, Sendable {
    let size: Int64
    let changedAt: Date
  }

  private let file: URL
  private let known = NIOLockedValueBox<Edition?>(nil)

  init(file: URL) { self.file = file }

  /// The file as it is now; nil if it cannot be read or is no APK.
  func edition() async throws -> Edition? {
    guard let mark = Self.mark(of: file) else { return nil }
    if let edition = known.withLockedValue({ $0 }), edition.mark == mark { return edition }
    let edition = try await NIOThreadPool.singleton.runIfActive { [file] in Self.read(file, mark) }
    known.withLockedValue { $0 = edition }
    return edition
  }

  /// True if the file can be read and begins as an APK does.
  static func isThere(_ file: URL) -> Bool {
    guard mark(of: file) != nil, let handle = try? FileHandle(forReadingFrom: file) else { return false }
    defer { try? handle.close() }
    return (try? handle.read(upToCount: start.count)).map { Array($0) } == start
  }

  /// The first bytes of a ZIP archive, which an APK is.
  private static let start: [UInt8] = [0x50, 0x4b, 0x03, 0x04]

  private static func mark(of file: URL) -> Mark? {
    guard
      let attributes = try? FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path),
      attributes[.type] as? FileAttributeType == .typeRegular,
      let size = (attributes[.size] as? NSNumber)?.int64Value, (1...maximumBytes).contains(size),
      let changedAt = attributes[.modificationDate] as? Date
    else { return nil }
    return Mark(size: size, changedAt: changedAt)
  }

  /// - Returns: nil if the file cannot be read, is no APK, or was changed meanwhile.
  private static func read(_ file: URL, _ mark: Mark) -> Edition? {
    guard isThere(file), let handle = try? FileHandle(forReadingFrom: file) else { return nil }
    defer { try? handle.close() }
    var hash = SHA256()
    var size: Int64 = 0
    while let chunk = try? handle.read(upToCount: 1 << 20), !chunk.isEmpty {
      hash.update(chunk)
      size += Int64(chunk.count)
      guard size <= mark.size else { return nil }
    }
    guard size == mark.size else { return nil }
    let digest = hash.finish()
    let digits = Array("0123456789abcdef")
    return Edition(
      entry: StaticFiles.Entry(
        url: file, size: Int(size), tag: "\"\(Base64URL.encode(digest.prefix(16)))\"", mediaType: mediaType,
        isImmutable: false),
      sha256: String(digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }), mark: mark)
  }
}
