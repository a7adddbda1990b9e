import AlarmEngine
import Geometry
import PhoneHost
import TestSupport
import Testing

@Suite("The events that a phone is told")
struct KeptWatchTests {
  private func fix(_ east: Double, at seconds: Double, accuracy: Double = 10) -> Input {
    .fix(
      Fix(
        position: AlarmStory.place(east: east), accuracy: .radius(.metres(accuracy)),
        measuredAt: AlarmStory.start + .seconds(seconds)))
  }

  @Test func `a late position that moves a repeat does not sound it again`() throws {
    let timeline = Timeline(device: DeviceID(rawValue: 1), settings: .phone, zones: [AlarmStory.circle()])
    var kept = KeptWatch(timeline: timeline, settings: .phone)
    func apply(_ content: JournalEntry.Content, at seconds: Double) -> [Event.Kind] {
      kept.apply(JournalEntry(content, at: AlarmStory.start + .seconds(seconds))).map(\.event.kind)
    }
    func repeats(_ kinds: [Event.Kind]) -> Int {
      kinds.count { if case .repeat = $0 { true } else { false } }
    }
    _ = apply(.inputs([fix(500, at: 0)]), at: 0)
    let rung = apply(.inputs([fix(20, at: 60)]), at: 60)
    #expect(rung.contains { if case .alarm = $0 { true } else { false } })
    let cycle = Settings.phone.alarmCycleTime.seconds
    #expect(repeats(apply(.timePassed, at: 60 + 3 * cycle)) == 1)
    let before = kept.timeline.events
    #expect(apply(.inputs([fix(0, at: 60 + 2.5 * cycle)]), at: 60 + 3.1 * cycle).isEmpty)
    #expect(kept.timeline.events != before, "the last repeat has another position")
    #expect(repeats(apply(.timePassed, at: 60 + 4 * cycle)) == 1)
  }
}
