import Geometry
import TestSupport
import Testing

@testable import AlarmEngine

@Suite("Watched zones")
struct WatchedZonesTests {
  @Test(arguments: Seeds.few(3))
  func `devices that share a set hear what each would hear with its own`(seed: Int) {
    let journey = RandomJourney(seed: UInt64(seed) + 400)
    let shared = WatchedZones(journey.zones)
    for number in 1...3 as ClosedRange<UInt64> {
      let device = DeviceID(rawValue: number)
      var one = Timeline(device: device, settings: AlarmStory.quietSettings, watched: shared)
      var other = Timeline(device: device, settings: AlarmStory.quietSettings, zones: journey.zones)
      one.insert(journey.inputs)
      other.insert(journey.inputs)
      #expect(one.events == other.events, "seed \(seed)")
      #expect(!one.events.isEmpty, "seed \(seed)")
    }
  }

  @Test(arguments: Seeds.few(4))
  func `a set built from the one before is the set built anew`(seed: Int) {
    let journey = RandomJourney(seed: UInt64(seed) + 800)
    var random = SeededGenerator(seed: UInt64(seed))
    var zones = journey.zones
    zones.remove(at: 3)
    zones[0].change { $0.alertDistance = .metres(150) }
    zones[1].change { $0.size = .metres(400) }
    zones[2].change { $0.name = "another name" }
    zones[4].change { $0.outline = .locations([AlarmStory.place(east: random.double(in: -500...500))]) }
    zones.append(AlarmStory.circle("new", radius: 300, east: 300, id: 99))
    let former = WatchedZones(journey.zones)
    let (next, anew) = (WatchedZones(zones, replacing: former), WatchedZones(zones))
    #expect(next.revision == anew.revision && next.zones == anew.zones, "seed \(seed)")
    func changes(_ set: WatchedZones) -> [Timeline.Change] {
      var timeline = Timeline(
        device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings, watched: former)
      let edit = Input.command(.replaceZones(set), at: journey.fixes[40].measuredAt)
      return [timeline.insert(journey.inputs), timeline.insert([edit])]
    }
    #expect(changes(next) == changes(anew), "seed \(seed)")
    #expect(!changes(next)[0].added.isEmpty, "seed \(seed)")
  }

  @Test func `an edit of one zone of many rings at the present position, and nowhere else`() {
    func zone(_ id: UInt64, _ radius: Double) -> Zone {
      AlarmStory.circle("zone", radius: radius, east: 40 * Double(id), id: id)
    }
    let many = (1...500).map { zone($0, 10) }
    let former = WatchedZones(many)
    var timeline = Timeline(
      device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings, watched: former)
    timeline.insert([
      .fix(
        Fix(
          position: AlarmStory.place(east: 40 * 250 + 20), accuracy: .unstated, measuredAt: AlarmStory.start))
    ])
    #expect(timeline.events == [])
    let next = WatchedZones(many.map { $0.id.rawValue == 250 ? zone(250, 30) : $0 }, replacing: former)
    let change = timeline.insert([.command(.replaceZones(next), at: AlarmStory.start + .seconds(5))])
    let rung = change.added.compactMap { event -> ZoneID? in
      if case .alarm(let report) = event.kind { report.zone } else { nil }
    }
    #expect(rung == [ZoneID(rawValue: 250)])
  }

  @Test func `a revision tells apart what watches otherwise, and nothing else`() {
    let zone = AlarmStory.circle {
      $0.messages = [Message(yourMoniker: "a", toMoniker: "b", contactNumber: "1", supplement: "")]
    }
    func revision(_ change: (inout ZoneDraft) -> Void) -> UInt64 {
      var changed = zone.draft
      change(&changed)
      return WatchedZones([.valid(changed)]).revision
    }
    let same = revision { _ in }
    #expect(revision { $0.vibrate.toggle() } == same)
    #expect(revision { $0.soundName = "Bell" } == same)
    #expect(revision { $0.category = "work" } == same)
    var others: [(inout ZoneDraft) -> Void] = [
      { $0.name = "b" }, { $0.active = false }, { $0.leadTime = .zero }, { $0.edges = .lonLat },
      { $0.trigger = .leave() },
      { $0.trigger = .enter(passingCounts: false) }, { $0.trigger = .dwell(.seconds(1)) },
      { $0.assurance = .safety }, { $0.messages = [] }, { $0.messages[0].toMoniker = "c" },
      { $0.notice = Notice(title: "", text: "") },
      { $0.notice = Notice(title: "", text: "", cap: .seconds(1)) },
      { $0.outline = .locations([AlarmStory.place(east: 1)]) },
      { $0.outline = .path([AlarmStory.origin, AlarmStory.place(east: 1)]) },
      { $0.outline = .locations([AlarmStory.origin, AlarmStory.place(east: 1)]) },
      { $0.schedule = Schedule(windows: [], timeZone: "UTC", offsets: []) },
      {
        $0.schedule = Schedule(
          windows: [.init(weekdays: .everyDay, opens: 1, closes: 2)], timeZone: "UTC", offsets: [])
      },
    ]
    for field in RangedField.ofZone { others.append { $0[field] = 7 } }
    let revisions = others.map { revision($0) }
    #expect(Set(revisions + [same]).count == others.count + 1)
    let pair = [zone, AlarmStory.circle("b", id: 2)]
    #expect(WatchedZones(pair).revision == WatchedZones(pair.reversed()).revision)
    #expect(WatchedZones(pair, defaultRadius: .metres(60)).revision != WatchedZones(pair).revision)
  }

  /// The hashes were computed from a list of the bytes by a program of its own (FNV-1a and SplitMix64).
  @Test(
    arguments: [
      (nil, nil, 0x1d3b_325a_217b_1d69), (10, nil, 0xebe6_72d9_8ef4_9b38), (nil, 20, 0xf76f_1c00_5681_276d),
      (10, 20, 0x8dc4_0839_1e08_0ead),
    ] as [(Double?, Double?, UInt64)])
  func `a zone keeps its hash from version to version`(floor: Double?, ceiling: Double?, hash: UInt64) {
    let zone = Zone.valid(
      id: ZoneID(rawValue: 1), name: "Zone", priority: 7, sleepTime: .seconds(30), size: .metres(100),
      inset: .metres(2), alertDistance: .metres(50), floor: floor.map { .metres($0) },
      ceiling: ceiling.map { .metres($0) },
      outline: .locations([Coordinate(latitude: .degrees(47.5), longitude: .degrees(11))]))
    #expect(zone.digest == hash)
  }
}
