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
          count: count))
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
}
