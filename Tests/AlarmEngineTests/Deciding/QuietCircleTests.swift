import Geometry
import TestSupport
import Testing

@testable import AlarmEngine

@Suite("What is not measured")
struct QuietCircleTests {
  /// Asking for the reasons of a zone turns the shortcuts off: every fix is judged and everything is
  /// measured.
  @Test(arguments: Seeds.few(8))
  func `what is spared changes no decision`(seed: Int) {
    let journey = RandomJourney(seed: UInt64(seed), fixes: 150)
    var settings = AlarmStory.quietSettings
    settings.change(.unstatedAccuracy, to: 30)
    let zones = WatchedZones(journey.zones, defaultRadius: settings.defaultRadius)
    // Fewer zones leave more room between them.
    let sets = [zones, WatchedZones(Array(journey.zones.prefix(2)), defaultRadius: settings.defaultRadius)]
    for zones in sets {
      let begin = DeviceAlarms(
        device: DeviceID(rawValue: 7), settings: settings, zones: zones, armed: true)
      var sparing = begin
      var log = DecisionLog()
      for input in Self.ordered(journey) { sparing.apply(input, &log) }
      for zone in zones.zones {
        var whole = begin
        var other = DecisionLog()
        other.explained = zone.id
        for input in Self.ordered(journey) {
          whole.apply(input, &other)
          whole.circle = QuietCircle()
        }
        #expect(other.events == log.events, "seed \(seed), zone \(zone.id)")
        #expect(whole.alarms == sparing.alarms, "seed \(seed), zone \(zone.id)")
        #expect(whole.tracking == sparing.tracking, "seed \(seed)")
        #expect(whole.nextDue == sparing.nextDue, "seed \(seed)")
      }
    }
  }

  /// Compares after each input with a device that forgets its knowledge of the zones before each input.
  @Test(arguments: Seeds.few(24))
  func `a phone that rests or strolls among zones decides as if all were measured`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed) &+ 900)
    var settings = AlarmStory.quietSettings
    settings.change(.unstatedAccuracy, to: 30)
    settings.change(.signalTimeout, to: 40)
    let all = RandomJourney(seed: UInt64(seed), fixes: 1).zones
    let sets = [all, Array(all.prefix(6))].map { WatchedZones($0, defaultRadius: settings.defaultRadius) }
    var sparing = DeviceAlarms(device: DeviceID(rawValue: 7), settings: settings, zones: sets[0], armed: true)
    var whole = sparing
    var (log, other) = (DecisionLog(), DecisionLog())
    for input in Self.stroll(among: sets, &random) {
      sparing.apply(input, &log)
      whole.circle.forget()
      whole.apply(input, &other)
      #expect(sparing.alarms == whole.alarms, "seed \(seed): after \(input)")
      #expect(sparing.signalWatch?.zones == whole.signalWatch?.zones, "seed \(seed): after \(input)")
      #expect(sparing.nextDue == whole.nextDue, "seed \(seed): after \(input)")
      // One difference leads to further ones.
      if sparing.alarms != whole.alarms || sparing.signalWatch?.zones != whole.signalWatch?.zones { return }
    }
    #expect(log.events == other.events && sparing.tracking == whole.tracking, "seed \(seed)")
  }

  @Test func `a phone that rests beside a zone is measured once, and rings when it goes there`() {
    let place = Coordinate(latitude: .degrees(46), longitude: .degrees(14.5))
    let zones = WatchedZones([
      Zone.valid(id: ZoneID(rawValue: 1), name: "hazard", size: .metres(100), outline: .locations([place]))
    ])
    var alarms = DeviceAlarms(
      device: DeviceID(rawValue: 7), settings: AlarmStory.quietSettings, zones: zones, armed: true)
    var log = DecisionLog()
    func report(_ metres: Double, at second: Int) {
      let north = Geodesic.destination(from: place, azimuth: .degrees(0), distance: .metres(metres))
      let time = AlarmStory.start + .seconds(Double(second))
      alarms.apply(.fix(Fix(position: north, accuracy: .radius(.metres(5)), measuredAt: time)), &log)
    }
    for second in 0..<600 {
      report(120 + Double(second % 3), at: second)
      #expect(alarms.distances.isEmpty == (second > 0), "second \(second)")
      let deadline = AlarmStory.start + .seconds(Double(second)) + alarms.settings.signalTimeout
      #expect(alarms.signalWatch?.zones == [ZoneSlot(0)] && alarms.signalWatch?.deadline == deadline)
    }
    for second in 600..<640 { report(120 - Double(second - 600), at: second) }
    #expect(log.events.map(\.time) == [AlarmStory.start + .seconds(620)])
  }

  private static func stroll(among sets: [WatchedZones], _ random: inout SeededGenerator) -> [Input] {
    var inputs: [Input] = []
    var time = AlarmStory.start
    var (east, north) = (random.double(in: -800...800), random.double(in: -800...800))
    var (radius, restless) = (random.double(in: 2...40), 0.0)
    for _ in 0..<400 {
      time = time + .milliseconds(Int64(random.next() % 9 == 0 ? 60_000 : 3000) + Int64(random.next() % 5000))
      switch random.next() % 60 {
      case 0: restless = random.double(in: 0...8)
      case 1: radius = random.double(in: 2...40)
      case 2: (east, north) = (random.double(in: -800...800), random.double(in: -800...800))
      case 3: inputs.append(.command(random.next() % 2 == 0 ? .deactivate : .activate, at: time))
      case 4: inputs.append(.command(.activate, at: time))
      case 5: inputs.append(.command(.replaceZones(sets[Int(random.next() % 2)]), at: time))
      default: restless *= 0.97
      }
      east += random.normal() * restless
      north += random.normal() * restless
      let place = AlarmStory.place(east: east + random.normal() * 2, north: north + random.normal() * 2)
      inputs.append(
        .fix(
          Fix(
            position: place, accuracy: .radius(.metres(radius * random.double(in: 0.7...1.4))),
            measuredAt: time + .milliseconds(1), receivedAt: time + .seconds(1))))
    }
    return inputs
  }

  private static func ordered(_ journey: RandomJourney) -> [Input] {
    journey.inputs.stablySorted { $0.precedes($1) }
  }

  @Test func `a phone far from all zones is not measured, and rings when it comes to one`() {
    let place = Coordinate(latitude: .degrees(46), longitude: .degrees(14.5))
    let zone = Zone.valid(
      id: ZoneID(rawValue: 1), name: "home", size: .metres(100), outline: .locations([place]))
    let zones = WatchedZones([zone])
    var alarms = DeviceAlarms(device: DeviceID(rawValue: 7), settings: .init(), zones: zones, armed: true)
    var log = DecisionLog()
    for step in 0...400 {
      let north = Geodesic.destination(
        from: place, azimuth: .degrees(0), distance: .metres(Double(400 - step) * 20))
      let time = AlarmStory.start + .seconds(Double(step))
      alarms.apply(.fix(Fix(position: north, accuracy: .radius(.metres(5)), measuredAt: time)), &log)
      if step < 300 { #expect(alarms.distances.isEmpty && alarms.signalWatch == nil, "step \(step)") }
    }
    #expect(log.events.count == 1)
    guard case .alarm(let report) = log.events.first?.kind else {
      Issue.record("no alarm")
      return
    }
    #expect(report.zone == zone.id && report.cause == .inside)
    #expect(log.events.first?.time == AlarmStory.start + .seconds(395))
  }
}
