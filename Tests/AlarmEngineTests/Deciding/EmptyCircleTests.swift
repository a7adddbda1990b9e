import Geometry
import TestSupport
import Testing

@testable import AlarmEngine

@Suite("What is not measured")
struct EmptyCircleTests {
  /// Who asks for the reasons of a zone has every fix judged, and everything measured that could be looked at.
  @Test(arguments: Seeds.few(8))
  func `what is spared changes no decision`(seed: Int) {
    let journey = RandomJourney(seed: UInt64(seed), fixes: 150)
    var settings = AlarmStory.quietSettings
    settings.unstatedAccuracy = .metres(30)
    let zones = WatchedZones(journey.zones, defaultRadius: settings.defaultRadius)
    // Zones leave more room between them where there are fewer.
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
          whole.emptyCircle = EmptyCircle()
        }
        #expect(other.events == log.events, "seed \(seed), zone \(zone.id)")
        #expect(whole.alarms == sparing.alarms, "seed \(seed), zone \(zone.id)")
        #expect(whole.tracking == sparing.tracking, "seed \(seed)")
        #expect(whole.nextDue == sparing.nextDue, "seed \(seed)")
      }
    }
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
