import AlarmEngine
import CoreLocationWatch
import Geometry
import PhoneSimulator
import TestSupport
import Testing

@Suite("Policies of others: how they ring")
struct PlainBellTests {
  /// A policy that reports scripted causes to its bell.
  private struct Teller: Baseline {
    var causes: [RingCause] = []
    var reason: WatchReason { WatchReason(.notStarted) }
    mutating func handle(_ event: WatchEvent, at now: Instant, zones: Surroundings) -> [WatchCommand] {
      causes = []
      switch event {
      case .started: return [.session(Session(accuracy: .best))]
      case .fix(let fix): causes = [.position(fix)]
      default: break
      }
      return []
    }
  }

  private func alarms(
    _ journey: Journey, zone: Zone = Road.zone(at: 1000, radius: 100), parameters: PhoneParameters = .ideal
  ) -> [Double] {
    let record = TrialRecord(
      timeline: Timeline(device: DeviceID(rawValue: 1), settings: .phone, zones: [zone]))
    let phone = Phone(journey: journey, parameters: parameters, seed: 1)
    let bell = PlainBell(phone, record)
    phone.watch(keeping: bell.silentRecord) { PlainWatch(Teller(), bell: bell) }
    phone.run(until: journey.end)
    #expect(record.timeline.events.isEmpty)
    #expect(phone.ledger.count(.alert) == record.alarms.count)
    return record.alarms.map { ($0.raisedAt - Road.start).seconds }
  }

  @Test func `a zone rings at the first position in it, and not again before it was left`() throws {
    let journey = Road.drive(
      .stand(.seconds(60)), Road.go(1000, 5), .stand(.minutes(10)), Road.go(2000, 5), Road.go(950, 5))
    let times = alarms(journey)
    try #require(times.count == 2)
    #expect(abs(times[0] - (60 + 900 / 5)) <= 1.1)
    #expect(times[1] > 60 + 200 + 600 + 200)
  }

  @Test func `accuracy has no say`() {
    // Stated 65 m, and never closer than 20 m to the edge: the engine would not be certain.
    let journey = Road.drive(.stand(.seconds(60)), Road.go(920, 2), .stand(.minutes(10)))
    let parameters = PhoneParameters.ideal.with {
      $0.accuracyShare5 = 0
      $0.accuracyShare30 = 0
      $0.accuracyShare50 = 1
    }
    #expect(alarms(journey, parameters: parameters).count == 1)
  }

  @Test func `the alert distance grows the zone, the inset shrinks it`() {
    let journey = Road.drive(.stand(.seconds(60)), Road.go(850, 2), .stand(.minutes(10)))
    #expect(alarms(journey).isEmpty)
    #expect(alarms(journey, zone: Road.zone(at: 1000, radius: 100, alert: 60)).count == 1)
    #expect(alarms(journey, zone: Road.zone(at: 1000, radius: 100, inset: 20, alert: 60)).isEmpty)
  }

  @Test func `a zone that is left and entered within its sleep time stays quiet`() {
    func count(sleep: Double) -> Int {
      var zone = Road.zone(at: 1000, radius: 100)
      zone.change { $0.sleepTime = .seconds(sleep) }
      let journey = Road.drive(
        .stand(.seconds(60)), Road.go(910, 10), Road.go(880, 10), Road.go(1000, 10), .stand(.minutes(1)))
      return alarms(journey, zone: zone).count
    }
    #expect(count(sleep: 0) == 1 || count(sleep: 0) == 2)
    #expect(count(sleep: 600) == 1)
  }

  @Test(arguments: [IOSVersion(6), IOSVersion(18)])
  func `a policy of another time counts on that time's background budget`(_ era: IOSVersion) {
    /// A policy that records the capabilities it is given.
    struct Asker: WatchDecisions {
      let heard: Heard
      final class Heard: @unchecked Sendable { var seconds: Double? }
      var reason: WatchReason { WatchReason(.notStarted) }
      mutating func handle(_ event: WatchEvent, at now: Instant, zones: Surroundings) -> [WatchCommand] {
        if case .started(_, let capabilities, _) = event {
          heard.seconds = capabilities.backgroundTime.seconds
        }
        return []
      }
      func guarantee(ofWatched zone: ZoneSlot, _ zones: Surroundings) -> Guarantee {
        .bestEffort(.policyHasNoBound)
      }
    }
    let heard = Asker.Heard()
    var policy = OriginalRule(Asker(heard: heard), era: era)
    let zones = Timeline(device: DeviceID(rawValue: 1), settings: .phone, zones: []).surroundings(
      at: Road.start)
    _ = policy.handle(
      .started(.person, capabilities: .suspended, lastKnown: nil), at: Road.start, zones: zones)
    #expect(heard.seconds == (era < 7 ? 600 : 30))
  }
}
