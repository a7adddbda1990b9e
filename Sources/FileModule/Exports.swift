import FileEngine

// The functions that a page calls to read files. They are those of the engine's module (Sources/WebModule/Exports.swift), so
// that the page talks to both by the same script.

nonisolated(unsafe) private var engine = FileEngine()
nonisolated(unsafe) private var answerBuffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)

/// - Returns: the address of `count` bytes, good for any number; freed by `release`.
@_expose(wasm, "allocate") @_cdecl("allocate")
public func allocate(_ count: Int32) -> UnsafeMutableRawPointer {
  .allocate(byteCount: Int(max(count, 1)), alignment: 16)
}

@_expose(wasm, "release") @_cdecl("release")
public func release(_ address: UnsafeMutableRawPointer) { address.deallocate() }

/// Where the bytes of the last answer are.
@_expose(wasm, "answer") @_cdecl("answer")
public func answer() -> UnsafeMutableRawPointer? { answerBuffer.baseAddress }

/// - Returns: the number of bytes of the answer to the `count` bytes at `request`.
@_expose(wasm, "ask") @_cdecl("ask")
public func ask(_ request: UnsafePointer<UInt8>, _ count: Int32) -> Int32 {
  let bytes = engine.answer(Array(UnsafeBufferPointer(start: request, count: Int(count))))
  answerBuffer.deallocate()
  answerBuffer = .allocate(byteCount: max(bytes.count, 1), alignment: 16)
  answerBuffer.copyBytes(from: bytes)
  return Int32(bytes.count)
}
