import Geometry
import TestSupport
import Testing

@testable import AlarmEngine

@Suite("Watch policies")
struct WatchTests {
  @Test func `every policy has a name, and other names are refused`() {
    for name in WatchPolicyName.allCases {
      #expect(Watch(name: name.text)?.name == name)
      #expect(Text("\(name)") == name.text)
    }
    #expect(Watch(name: "Certified") == nil)
    #expect(Watch(name: "") == nil)
  }

  private static func zones(_ generator: inout SeededGenerator) -> [Zone] {
    (0..<30).map { id in
      var zone = AlarmStory.circle(radius: generator.double(in: 10...900), id: UInt64(id + 1))
      zone.change {
        $0.outline = .locations([
          AlarmStory.place(
            east: generator.double(in: -9000...9000), north: generator.double(in: -9000...9000))
        ])
      }
      zone.change {
        $0.alertDistance = .metres(Bool.random(using: &generator) ? 0 : generator.double(in: 0...2000))
      }
      zone.change { $0.assurance = Assurance.allCases[Int.random(in: 0..<3, using: &generator)] }
      zone.change { $0.active = Int.random(in: 0..<4, using: &generator) > 0 }
      return zone
    }
  }

  @Test func `nearest zones, by line and by edge, are those of a plain sort`() {
    for seed in Seeds.few(20) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let zones = Self.zones(&generator)
      let surroundings = Timeline(device: DeviceID(rawValue: 1), settings: Settings(), zones: zones)
        .surroundings(at: AlarmStory.start)
      let place = AlarmStory.place(
        east: generator.double(in: -9000...9000), north: generator.double(in: -9000...9000))
      let all = surroundings.slots.filter { surroundings.isWatched($0) }
        .map { surroundings.nearby($0, from: place) }
      let byLine = all.sorted { ($0.toAlert, $0.zone) < ($1.toAlert, $1.zone) }
      let byEdge = all.sorted { ($0.toEdge, $0.zone) < ($1.toEdge, $1.zone) }
      for count in [1, 5, 20, 40] {
        #expect(surroundings.nearest(count, to: place) == Array(byLine.prefix(count)), "seed \(seed)")
        #expect(surroundings.nearestEdges(count, to: place) == Array(byEdge.prefix(count)), "seed \(seed)")
      }
      let binding = surroundings.binding(at: place, toCome: false)
      for assurance in Assurance.allCases {
        #expect(
          binding.first { $0.assurance == assurance } == byLine.first { $0.assurance == assurance },
          "seed \(seed)")
      }
    }
  }

  @Test func `equal policies told equal events answer equally, and survive any order of events`() {
    for name in WatchPolicyName.allCases {
      for seed in Seeds.few(5) {
        #expect(Self.babble(name, seed) == Self.babble(name, seed), "\(name), seed \(seed)")
      }
    }
  }

  private static func babble(_ name: WatchPolicyName, _ seed: Int) -> [WatchCommand] {
    var generator = SeededGenerator(seed: UInt64(seed))
    var timeline = Timeline(device: DeviceID(rawValue: 1), settings: Settings(), zones: zones(&generator))
    var watch = Watch(name)
    var commands: [WatchCommand] = []
    var now = AlarmStory.start
    for _ in 0..<150 {
      now = now + .seconds(generator.double(in: 0...600))
      let fix = Fix(
        position: AlarmStory.place(
          east: generator.double(in: -20_000...20_000), north: generator.double(in: -9000...9000)),
        accuracy: .radius(.metres(generator.double(in: -5...300))), measuredAt: now)
      var capabilities = [Capabilities.timed, .suspended, .visibleOnly][
        Int.random(in: 0..<3, using: &generator)]
      capabilities.authorized = Int.random(in: 0..<5, using: &generator) > 0
      capabilities.fences = Int.random(in: 0...20, using: &generator)
      let id = FenceID(rawValue: Bool.random(using: &generator) ? .max : 3)
      let events: [WatchEvent] = [
        .started(.person, capabilities: capabilities, lastKnown: Bool.random(using: &generator) ? fix : nil),
        .fix(fix), .fix(fix), .fix(fix), .significantChange(fix), .fixFailed, .fenceEntered(id),
        .fenceExited(id),
        .fenceState(id, inside: Bool.random(using: &generator)), .fenceFailed(id),
        .visitArrived(fix.position),
        .visitDeparted(fix.position), .motion(Motion.allCases[Int.random(in: 0..<6, using: &generator)]),
        .timer,
        .timer, .capabilitiesChanged(capabilities), .cameToForeground, .wentToBackground, .willTerminate,
        .zonesChanged, .stopped,
        .clockJumped(by: .milliseconds(Int64(generator.double(in: -9e6...9e6)))),
      ]
      let event = commands.isEmpty ? events[0] : events[Int.random(in: events.indices, using: &generator)]
      if case .fix = event { timeline.insert([.fix(fix)]) }
      timeline.advance(to: now)
      let surroundings = timeline.surroundings(at: now)
      commands += watch.handle(event, at: now, zones: surroundings)
      let guarantees = watch.guarantees(zones: surroundings)
      #expect(guarantees.count == surroundings.count, "seed \(seed)")
      for case .timer(let time?) in commands.suffix(6) { #expect(time.millisecondsSince1970 > 0) }
    }
    return commands
  }

  @Test func `says of every zone what holds: guaranteed, best effort because, or not watched because`() {
    let inactive = AlarmStory.circle("inactive", id: 2) { $0.active = false }
    let closed = AlarmStory.circle("closed", id: 3) {
      $0.schedule = Schedule(
        windows: [.init(weekdays: .init(rawValue: 0b1000000), opens: 600, closes: 660)], timeZone: "UTC",
        offsets: [.init(from: Instant(millisecondsSince1970: 0), seconds: 0)])
    }
    let empty = AlarmStory.circle("nowhere", id: 4) {
      $0.outline = .locations(.init(repeating: AlarmStory.origin, count: 3))
    }
    let safe = AlarmStory.circle("safe", id: 5) { $0.assurance = .safety }
    var timeline = Timeline(
      device: DeviceID(rawValue: 1), settings: Settings(),
      zones: [AlarmStory.circle(), inactive, closed, empty, safe])
    var watch = CertifiedWatch()
    func all(_ watch: CertifiedWatch, _ timeline: Timeline) -> [UInt64: Guarantee] {
      let pairs = watch.guarantees(zones: timeline.surroundings(at: AlarmStory.start))
      return Dictionary(uniqueKeysWithValues: pairs.map { ($0.zone.rawValue, $0.guarantee) })
    }
    #expect(all(watch, timeline)[1] == .notWatched(.stopped))
    var capabilities = Capabilities.timed
    capabilities.motion = false
    _ = watch.handle(
      .started(.person, capabilities: capabilities, lastKnown: nil), at: AlarmStory.start,
      zones: timeline.surroundings(at: AlarmStory.start))
    #expect(all(watch, timeline)[1] == .bestEffort(.noFix))
    let fix = Fix(
      position: AlarmStory.place(east: 200_000), accuracy: .radius(.metres(5)), measuredAt: AlarmStory.start)
    timeline.insert([.fix(fix)])
    _ = watch.handle(.fix(fix), at: AlarmStory.start, zones: timeline.surroundings(at: AlarmStory.start))
    let said = all(watch, timeline)
    #expect(
      said[1]
        == .guaranteed(
          .init(
            upTo: .metresPerSecond(45), late: .seconds(32), after: .entry, line: .insideByError,
            coarse: .seconds(30))))
    #expect(
      said[5]
        == .guaranteed(
          .init(upTo: .metresPerSecond(45), late: .seconds(12), after: .entry, line: .edge, coarse: .zero)))
    #expect(said[2] == .notWatched(.inactive))
    #expect(said[3] == .notWatched(.scheduleClosed))
    #expect(said[4] == .notWatched(.noArea(.tooFewPlaces(given: 3))))
    timeline.insert([.command(.deactivate, at: AlarmStory.start)])
    #expect(all(watch, timeline)[1] == .notWatched(.disarmed))
  }
}
