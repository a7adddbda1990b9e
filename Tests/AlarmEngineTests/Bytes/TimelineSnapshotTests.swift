import AlarmEngine
import Geometry
import TestSupport
import Testing

@Suite("Timeline as a snapshot")
struct TimelineSnapshotTests {
  @Test(arguments: Seeds.few(8))
  func `saved and restored at any time, it answers as the one that never stopped`(seed: Int) throws {
    var script = TimelineScript(seed: UInt64(seed))
    var lasting = script.timeline
    var saved = script.timeline
    var restored = 0
    while let step = script.next(after: lasting) {
      switch step {
      case .insert(let inputs):
        #expect(saved.insert(inputs) == lasting.insert(inputs), "seed \(seed)")
      case .advance(let time): #expect(saved.advance(to: time) == lasting.advance(to: time), "seed \(seed)")
      case .forget(let time, let most):
        lasting.forget(before: time, keeping: most)
        saved.forget(before: time, keeping: most)
      case .restore:
        saved = try script.restored(saved.snapshot())
        restored += 1
      }
      #expect(saved.events == lasting.events, "seed \(seed)")
      #expect(saved.snapshot() == lasting.snapshot(), "seed \(seed)")
      #expect(saved.nextDue == lasting.nextDue && saved.wantsFix == lasting.wantsFix, "seed \(seed)")
      #expect(saved.states.map { $0.state } == lasting.states.map { $0.state }, "seed \(seed)")
    }
    #expect(restored > 5, "seed \(seed)")
  }

  @Test(arguments: Seeds.few(2))
  func `explanations of what is kept are the same from a restored timeline`(seed: Int) throws {
    var script = TimelineScript(seed: UInt64(seed) + 700)
    var timeline = script.timeline
    var records = 0
    while let step = script.next(after: timeline) {
      switch step {
      case .insert(let inputs): timeline.insert(inputs)
      case .advance(let time): timeline.advance(to: time)
      case .forget(let time, let most): timeline.forget(before: time, keeping: most)
      case .restore:
        let restored = try script.restored(timeline.snapshot())
        for zone in timeline.zones {
          let span = Instant.allowed
          let expected = timeline.explanations(of: zone.id, in: span)
          #expect(restored.explanations(of: zone.id, in: span) == expected, "seed \(seed)")
          for record in expected { #expect(record.replayed() == record.verdict, "seed \(seed)") }
          records += expected.count
        }
      }
    }
    #expect(records > 0, "seed \(seed)")
  }

  @Test(arguments: Seeds.few(2))
  func `every shorter or longer form and every changed byte is refused`(seed: Int) throws {
    var script = TimelineScript(seed: UInt64(seed) + 50)
    var timeline = script.timeline
    for _ in 0..<60 {
      guard let step = script.next(after: timeline) else { break }
      if case .insert(let inputs) = step { timeline.insert(inputs) }
    }
    timeline.forget(keeping: 3)
    let bytes = timeline.snapshot()
    for length in 0..<bytes.count {
      #expect(throws: SnapshotError.self, "seed \(seed)") { try script.restored(Array(bytes[..<length])) }
    }
    #expect(throws: SnapshotError.damaged) { try script.restored(bytes + [0]) }
    var random = SeededGenerator(seed: UInt64(seed))
    for place in bytes.indices {
      var other = bytes
      other[place] ^= 1 << UInt8(random.next() % 8)
      #expect(throws: SnapshotError.self, "seed \(seed), byte \(place)") { try script.restored(other) }
    }
  }

  @Test(arguments: Seeds.few(10))
  func `damage under a true checksum is refused, or gives a timeline that goes on`(seed: Int) throws {
    var script = TimelineScript(seed: UInt64(seed) + 900)
    var random = SeededGenerator(seed: UInt64(seed))
    var timeline = script.timeline
    for _ in 0..<random.next() % 80 {
      guard let step = script.next(after: timeline) else { break }
      if case .insert(let inputs) = step { timeline.insert(inputs) }
    }
    timeline.forget(keeping: Int(random.next() % 5))
    let body = Array(timeline.snapshot().dropLast(8))
    for _ in 0..<40 {
      var other = body
      for _ in 0...(random.next() % 3) {
        other[Int.random(in: 1..<other.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard var odd = try? script.restored(SnapshotForge.sealed(other)) else { continue }
      #expect(try script.restored(odd.snapshot()).snapshot() == odd.snapshot(), "seed \(seed)")
      odd.insert(script.fixes.suffix(3).map { .fix($0) })
      odd.advance(to: AlarmStory.start + .hours(6))
      odd.forget(keeping: 1)
    }
  }

  @Test func `a refusal says what was found`() {
    let device = DeviceID(rawValue: 5)
    let zones = WatchedZones([AlarmStory.circle()])
    var timeline = Timeline(device: device, settings: .phone, watched: zones)
    timeline.insert([
      .fix(Fix(position: AlarmStory.origin, accuracy: .unstated, measuredAt: AlarmStory.start))
    ])
    let bytes = timeline.snapshot()
    func refusal(
      _ bytes: [UInt8], _ id: DeviceID = device, at hand: WatchedZones? = zones
    ) -> SnapshotError? {
      do throws(SnapshotError) {
        _ = try Timeline(snapshot: bytes, device: id, settings: .phone) { _ in hand }
        return nil
      } catch { return error }
    }
    #expect(refusal(bytes) == nil)
    #expect(refusal(bytes, DeviceID(rawValue: 6)) == .device(given: device))
    #expect(refusal(bytes, at: nil) == .zonesMissing(revision: zones.revision))
    #expect(refusal(bytes, at: WatchedZones([])) == .zonesMissing(revision: zones.revision))
    #expect(bytes.first == Timeline.snapshotVersion)
    // Earlier and later versions, in full and with a valid checksum.
    for version in UInt8.min...UInt8.max where version != Timeline.snapshotVersion && version != 5 {
      #expect(refusal([version] + bytes.dropFirst()) == .version(given: version))
      let sealed = SnapshotForge.sealed([version] + bytes.dropLast(8).dropFirst())
      #expect(refusal(sealed) == .version(given: version))
    }
    #expect(refusal([]) == .damaged)
    #expect(refusal(Array(bytes.dropLast())) == .damaged)
    let odd = SnapshotForge.sealed(bytes.dropLast(8) + [0])
    guard case .malformed(let error)? = refusal(odd) else {
      Issue.record("a byte too many passed")
      return
    }
    #expect(error.reason == .bytesLeft(given: 1))
  }

  @Test func `a device far from its zones takes less than 320 bytes, an alarm 200 more`() {
    var timeline = Timeline(
      device: DeviceID(rawValue: 1), settings: .phone, zones: [AlarmStory.circle(radius: 100)])
    func report(_ east: Double, _ seconds: Double) {
      timeline.insert([
        .fix(
          Fix(
            position: AlarmStory.place(east: east), accuracy: .radius(.metres(8)),
            measuredAt: AlarmStory.start + .seconds(seconds), speed: .metresPerSecond(12),
            course: .degrees(80)))
      ])
      timeline.forget(keeping: 0)
    }
    for minute in 0..<100 { report(9000 + 10 * Double(minute), 60 * Double(minute)) }
    #expect(timeline.snapshot().count < 320, "\(timeline.snapshot().count) bytes")
    report(0, 12_000)
    #expect(timeline.states.count == 1)
    #expect(timeline.snapshot().count < 520, "\(timeline.snapshot().count) bytes")
  }

  @Test func `the form is fixed: a device that has reported nothing, byte by byte`() {
    let zones = WatchedZones([])
    let timeline = Timeline(
      device: DeviceID(rawValue: 0x0102_0304_0506_0708), settings: Settings(), watched: zones)
    let revision = (0..<8).map { UInt8(truncatingIfNeeded: zones.revision >> (8 * $0)) }
    #expect(
      timeline.snapshot()
        == SnapshotForge.sealed(
          [6, 8, 7, 6, 5, 4, 3, 2, 1] + revision
            + [
              1,  // armed
              0, 0, 0,  // no fix yet
              0, 0, 0, 0, 0, 0x80, 0x46, 0x40,  // 45 m/s are allowed
              0, 0,  // no fix by satellites, none by the network
              0, 0, 0, 0, 0, 0, 0x18, 0x40, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f,  // Wi-Fi: 6 comparisons, a half
              0, 0, 0, 0, 0, 0, 0x18, 0x40, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f,  // cells: 6, one
              0, 0,  // no place where it rests, no sign of movement
              0, 0, 0, 0,  // no way by which an entry could be predicted
              0, 0, 0,  // no time has passed, no schedule, no signal to miss
              0, 0, 0, 0,  // no alarms
              0, 0,  // no time has passed beyond, nothing is forgotten
              0, 0, 0, 0,  // no inputs
              0,  // the clock was never set
            ]))
    #expect(zones.revision == 4_409_015_039_599_240_769, "a revision changed from one release to another")
  }
}
