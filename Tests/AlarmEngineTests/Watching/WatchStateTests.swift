import Geometry
import TestSupport
import Testing

@testable import AlarmEngine

@Suite("Watch state")
struct WatchStateTests {
  static let now = Instant(millisecondsSince1970: 1_790_000_000_000)
  static let promise = Guarantee.bestEffort(.onlyWhileVisible)

  /// The facts about the device; with these defaults a zone is watched.
  struct Facts {
    var armed = true
    var ringing = 0
    var zones = ZonesOnDuty.watched(2)
    /// Seconds since the last position; nil if there was none.
    var age: Double? = 1
    var accuracy: Double = 5
    var positioning = Circumstances.Positioning.granted
    var isVisible = true
    /// Seconds since the page came back into view after more than a brief absence.
    var returned: Double?
    /// Seconds between measurement and receipt of the position.
    var delay = 0.0
    /// Seconds by which the clock was ahead before.
    var behind = 0.0
    var phones = 0

    var state: WatchState {
      var circumstances = Circumstances()
      circumstances.positioning = positioning
      circumstances.isVisible = isVisible
      circumstances.returnedAt = returned.map { now - .seconds($0) }
      circumstances.phonesRinging = phones
      return WatchState(
        armed: armed, ringing: ringing, zones: zones, position: position, latest: now + .seconds(behind),
        circumstances: circumstances, at: now
      ) { promise }
    }
    var position: Fix? {
      age.map {
        Fix(
          position: Coordinate(latitude: .degrees(52), longitude: .degrees(13)),
          accuracy: .radius(.metres(accuracy)), measuredAt: now - .seconds($0),
          receivedAt: now - .seconds($0 - delay))
      }
    }
  }

  struct Row: CustomTestStringConvertible, Sendable {
    let when: String
    let change: @Sendable (inout Facts) -> Void
    let state: WatchState
    var testDescription: String { when }

    init(_ when: String, _ state: WatchState, _ change: @escaping @Sendable (inout Facts) -> Void) {
      self.when = when
      self.state = state
      self.change = change
    }
  }

  private static func cannot(_ obstacle: WatchState.Obstacle) -> WatchState { .cannotWatch(obstacle) }

  static let table: [Row] = [
    Row("all is well", .watching(promise)) { _ in },
    Row("switched off", .off) { $0.armed = false },
    Row("switched off without any zone", .off) { ($0.armed, $0.zones) = (false, .none) },
    Row("no zones", cannot(.noZones)) { $0.zones = .none },
    Row("zones without an area", cannot(.noArea)) { $0.zones = .withoutArea },
    Row("all zones off", cannot(.zonesOff)) { $0.zones = .off },
    Row("all outside their hours", cannot(.zonesAsleep(until: now + .hours(2)))) {
      $0.zones = .asleep(until: now + .hours(2))
    },
    Row("position denied", cannot(.notAuthorized)) { $0.positioning = .denied },
    Row("position denied, none yet", cannot(.notAuthorized)) { ($0.positioning, $0.age) = (.denied, nil) },
    Row("out of view", cannot(.hidden)) { $0.isVisible = false },
    Row("no position yet", cannot(.noPosition(isAvailable: true))) {
      ($0.positioning, $0.age) = (.asking, nil)
    },
    Row("no position to be had", cannot(.noPosition(isAvailable: false))) {
      ($0.positioning, $0.age) = (.unavailable, nil)
    },
    Row("no position just now, a fresh one before", .watching(promise)) { $0.positioning = .unavailable },
    Row("a position almost too old", .watching(promise)) { $0.age = 119.9 },
    Row("a position too old", cannot(.positionTooOld(age: .seconds(120)))) { $0.age = 120 },
    Row("a coarse position", .watching(promise)) { $0.accuracy = 1000 },
    Row("a position too coarse", cannot(.positionTooCoarse(accuracy: .metres(1500)))) {
      $0.accuracy = 1500
    },
    Row("back in view, no position since", cannot(.awaitingPosition)) {
      ($0.age, $0.returned) = (30, 2)
    },
    Row("back in view, with a position since", .watching(promise)) { ($0.age, $0.returned) = (1, 2) },
    Row("back in view, with a position that was measured just before", .watching(promise)) {
      ($0.age, $0.delay, $0.returned) = (3, 2, 2)
    },
    Row("the clock was ahead by more than clocks drift", cannot(.clockSetBack)) { $0.behind = 6 },
    Row("the clock was ahead by a little", .watching(promise)) { $0.behind = 4 },
    Row("a position from hours ahead", cannot(.clockSetBack)) { $0.age = -7200 },
    Row("an alarm rings", .ringing(own: 1, phones: 0, obstacle: nil)) { $0.ringing = 1 },
    Row("an alarm rings, the position is gone", .ringing(own: 2, phones: 0, obstacle: .notAuthorized)) {
      ($0.ringing, $0.positioning) = (2, .denied)
    },
    Row("a phone's alarm rings, alarms here are off", .ringing(own: 0, phones: 1, obstacle: nil)) {
      ($0.armed, $0.phones) = (false, 1)
    },
    Row("what a person mends first: zones, then the permission", cannot(.zonesOff)) {
      ($0.zones, $0.positioning, $0.age) = (.off, .denied, nil)
    },
  ]

  @Test(arguments: table) func `one answer for every case`(row: Row) {
    var facts = Facts()
    row.change(&facts)
    #expect(facts.state == row.state)
  }

  @Test func `a position is asked for before the last one is too old, and again while there is none`() {
    var circumstances = Circumstances()
    let fix = Facts().position
    func next() -> Instant? { circumstances.nextRequest(position: fix, latest: nil, at: Self.now) }
    #expect(next() == Self.now + .seconds(59))
    #expect(circumstances.nextRequest(position: nil, latest: nil, at: Self.now) == Self.now)
    func next(_ end: Double) -> Instant? {
      circumstances.nextRequest(
        position: fix, latest: nil, stay: Self.now + .seconds(end), at: Self.now)
    }
    #expect(next(20) == Self.now + .seconds(20), "the end of a stay")
    #expect(next(90) == Self.now + .seconds(59))
    circumstances.positioning = .denied
    #expect(next() == nil, "asking is of no use")
    circumstances.positioning = .granted
    circumstances.isVisible = false
    #expect(next() == nil, "a page out of view gets none")
  }

  @Test func `the limits agree with when a signal is lost`() {
    #expect(Circumstances.oldAfter == Settings().signalTimeout)
    #expect(Circumstances.askAfter + Circumstances.askAgain <= Circumstances.oldAfter)
  }
}

@Suite("Zones on duty")
struct ZonesOnDutyTests {
  static let now = Instant(millisecondsSince1970: 1_790_000_000_000)

  private func duty(_ zones: [Zone], armed: Bool = true) -> ZonesOnDuty {
    Timeline(device: DeviceID(rawValue: 1), settings: Settings(), zones: zones, armed: armed)
      .surroundings(at: Self.now).zonesOnDuty
  }
  private func zone(_ id: UInt64, active: Bool = true, hours: [Schedule.Window]? = nil) -> Zone {
    var zone = Zone.valid(
      id: ZoneID(rawValue: id), name: "Z", category: "", size: .metres(100), alertDistance: .zero,
      outline: .locations([Coordinate(latitude: .degrees(52), longitude: .degrees(13))]))
    zone.change { $0.active = active }
    zone.change { $0.schedule = hours.map { Schedule(windows: $0, timeZone: "UTC", offsets: []) } }
    return zone
  }

  @Test func `none, without an area, off, asleep or watched`() {
    #expect(duty([]) == .none)
    var empty = zone(1)
    empty.change { $0.outline = .locations(.init(repeating: AlarmStory.place(east: 0), count: 3)) }
    #expect(duty([empty]) == .withoutArea)
    #expect(duty([zone(1, active: false), zone(2, active: false)]) == .off)
    #expect(duty([zone(1, active: false), zone(2)]) == .watched(1))
    #expect(duty([zone(1)], armed: false).watched == 0)
  }

  @Test func `asleep until the first of them opens`() {
    func opening(_ hour: Int) -> [Schedule.Window] {
      [Schedule.Window(weekdays: .everyDay, opens: hour * 60, closes: hour * 60 + 30)]
    }
    let day = Self.now - .milliseconds(Self.now.millisecondsSince1970 % 86_400_000)
    let hour = Int((Self.now - day).seconds / 3600)
    let zones = [zone(1, hours: opening((hour + 5) % 24)), zone(2, hours: opening((hour + 2) % 24))]
    #expect(duty(zones) == .asleep(until: day + .hours(Double(hour + 2))))
    #expect(duty(zones + [zone(3)]) == .watched(1))
    #expect(duty([zone(1, hours: [])]) == .asleep(until: nil), "it never opens")
  }

  /// Compares with a plain loop over all zones while they are edited, switched on and off, closed for today,
  /// opened and closed.
  @Test(arguments: 0..<40) func `what is counted beforehand is what one finds zone by zone`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func any(_ count: UInt64) -> Int { Int(random.next() % count) }
    let hours = (0..<3).map { _ in
      [Schedule.Window(weekdays: .everyDay, opens: any(1440), closes: any(1440))]
    }
    func draw(_ id: Int) -> Zone {
      zone(UInt64(id + 1), active: any(4) > 0, hours: any(5) == 0 ? nil : any(6) == 0 ? [] : hours[any(3)])
    }
    var zones = WatchedZones((0..<any(6)).map { draw($0) })
    for _ in 0..<30 {
      let gone = any(3) == 0 ? zones.zones.map { $0.id }.filter { _ in any(3) == 0 } : []
      zones = WatchedZones(editing: zones, putting: (0..<any(3)).map { _ in draw(any(8)) }, removing: gone)
      let now = Self.now + .seconds(Double(any(172_800)))
      var alarms = SlotTable<ZoneAlarm>()
      for slot in 0..<zones.zones.count where any(3) == 0 {
        var alarm = ZoneAlarm()
        alarm.memory.quietUntil = now + .seconds(random.double(in: -3600...86_400))
        alarms[ZoneSlot(slot)] = alarm
      }
      let around = Surroundings(
        zones: zones, alarms: alarms, armed: any(8) > 0, now: now, suspectIsNearZone: false)
      let active = around.slots.filter { zones[$0].active }
      let ends = active.compactMap { slot in
        alarms[slot]?.memory.quietUntil.flatMap { now < $0 ? $0 : nil }
          ?? zones[slot].schedule?.nextOpening(after: now)
      }
      let watched = around.slots.count { around.silence(of: $0) == nil }
      let expected: ZonesOnDuty =
        around.slots.isEmpty
        ? .none
        : watched > 0 || !around.armed
          ? .watched(watched) : active.isEmpty ? .off : .asleep(until: ends.min())
      #expect(around.zonesOnDuty == expected)
      let place = AlarmStory.place(east: random.double(in: -1000...1000))
      let open = around.slots.filter { around.isWatched($0) }
      let near = open.map { around.nearby($0, from: place) }.sorted {
        ($0.toAlert, $0.zone) < ($1.toAlert, $1.zone)
      }
      #expect(around.nearest(3, to: place) == Array(near.prefix(3)))
      #expect(
        around.nearestEdges(3, to: place).map { $0.toEdge }
          == Array(near.map { $0.toEdge }.sorted().prefix(3)))
      #expect(around.hasWatchedZones == around.slots.contains { around.isWatched($0) })
      #expect(around.hasZonesToCome == around.slots.contains { around.isWatchedSometime($0) })
    }
  }
}
