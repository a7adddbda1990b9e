import AlarmEngine
import TestSupport
import Testing

@testable import Store

@Suite("Contract: zones and collections")
struct ZoneContract {
  typealias S = StoreSamples

  @Test(arguments: StoreForm.allCases, Seeds.few(4))
  func `every zone reads back equal`(form: StoreForm, seed: Int) async throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var zones = (0..<25).map { _ in ZoneSamples.zone(&generator) }
    zones[0].change { $0.name = Text(utf8: [0xff, 0x00, 0x2c, 0x0a]) }
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      for zone in zones.prefix(5) {
        try await store.save(zone, of: anna.id, in: nil, over: nil, at: S.time())
      }
      try await store.replace(zones, of: anna.id, in: nil, at: S.time(1))
      let sorted = zones.sorted { $0.id < $1.id }
      let set = try await store.zoneSet(of: anna.id)
      #expect(set.zones.map(\.draft) == sorted.map(\.draft), "seed \(seed)")
      var read: [Zone] = []
      while true {
        let page = try await store.zones(of: anna.id, after: read.last?.id, limit: 10)
        if page.isEmpty { break }
        read += page.compactMap(\.zone)
      }
      #expect(read == sorted, "seed \(seed)")
      #expect(try await store.zoneCount(of: anna.id) == 25)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a zone is new, saved over a revision, deleted, and new again`(form: StoreForm) async throws {
    try await form.withStore { store in
      let (anna, bob) = (try await store.makeAccount("anna"), try await store.makeAccount("bob"))
      let new = try await store.save(S.zone(1), of: anna.id, in: nil, over: nil, at: S.time())
      #expect(new.revision == .first)
      await #expect(throws: StoreError.taken) {
        try await store.save(S.zone(1), of: anna.id, in: nil, over: nil, at: S.time())
      }
      // The same file imported by another account has the same ids.
      try await store.save(S.zone(1, "Bob's"), of: bob.id, in: nil, over: nil, at: S.time())
      let second = try await store.save(
        S.zone(1, "Edge"), of: anna.id, in: nil, over: .first, at: S.time(1))
      #expect(try await store.zone(second.id, of: anna.id) == second)
      await #expect(throws: StoreError.stale(stored: second.revision)) {
        try await store.deleteZone(second.id, of: anna.id, over: .first, at: S.time(2))
      }
      try await store.deleteZone(second.id, of: anna.id, over: second.revision, at: S.time(2))
      await #expect(throws: StoreError.notFound) { try await store.zone(second.id, of: anna.id) }
      await #expect(throws: StoreError.notFound) {
        try await store.save(S.zone(1), of: anna.id, in: nil, over: second.revision, at: S.time(3))
      }
      let again = try await store.save(S.zone(1), of: anna.id, in: nil, over: nil, at: S.time(3))
      #expect(again.revision > second.revision)
      #expect(try await store.zone(again.id, of: bob.id).draft.name == "Bob's")
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `edits of two phones and of the server converge field by field`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let zone = S.zone(1)
      try await store.save(zone, of: anna.id, in: nil, over: nil, at: S.time())
      let start = try await store.zoneRecord(zone.id, of: anna.id)
      var walker = HybridClock(node: 1, last: start.record.latest)
      var office = HybridClock(node: 2, last: start.record.latest)
      var (a, b) = (start.record, start.record)
      var renamed = zone
      renamed.change { $0.name = "Renamed" }
      a.edit(to: renamed.fields, at: walker.tick(at: S.time(10)))
      var nearer = zone
      nearer.change { $0.alertDistance = .metres(75) }
      b.edit(to: nearer.fields, at: office.tick(at: S.time(20)))
      var urgent = zone
      urgent.change { $0.priority = 4 }
      try await store.save(urgent, of: anna.id, in: nil, over: .first, at: S.time(30))
      try await store.merge([ZoneRecord(id: zone.id, record: b)], of: anna.id, at: S.time(40))
      let merged = try await store.merge([ZoneRecord(id: zone.id, record: a)], of: anna.id, at: S.time(50))
      let stored = try await store.zone(zone.id, of: anna.id)
      #expect(stored.draft.name == "Renamed")
      #expect(stored.draft.alertDistance == .metres(75))
      #expect(stored.draft.priority == 4)
      a.merge(merged.records[0].record)
      b.merge(try await store.zoneRecord(zone.id, of: anna.id).record)
      #expect(a == b)
      // Sent again, it changes nothing.
      try await store.merge([ZoneRecord(id: zone.id, record: a)], of: anna.id, at: S.time(60))
      #expect(try await store.zone(zone.id, of: anna.id) == stored)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `an edit of a clock that runs ahead leaves everything as it was, a record that is no zone only itself`(
    form: StoreForm
  ) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      func record(_ id: UInt64, at seconds: Double, spoilt: Bool = false) -> ZoneRecord {
        var record = SyncRecord()
        let time = HybridTime(time: S.time(seconds), counter: 0, node: 3)
        record.edit(to: S.zone(id).fields, at: time)
        if spoilt {
          record.set(
            FieldRegister(
              field: ZoneField.priority.rawValue, value: [1],
              editedAt: HybridTime(
                time: time.time, counter: 1, node: 3)))
        }
        return ZoneRecord(id: ZoneID(rawValue: id), record: record)
      }
      await #expect(throws: StoreError.clockAhead(given: S.time(1000), allowed: S.time(600))) {
        try await store.merge([record(1, at: 0), record(2, at: 1000)], of: anna.id, at: S.time())
      }
      #expect(try await store.zoneCount(of: anna.id) == 0)
      let merged = try await store.merge(
        [record(2, at: 0, spoilt: true), record(1, at: 0)], of: anna.id, at: S.time())
      #expect(merged.refused == [RefusedRecord(id: 2, reason: .endsEarly(needed: 4, left: 1))])
      #expect(merged.records == [record(1, at: 0)])
      #expect(try await store.zones(of: anna.id, after: nil, limit: 9).map(\.zone) == [S.zone(1)])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `followers see a collection's zones, read-only, as long as they may`(form: StoreForm) async throws {
    try await form.withStore { store in
      let (site, anna, eve) = (
        try await store.makeAccount("site"), try await store.makeAccount("anna"),
        try await store.makeAccount("eve")
      )
      var collection = ZoneCollection(owner: site.id, name: "Blasting", createdAt: S.time())
      try await store.create(collection)
      try await store.save(S.zone(1), of: site.id, in: collection.id, over: nil, at: S.time())
      try await store.save(S.zone(2, "Own"), of: anna.id, in: nil, over: nil, at: S.time())
      await #expect(throws: StoreError.notFound) {
        try await store.follow(collection.id, by: anna.id, at: S.time(1))
      }
      try await store.addMember("anna", to: collection.id, of: site.id, at: S.time(1))
      #expect(try await store.members(of: collection.id, owner: site.id).map(\.login) == ["anna"])
      var revision = try await store.zoneSetRevision(of: anna.id)
      try await store.follow(collection.id, by: anna.id, at: S.time(1))
      var set = try await store.zoneSet(of: anna.id)
      #expect(set.revision > revision)
      #expect(set.zones.map(\.draft.name) == ["Cliff", "Own"])
      let seen = try await store.collection(collection.id, seenBy: anna.id)
      #expect(seen.isFollowed && seen.zoneCount == 1 && seen.ownerName == site.name)
      // Read-only: the account has no zone of its own with this id to save or delete.
      await #expect(throws: StoreError.notFound) {
        try await store.save(S.zone(1), of: anna.id, in: nil, over: .first, at: S.time(2))
      }
      await #expect(throws: StoreError.notFound) {
        try await store.save(S.zone(9), of: anna.id, in: collection.id, over: nil, at: S.time(2))
      }
      // An edit reaches followers.
      revision = set.revision
      try await store.save(S.zone(1, "Moved"), of: site.id, in: collection.id, over: .first, at: S.time(3))
      set = try await store.zoneSet(of: anna.id)
      #expect(set.revision > revision && set.zones.map(\.draft.name) == ["Moved", "Own"])
      #expect(try await store.audience(of: collection.id) == [site.id, anna.id].sorted())
      #expect(try await store.zones(in: collection.id, seenBy: anna.id).count == 1)
      await #expect(throws: StoreError.notFound) {
        try await store.zones(in: collection.id, seenBy: eve.id)
      }
      #expect(try await store.collections(seenBy: eve.id, after: nil, limit: 9).isEmpty)
      // Public, then no longer public, with no member.
      collection.isPublic = true
      collection = try await store.save(collection, over: .first, at: S.time(4))
      try await store.follow(collection.id, by: eve.id, at: S.time(5))
      #expect(try await store.collections(seenBy: eve.id, after: nil, limit: 9).count == 1)
      collection.isPublic = false
      try await store.save(collection, over: collection.revision, at: S.time(6))
      #expect(try await store.zoneSet(of: eve.id).zones.isEmpty)
      let member = try #require(try await store.members(of: collection.id, owner: site.id).first)
      #expect(
        try await store.removeMember(member.id, from: collection.id, of: site.id, at: S.time(7)) == anna.id)
      #expect(try await store.zoneSet(of: anna.id).zones.map(\.draft.name) == ["Own"])
      #expect(try await store.audience(of: collection.id) == [site.id])
      try await store.deleteCollection(collection.id, of: site.id, at: S.time(8))
      #expect(try await store.zone(ZoneID(rawValue: 1), of: site.id).collection == nil)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `an own zone hides a followed one of the same id`(form: StoreForm) async throws {
    try await form.withStore { store in
      let (site, anna) = (try await store.makeAccount("site"), try await store.makeAccount("anna"))
      let collection = ZoneCollection(owner: site.id, name: "All", isPublic: true, createdAt: S.time())
      try await store.create(collection)
      try await store.save(S.zone(1), of: site.id, in: collection.id, over: nil, at: S.time())
      try await store.save(S.zone(1, "Mine"), of: anna.id, in: nil, over: nil, at: S.time())
      try await store.follow(collection.id, by: anna.id, at: S.time())
      #expect(try await store.zoneSet(of: anna.id).zones.map(\.draft.name) == ["Mine"])
      try await store.unfollow(collection.id, by: anna.id, at: S.time())
      await #expect(throws: StoreError.notFound) {
        try await store.unfollow(collection.id, by: anna.id, at: S.time())
      }
    }
  }
}
