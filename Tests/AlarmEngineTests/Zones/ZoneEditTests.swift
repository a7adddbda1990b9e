import Geometry
import TestSupport
import Testing

@testable import AlarmEngine

/// Sets that share unchanged parts with the previous set, compared with sets built anew.
@Suite("Edits of watched zones")
struct ZoneEditTests {
  private static func zone(_ id: UInt64, _ random: inout SeededGenerator) -> Zone {
    AlarmStory.circle(
      Text("zone \(random.next() % 40)"), radius: random.double(in: 20...400),
      east: random.double(in: -9000...9000),
      id: id
    ) {
      $0.priority = Int32(random.next() % 3)
      $0.alertDistance = .metres(random.next() % 4 == 0 ? random.double(in: 0...300) : 0)
      $0.leadTime = random.next() % 9 == 0 ? .seconds(Double(random.next() % 600)) : nil
      $0.assurance = random.next() % 30 == 0 ? .safety : random.next() % 3 == 0 ? .relaxed : .normal
      $0.active = random.next() % 6 != 0
      if random.next() % 8 == 0 {
        $0.schedule = Schedule(
          windows: [.init(weekdays: .everyDay, opens: Int(random.next() % 3), closes: 1200)], timeZone: "UTC",
          offsets: [])
      }
    }
  }

  private static func expectSame(_ set: WatchedZones, _ anew: WatchedZones, _ said: Comment) {
    #expect(set.zones == anew.zones, said)
    #expect(set.revision == anew.revision, said)
    #expect(set.refused.map { $0.zone } == anew.refused.map { $0.zone }, said)
    #expect(set.farthestAlert == anew.farthestAlert && set.longestLead == anew.longestLead, said)
    #expect(set.widestFactor == anew.widestFactor, said)
    let now = AlarmStory.start
    #expect(set.summary.nextScheduleChange(after: now) == anew.summary.nextScheduleChange(after: now), said)
    for assurance in Assurance.allCases {
      for lead in [false, true] {
        #expect(
          set.summary.hasZones(assurance, withLead: lead) == anew.summary.hasZones(assurance, withLead: lead),
          said)
      }
    }
    for zone in anew.zones {
      let (slot, other) = (set.slot(of: zone.id), anew.slot(of: zone.id))
      #expect(slot == other, said)
      guard let slot, let other else { continue }
      #expect(set[slot] == zone && set.reach(of: slot) == anew.reach(of: other), said)
    }
    for east in [-7000.0, -20, 3000] {
      let place = AlarmStory.place(east: east)
      #expect(set.index.nearest(9, to: place) == anew.index.nearest(9, to: place), said)
      #expect(set.index.within(.metres(900), of: place) == anew.index.within(.metres(900), of: place), said)
      #expect(set.nearest(5, to: place) == anew.nearest(5, to: place), said)
    }
  }

  @Test(arguments: Seeds.few(6)) func `one edit after another gives the set that is built anew`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed) + 9000)
    var zones = Dictionary(
      uniqueKeysWithValues: (1...400 as ClosedRange<UInt64>).map { ($0, Self.zone($0, &random)) })
    let first = WatchedZones(Array(zones.values))
    var (edited, compared) = (first, first)
    let (firstZones, firstRevision) = (Array(first.zones), first.revision)
    for round in 0..<40 {
      var put: [Zone] = []
      var gone: [ZoneID] = []
      for _ in 0...(round % 13 == 12 ? 60 : Int(random.next() % 3)) {
        let id = 1 + random.next() % 410
        guard !put.contains(where: { $0.id.rawValue == id }) else { continue }
        switch random.next() % 4 {
        case 0: gone.append(ZoneID(rawValue: id))
        case 1:
          // Changes only the appearance: the zone watches as before.
          guard var zone = zones[id] else { continue }
          zone.change { $0.soundName = Text("\(round)") }
          put.append(zone)
        default: put.append(Self.zone(id, &random))
        }
      }
      let former = (edited, Array(zones.values))
      for id in gone { zones[id.rawValue] = nil }
      for zone in put { zones[zone.id.rawValue] = zone }
      edited = WatchedZones(editing: edited, putting: put, removing: gone)
      compared = WatchedZones(Array(zones.values), replacing: compared)
      let anew = WatchedZones(Array(zones.values))
      Self.expectSame(edited, anew, "seed \(seed), round \(round)")
      Self.expectSame(compared, anew, "seed \(seed), round \(round)")
      let old = WatchedZones(former.1)
      #expect(edited.changed(from: former.0) == anew.changed(from: old), "seed \(seed), round \(round)")
      #expect(
        compared.changed(from: edited) == [] && former.0.changed(from: edited) == old.changed(from: anew))
    }
    #expect(Array(first.zones) == firstZones && first.revision == firstRevision, "seed \(seed)")
  }

  @Test(arguments: Seeds.few(3)) func `a device hears after edits what it hears of sets built anew`(seed: Int)
  {
    let journey = RandomJourney(seed: UInt64(seed) + 500)
    var random = SeededGenerator(seed: UInt64(seed))
    // Enough distant zones that the edits of the journey's zones are a small share.
    let far = (1000..<1600 as Range<UInt64>).map {
      AlarmStory.circle("far", radius: 50, east: 90_000, id: $0)
    }
    var zones = Dictionary(uniqueKeysWithValues: (journey.zones + far).map { ($0.id, $0) })
    var shared = WatchedZones(Array(zones.values))
    var timeline = Timeline(
      device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings, watched: shared)
    var other = Timeline(device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings, watched: shared)
    var (rung, edits) = (0, 0)
    for (number, fix) in journey.fixes.enumerated() {
      rung += timeline.insert([.fix(fix)]).added.count
      other.insert([.fix(fix)])
      #expect(timeline.events == other.events, "seed \(seed), fix \(number)")
      guard number % 6 == 5 else { continue }
      var zone = journey.zones[Int(random.next() % UInt64(journey.zones.count))]
      zone.change { $0.size = .metres(random.double(in: 30...400)) }
      zones[zone.id] = zone
      shared = WatchedZones(editing: shared, putting: [zone])
      let at = fix.measuredAt + .milliseconds(1)
      timeline.insert([.command(.replaceZones(shared), at: at)])
      other.insert([.command(.replaceZones(WatchedZones(Array(zones.values))), at: at)])
      edits += 1
    }
    #expect(rung > 0 && edits > 10)
    #expect(timeline.snapshot() == other.snapshot())
  }

  @Test func `what is refused stays refused until it is edited`() {
    let many = (1...200 as ClosedRange<UInt64>).map {
      AlarmStory.circle("zone", radius: 50, east: 100 * Double($0), id: $0)
    }
    let twin = AlarmStory.circle("another of the same id", radius: 70, east: 0, id: 7)
    let set = WatchedZones(many + [twin])
    #expect(set.refused.map { $0.zone } == [ZoneID(rawValue: 7)])
    let moved = AlarmStory.circle("zone", radius: 60, east: 100, id: 1)
    let edited = WatchedZones(editing: set, putting: [moved])
    #expect(edited.refused.map { $0.zone } == [ZoneID(rawValue: 7)])
    #expect(edited.zone(moved.id) == moved && edited.zones.count == 200)
    let mended = WatchedZones(editing: edited, putting: [twin])
    #expect(mended.refused.isEmpty && mended.zone(twin.id) == twin && mended.zones.count == 200)
    // Twice in one edit: one of them is reported.
    let twice = WatchedZones(editing: mended, putting: [moved, AlarmStory.circle("other", radius: 9, id: 1)])
    #expect(twice.refused.map { $0.zone } == [moved.id] && twice.zones.count == 200)
    let unreadable = [(zone: ZoneID(rawValue: 999), error: ZoneError.noLocations)]
    let whole = WatchedZones(Array(mended.zones), replacing: mended, unreadable: unreadable)
    #expect(whole.refused.map { $0.zone } == [ZoneID(rawValue: 999)])
    let later = WatchedZones(many, replacing: whole, unreadable: unreadable)
    #expect(later.refused.map { $0.zone } == [ZoneID(rawValue: 999)])
    #expect(later.revision == WatchedZones(many).revision)
  }
}
