import Foundation

/// A `ZoneFileSource` as the stream that `XMLParser` asks for.
final class ZoneFileXMLStream: InputStream {
  private let source: ZoneFileSource
  private var chunk: ArraySlice<UInt8> = []
  private var isAtEnd = false
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
        if let next = try source.next() { chunk = next[...] } else { isAtEnd = true }
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
}
