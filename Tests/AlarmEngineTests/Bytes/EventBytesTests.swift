import AlarmEngine
import Geometry
import TestSupport
import Testing

@Suite("Event bytes")
struct EventBytesTests {
  @Test(arguments: 0..<200 as Range<UInt64>)
  func `what is written is read back, event by event and byte by byte`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let events = (0..<Int.random(in: 0...20, using: &generator)).map { _ in generator.event() }
    let bytes = EventBytes.encode(events)
    let read = try EventBytes.decode(bytes)
    #expect(read == events, "seed \(seed)")
    #expect(EventBytes.encode(read) == bytes, "seed \(seed)")
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `damaged bytes are refused, or are the bytes of what was read`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let events = (0..<Int.random(in: 1...5, using: &generator)).map { _ in generator.event() }
    for _ in 0..<50 {
      var bytes = EventBytes.encode(events)
      for _ in 0...Int.random(in: 0...3, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      if Bool.random(using: &generator) {
        bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator))
      }
      guard let read = try? EventBytes.decode(bytes) else { continue }
      #expect(EventBytes.encode(read) == bytes, "seed \(seed)")
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `every shorter beginning is refused, and so is a byte too many`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let bytes = EventBytes.encode([generator.event(), generator.event()])
    for length in 0..<bytes.count {
      #expect(throws: EventBytesError.self, "seed \(seed)") { try EventBytes.decode(Array(bytes[..<length])) }
    }
    #expect(throws: EventBytesError.self, "seed \(seed)") { try EventBytes.decode(bytes + [0]) }
  }

  @Test func `the form is fixed: a notice, byte by byte`() throws {
    let notice = Event(
      time: Instant(millisecondsSince1970: 1), decidedAt: Instant(millisecondsSince1970: 0x0102),
      learnedAt: Instant(millisecondsSince1970: -1),
      kind: .notice(zone: ZoneID(rawValue: 0x0102_0304_0506_0708)))
    #expect(
      EventBytes.encode([notice]) == [
        1,  // version
        1, 0, 0, 0,  // one event
        1, 0, 0, 0, 0, 0, 0, 0,  // time
        2, 1, 0, 0, 0, 0, 0, 0,  // decided at
        255, 255, 255, 255, 255, 255, 255, 255,  // learned at
        6,  // notice
        8, 7, 6, 5, 4, 3, 2, 1,  // zone
      ])
  }

  @Test func `a refusal says what was found and where`() {
    func refusal(_ bytes: [UInt8]) -> EventBytesError? {
      do throws(EventBytesError) {
        _ = try EventBytes.decode(bytes)
        return nil
      } catch { return error }
    }
    #expect(refusal([])?.reason == .endsEarly(needed: 1, left: 0))
    #expect(refusal([9, 0, 0, 0, 0])?.reason == .version(given: 9))
    let claim = refusal([1, 255, 255, 255, 255])
    #expect(claim?.reason == .countTooLarge(given: 0xffff_ffff))
    #expect(claim?.offset == 1)
    var bytes = EventBytes.encode([
      Event(
        time: Instant(millisecondsSince1970: 0), decidedAt: Instant(millisecondsSince1970: 0),
        learnedAt: Instant(millisecondsSince1970: 0), kind: .notice(zone: ZoneID(rawValue: 1)))
    ])
    bytes[29] = 77
    #expect(refusal(bytes)?.reason == .unknown(.kind, given: 77))
    #expect(refusal(bytes)?.offset == 29)
    bytes[12] = 127
    #expect(refusal(bytes)?.offset == 5)
  }
}
