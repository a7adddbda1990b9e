import AlarmEngine
import Geometry
import PhoneHost
import TestSupport
import Testing

/// Positions that come to an application by the side of the one it asked for.
@Suite("Positions of a session that keeps awake")
struct KeptAwakeTests {
  /// Asks for a position of satellites, and notes what it is told.
  private struct Asker: WatchDecisions {
    var events: [WatchEvent] = []
    let session: Session
    var reason: WatchReason { WatchReason(.notStarted) }
    mutating func handle(
      _ event: WatchEvent, at now: Instant, zones: Surroundings
    ) -> [WatchCommand] {
      events.append(event)
      guard case .started = event else { return [] }
      return session.wakesOnMotion
        ? [.session(session)] : [.session(session), .requestFix(.best, within: .seconds(30))]
    }
    func guarantee(ofWatched zone: ZoneSlot, _ zones: Surroundings) -> Guarantee { .notWatched(.stopped) }
    var fixes: [Fix] { events.compactMap { if case .fix(let fix) = $0 { fix } else { nil } } }
  }

  private func host(_ session: Session) -> PhoneHost<Asker> {
    let timeline = Timeline(
      device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings, zones: [AlarmStory.circle()])
    var host = PhoneHost(beginning: timeline, policy: Asker(session: session))
    tell(&host, .started(.person, .suspended, lastKnown: nil), at: 0)
    return host
  }

  private func tell(_ host: inout PhoneHost<Asker>, _ input: PhoneInput, at seconds: Double) {
    _ = host.handle(input, at: PhoneTime(now: AlarmStory.start + .seconds(seconds), uptime: nil))
  }

  private func fix(_ accuracy: Double, at seconds: Double) -> Fix {
    let time = AlarmStory.start + .seconds(seconds)
    return Fix(
      position: AlarmStory.place(east: 500), accuracy: .radius(.metres(accuracy)), measuredAt: time,
      receivedAt: time)
  }

  @Test func `a coarse one is no answer to a request for satellites, and a fine one is`() {
    var host = host(Session(accuracy: .threeKilometres))
    tell(&host, .positions([fix(65, at: 1)], ofRequest: false), at: 1)
    #expect(host.policy.fixes.isEmpty)
    #expect(host.timeline.through == AlarmStory.start + .seconds(1), "alarms count with it")
    tell(&host, .positions([fix(5, at: 9)], ofRequest: false), at: 9)
    #expect(host.policy.fixes == [fix(5, at: 9)])
  }

  @Test func `at the end of the time the best one is the answer`() {
    var host = host(Session(accuracy: .threeKilometres))
    tell(&host, .positions([fix(65, at: 1)], ofRequest: false), at: 1)
    tell(&host, .woke, at: 30)
    #expect(host.policy.fixes == [fix(65, at: 1)])
  }

  @Test func `while a session waits for the phone to move, positions are significant changes`() {
    var host = host(.wakingOnMotion)
    let coarse = fix(500, at: 60)
    tell(&host, .positions([coarse], ofRequest: false), at: 60)
    #expect(host.policy.events.last == .significantChange(coarse))
  }
}
