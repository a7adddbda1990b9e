import AlarmEngine
import Store
import TestSupport
import Testing

@testable import AlarmService

@Suite("Zone sets in memory")
struct ZoneSetsTests {
  private static func stored(_ zones: [Zone]) -> [StoredZone] {
    zones.map {
      StoredZone(
        draft: $0.draft, account: AccountID(rawValue: 1), collection: nil, revision: .first,
        savedAt: AlarmStory.start, fault: nil)
    }
  }

  @Test func `a set is made of an edit only when as many zones are left as there should be`() {
    let zones = (1...3 as ClosedRange<UInt64>).map {
      AlarmStory.circle("zone", radius: 50, east: 100 * Double($0), id: $0)
    }
    let moved = AlarmStory.circle("zone", radius: 50, east: 900, id: 2)
    func edited(_ count: Int) -> WatchedZones? {
      ZoneSets.edited(
        WatchedZones(zones),
        by: ZoneSetEdit(
          revision: Revision(rawValue: 2), zones: Self.stored([moved]), removed: [ZoneID(rawValue: 3)],
          count: count), at: AlarmStory.start)
    }
    #expect(edited(2)?.zones == WatchedZones([zones[0], moved]).zones)
    #expect(edited(3) == nil && edited(1) == nil)
  }

  @Test func `after ten minutes, and where the clock was set back, all zones are read again`() {
    var sets = ZoneSets()
    let (account, radius) = (AccountID(rawValue: 1), Settings().defaultRadius)
    sets.put(WatchedZones([]), .first, account)
    let now = AlarmStory.start
    #expect(sets.editable(account, radius, at: now) == nil)
    sets.noteRead(account, radius, at: now)
    #expect(sets.editable(account, radius, at: now + .seconds(599))?.revision == .first)
    #expect(sets.editable(account, radius, at: now + .seconds(600)) == nil)
    #expect(sets.editable(account, radius, at: now - .seconds(1)) == nil)
  }

  @Test(arguments: [false, true])
  func `schedules follow the rules of their named time zones, whatever offsets are stored`(isEdit: Bool)
    throws
  {
    let old = [Schedule.Offset(from: Instant(millisecondsSince1970: 0), seconds: 60)]
    var number: UInt64 = 0
    func scheduled(_ name: Text, _ offsets: [Schedule.Offset]) -> Zone {
      number += 1
      var zone = AlarmStory.circle("zone", radius: 50, east: 100, id: number)
      zone.change {
        $0.schedule = Schedule(
          windows: [.init(weekdays: .everyDay, opens: 135, closes: 165)], timeZone: name, offsets: offsets)
      }
      return zone
    }
    let zones = [
      scheduled("Europe/Stockholm", []), scheduled("Europe/Stockholm", old), scheduled("", old),
      scheduled("Mars/Olympus", old),
    ]
    let lost = scheduled("Mars/Olympus", [])
    let stored = Self.stored(zones + [lost])
    func ready(at year: Double) throws -> WatchedZones {
      let now = Instant(millisecondsSince1970: Int64((year - 1970) * 31_556_952_000))
      let set = ZoneSet(revision: .first, zones: stored)
      if isEdit {
        let edit = ZoneSetEdit(revision: .first, zones: Self.stored(zones), removed: [], count: zones.count)
        return try #require(ZoneSets.edited(WatchedZones([]), by: edit, at: now))
      }
      return ZoneSets.ready(set, Settings().defaultRadius, nil, at: now)
    }
    let present = try ready(at: 2026.9)
    func offsets(_ watched: WatchedZones) -> [[Schedule.Offset]?] {
      zones.map { watched.zone($0.id)?.schedule?.offsets }
    }
    #expect(offsets(present).map { $0?.count } == [101, 101, 1, 1])
    #expect(present.refused.map(\.zone) == (isEdit ? [] : [lost.id]))
    #expect(try ready(at: 2027.1).revision == present.revision)
    // 02:20 in Stockholm in the winter and the summer of 2071, long after the end of the offsets filled in in
    // 2026.
    let schedule = try #require(try ready(at: 2051.5).zone(zones[0].id)?.schedule)
    for open in [3_188_510_400_000, 3_204_145_200_000] as [Int64] {
      let time = Instant(millisecondsSince1970: open)
      #expect(schedule.isOpen(at: time) && !schedule.isOpen(at: time + .minutes(60)))
    }
  }
}
