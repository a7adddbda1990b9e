import AlarmEngine
import Geometry
import WebEngine

// The functions that a page, or a test, calls. Bytes go in through `allocate`; bytes come out at `answer()`, as many
// as the call returned, until the next call. A page asks by `ask`; the others replay traces number by number: rows are `FixRow`s, answers are `Answer.bytes`, events are `EventBytes`.
// A page makes its views of the memory anew after every call, since memory may have grown.

nonisolated(unsafe) private var session: WebSession?
nonisolated(unsafe) private var engine = PageEngine()
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

/// Starts anew for a device, named by the upper and lower half of its id, with the zones of `count` bytes of PAD.
///
/// - Returns: the number of bytes of the answer, `WebSession.startBytes`.
@_expose(wasm, "start") @_cdecl("start")
public func start(_ upper: UInt32, _ lower: UInt32, _ pad: UnsafePointer<UInt8>, _ count: Int32) -> Int32 {
  let started = WebSession(
    device: DeviceID(rawValue: UInt64(upper) << 32 | UInt64(lower)), settings: Settings(),
    pad: Array(UnsafeBufferPointer(start: pad, count: Int(count))))
  session = started
  return reply(started.startBytes)
}

/// Inserts `count` rows of numbers at `rows`.
///
/// - Returns: the number of bytes of the answer; -1 when nothing was started.
@_expose(wasm, "insert") @_cdecl("insert")
public func insert(_ rows: UnsafePointer<Double>, _ count: Int32) -> Int32 {
  guard session != nil else { return -1 }
  let numbers = Array(UnsafeBufferPointer(start: rows, count: Int(count) * FixRow.width))
  return reply(session!.insert(rows: numbers).bytes)
}

/// Lets time pass to `milliseconds` since 1970.
///
/// - Returns: the number of bytes of the answer; -1 when nothing was started, -2 when that is no time.
@_expose(wasm, "advance") @_cdecl("advance")
public func advance(_ milliseconds: Double) -> Int32 {
  guard session != nil else { return -1 }
  guard let now = FixRow.instant(milliseconds: milliseconds) else { return -2 }
  return reply(session!.advance(to: now).bytes)
}

/// - Returns: the number of bytes of all events so far; -1 when nothing was started.
@_expose(wasm, "events") @_cdecl("events")
public func events() -> Int32 {
  guard let session else { return -1 }
  return reply(session.eventBytes)
}

/// Asks the page's engine: `count` bytes of a `PageValue` at `request`.
///
/// - Returns: the number of bytes of the answer, a `PageValue` too.
@_expose(wasm, "ask") @_cdecl("ask")
public func ask(_ request: UnsafePointer<UInt8>, _ count: Int32) -> Int32 {
  reply(engine.answer(Array(UnsafeBufferPointer(start: request, count: Int(count)))))
}

private func reply(_ bytes: [UInt8]) -> Int32 {
  answerBuffer.deallocate()
  answerBuffer = .allocate(byteCount: max(bytes.count, 1), alignment: 16)
  answerBuffer.copyBytes(from: bytes)
  return Int32(bytes.count)
}
