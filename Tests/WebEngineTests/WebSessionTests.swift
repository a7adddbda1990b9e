import AlarmEngine
import Geometry
import Testing
import WebEngine

@Suite("Web session")
struct WebSessionTests {
  private func row(_ latitude: Double, at milliseconds: Double) -> [Double] {
    [latitude, 11.5, 5, milliseconds, milliseconds, .nan, .nan, .nan, .nan, .nan]
  }

  @Test func `a bad row is refused by its number and the others are used`() {
    var session = WebSession(device: DeviceID(rawValue: 1), settings: Settings(), pad: [])
    let answer = session.insert(
      rows: row(48, at: 0) + row(91, at: 1_000) + row(48, at: 2_000) + row(.nan, at: 3_000))
    #expect(answer.refused == [.init(row: 1, reason: .latitude), .init(row: 3, reason: .latitude)])

    var timeline = Timeline(device: DeviceID(rawValue: 1), settings: Settings(), zones: [])
    let position = Coordinate(latitude: .degrees(48), longitude: .degrees(11.5))
    timeline.insert(
      [0, 2_000].map { time in
        .fix(
          Fix(
            position: position, accuracy: .radius(.metres(5)),
            measuredAt: Instant(millisecondsSince1970: time)))
      })
    #expect(session.eventBytes == EventBytes.encode(timeline.events))
  }

  @Test
  func `an answer's bytes hold what was added, what was retracted, what was ignored and what was refused`()
    throws
  {
    func notice(_ zone: UInt64) -> Event {
      let time = Instant(millisecondsSince1970: 5)
      return Event(time: time, decidedAt: time, learnedAt: time, kind: .notice(zone: ZoneID(rawValue: zone)))
    }
    let newEvents = [notice(1)]
    let oldEvents = [notice(2), notice(3)]
    let bytes = Answer(
      added: newEvents, retracted: oldEvents, ignored: [], refused: [.init(row: 258, reason: .measuredAt)]
    ).bytes
    let added = EventBytes.encode(newEvents)
    let nothing: [UInt8] = [5, 0, 0, 0, 1, 0, 0, 0, 0]
    let retracted = EventBytes.encode(oldEvents)
    #expect(
      bytes == [UInt8(added.count), 0, 0, 0] + added + [UInt8(retracted.count), 0, 0, 0] + retracted + nothing
        + [1, 0, 0, 0, 2, 1, 0, 0, FixRow.Refusal.measuredAt.rawValue])
  }
}
