import AlarmEngine
import Geometry
import TestSupport
import Testing

/// A phone whose system contradicts itself: it reports new fences as left, repeats events, or stays silent.
/// The application always runs, so that only the policy's own limits slow it down.
private struct ContraryPhone<Policy: WatchDecisions> {
  var policy: Policy
  var timeline: Timeline
  var generator: SeededGenerator
  /// Times in 100 that a fence is contradicted, a request is not answered, and an event is repeated.
  var contradicts = 0
  var host = Capabilities.suspended
  var keepsSilent = 0
  var doubles = 0
  /// The resting place in metres from the zone's centre, and the accuracies that its fixes may state.
  var east = 20_000.0
  var accuracies = [10.0]
  private(set) var fixRequests = 0
  private(set) var fences = 0
  private var events: [(at: Double, event: WatchEvent)] = []
  private var timer: Double?
  private var now = 0.0

  init(_ policy: Policy, generator: SeededGenerator) {
    self.policy = policy
    self.generator = generator
    timeline = Timeline(
      device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings, zones: [AlarmStory.circle()])
  }

  private var fix: Fix {
    mutating get {
      Fix(
        position: AlarmStory.place(east: east),
        accuracy: .radius(.metres(accuracies[Int.random(in: accuracies.indices, using: &generator)])),
        measuredAt: AlarmStory.start + .seconds(now))
    }
  }

  mutating func run(hours: Double) {
    tell(.started(.person, capabilities: host, lastKnown: nil))
    var steps = 0
    while steps < 1_000_000 {
      steps += 1
      let next = events.indices.min { events[$0].at < events[$1].at }
      let soonest = min(next.map { events[$0].at } ?? .infinity, timer ?? .infinity)
      guard soonest < hours * 3600 else { return }
      now = max(now, soonest)
      if let next, events[next].at <= now {
        let event = events.remove(at: next).event
        if case .fix = event { tell(.fix(fix)) } else { tell(event) }
      } else {
        timer = nil
        tell(.timer)
      }
    }
  }

  private mutating func tell(_ event: WatchEvent) {
    let time = AlarmStory.start + .seconds(now)
    _ = timeline.advance(to: time)
    if case .fix(let fix) = event { _ = timeline.insert([.fix(fix)]) }
    for command in policy.handle(event, at: time, zones: timeline.surroundings(at: time)) { apply(command) }
  }

  private mutating func happens(_ share: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < share }

  private mutating func answer(_ event: WatchEvent, after seconds: Double) {
    if happens(keepsSilent) { return }
    events.append((now + seconds, event))
    if happens(doubles) { events.append((now + seconds, event)) }
  }

  private mutating func apply(_ command: WatchCommand) {
    switch command {
    case .requestFix:
      fixRequests += 1
      answer(.fix(fix), after: 1)
    case .requestState(let id): answer(.fenceState(id, inside: !happens(contradicts)), after: 0.6)
    case .fences(let laid):
      fences += 1
      guard let first = laid.first, happens(contradicts) else { return }
      answer(.fenceState(first.id, inside: false), after: 0)
      if happens(50) { answer(.fenceExited(first.id), after: 0.1) }
    case .timer(let time): timer = time.map { ($0 - AlarmStory.start).seconds }
    // Without this report the policy would not know that the phone rests.
    case .motion(true): events.append((now + 0.5, .motion(.still)))
    case .session, .endSession, .significantChanges, .visits, .motion, .holdBackground, .releaseBackground,
      .warn,
      .warnIfSilent:
      break
    }
  }
}

@Suite("Watch policies: a phone that contradicts itself")
struct ContraryPhoneTests {
  private static let hours = 6.0

  private func check(_ policy: some WatchDecisions, _ name: String, seed: Int, anHour: Double) {
    for contradicts in [30, 100] {
      for silent in [0, 20] {
        var phone = ContraryPhone(policy, generator: SeededGenerator(seed: UInt64(seed)))
        (phone.contradicts, phone.keepsSilent, phone.doubles) = (contradicts, silent, 30)
        phone.run(hours: Self.hours)
        let requests = Double(phone.fixRequests + phone.fences) / Self.hours
        #expect(
          requests <= anHour,
          "\(name), seed \(seed), \(contradicts) % contradicted, \(silent) % silent: \(requests) requests an hour"
        )
      }
    }
  }

  @Test(arguments: Seeds.few(8)) func `asks no more than so often an hour, whatever the system says`(
    seed: Int
  ) {
    check(CertifiedWatch(), "certified", seed: seed, anHour: 30)
    check(TieredWatch(), "tiered", seed: seed, anHour: 30)
    check(FenceOnlyWatch(), "fenceOnly", seed: seed, anHour: 30)
    check(NearestRegionsWatch(), "nearestRegions", seed: seed, anHour: 30)
    check(ContinuousWatch(), "continuous", seed: seed, anHour: 30)
  }

  /// Fixes as coarse as the mobile network's, beside a zone and far from it; the policy once asked 5,000
  /// times an hour.
  @Test(arguments: Seeds.few(12)) func `coarse positions are not asked for again and again at rest`(seed: Int)
  {
    for east in [130.0, 400, 1200, 2500, 6000] {
      for host in [Capabilities.timed, .suspended] {
        var phone = ContraryPhone(CertifiedWatch(), generator: SeededGenerator(seed: UInt64(seed)))
        phone.host = host
        (phone.east, phone.accuracies) = (east, seed % 2 == 0 ? [65, 520, 1400] : [520, 1400])
        (phone.contradicts, phone.keepsSilent) = (10, 10)
        phone.run(hours: Self.hours)
        let requests = Double(phone.fixRequests + phone.fences) / Self.hours
        #expect(requests <= 240, "seed \(seed), \(east) m: \(requests) requests an hour")
      }
    }
  }
}
