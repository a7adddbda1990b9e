import Foundation

/// A `ZoneFileSource` as the stream that `XMLParser` asks for.
///
/// Bytes that are not UTF-8 become replacement characters unless the file says that it is in another encoding:
/// Foundation traps on them inside the name of an entity.
final class ZoneFileXMLStream: InputStream {
  private let source: ZoneFileSource
  private var chunk: ArraySlice<UInt8> = []
  private var isAtEnd = false
  /// The beginning of a character that the next chunk completes.
  private var carry: [UInt8] = []
  /// Nil before the first chunk.
  private var isUTF8: Bool?
  /// What the source threw.
  private(set) var failure: (any Error)?

  init(_ source: ZoneFileSource) {
    self.source = source
    super.init(data: Data())
  }

  override func open() {}
  override func close() {}
  override var streamStatus: Stream.Status { isAtEnd ? .atEnd : .open }
  override var streamError: (any Error)? { failure }
  override var hasBytesAvailable: Bool { !isAtEnd }

  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
    if chunk.isEmpty, !isAtEnd {
      do {
        chunk = try nextChunk()
        if chunk.isEmpty { isAtEnd = true }
      } catch {
        failure = error
        isAtEnd = true
      }
    }
    let count = min(maxLength, chunk.count)
    chunk.prefix(count).withUnsafeBufferPointer { from in
      if let base = from.baseAddress { buffer.update(from: base, count: count) }
    }
    chunk = chunk.dropFirst(count)
    return count
  }

  /// Empty at the end.
  private func nextChunk() throws -> ArraySlice<UInt8> {
    while let next = try source.next() {
      if isUTF8 == nil { isUTF8 = Self.isUTF8(start: next) }
      guard isUTF8 == true else { return next[...] }
      var bytes = carry + next
      // Up to three bytes may belong to a character that goes on.
      let lead = bytes.suffix(3).lastIndex { $0 >= 0xc0 }
      carry = lead.map { Array(bytes[$0...]) } ?? []
      bytes.removeLast(carry.count)
      if !bytes.isEmpty { return Self.repaired(bytes)[...] }
    }
    defer { carry = [] }
    return Self.repaired(carry)[...]
  }

  private static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    if String(validating: bytes, as: UTF8.self) != nil { return bytes }
    return Array(String(decoding: bytes, as: UTF8.self).utf8)
  }

  private static func isUTF8(start: [UInt8]) -> Bool {
    let head = start.prefix(200)
    // A mark of UTF-16, or every other byte zero.
    if head.starts(with: [0xff, 0xfe]) || head.starts(with: [0xfe, 0xff]) || head.prefix(4).contains(0) {
      return false
    }
    let declaration = String(decoding: head, as: UTF8.self).prefix { $0 != ">" }.lowercased()
    guard declaration.contains("<?xml"), let encoding = declaration.range(of: "encoding") else { return true }
    return declaration[encoding.upperBound...].contains("utf-8")
  }
}
