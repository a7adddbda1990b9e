import AlarmEngine
import TestSupport
import Testing

@testable import Store

@Suite("Contract: zones of the past")
struct ZoneHistoryContract {
  typealias S = StoreSamples
  private let ever = Instant.allowed.lowerBound

  private func names(_ sets: [ZoneSet]) -> [[String]] { sets.map { $0.zones.map(\.draft.name.string) } }

  @Test(arguments: StoreForm.allCases)
  func `each set that ever watched can be read again`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let first = try await store.save(S.zone(1, "Cliff"), of: anna.id, in: nil, over: nil, at: S.time(10))
      try await store.save(S.zone(1, "Edge"), of: anna.id, in: nil, over: first.revision, at: S.time(20))
      try await store.replace([S.zone(1, "Edge"), S.zone(2, "Quarry")], of: anna.id, in: nil, at: S.time(30))
      try await store.deleteZone(ZoneID(rawValue: 1), of: anna.id, over: nil, at: S.time(40))
      try await store.save(S.zone(1, "New"), of: anna.id, in: nil, over: nil, at: S.time(50))
      let all = try await store.zoneSetHistory(of: anna.id, from: ever, limit: 99)
      #expect(all.map(\.at) == [0, 10, 20, 30, 40, 50].map { S.time($0) })
      let sets = try await store.zoneSets(of: anna.id, at: all.map(\.revision))
      #expect(names(sets) == [[], ["Cliff"], ["Edge"], ["Edge", "Quarry"], ["Quarry"], ["New", "Quarry"]])
      #expect(sets.map(\.revision) == all.map(\.revision))
      #expect(try await store.zoneSet(of: anna.id) == sets.last)
      // The set in force at a time, and later ones.
      let later = try await store.zoneSetHistory(of: anna.id, from: S.time(25), limit: 99)
      #expect(later == Array(all[2...]))
      #expect(try await store.zoneSetHistory(of: anna.id, from: ever, limit: 2) == Array(all[4...]))
      #expect(try await store.zoneSets(of: anna.id, at: [Revision(rawValue: 99)]).isEmpty)
      let bob = try await store.makeAccount("bob")
      #expect(names(try await store.zoneSets(of: bob.id, at: [.first])) == [[]])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `what a follower saw is remembered, whatever became of the collection`(form: StoreForm) async throws {
    try await form.withStore { store in
      let (anna, bob) = (try await store.makeAccount("anna"), try await store.makeAccount("bob"))
      var collection = ZoneCollection(owner: anna.id, name: "all", isPublic: true, createdAt: S.time())
      try await store.create(collection)
      try await store.save(S.zone(1, "Cliff"), of: anna.id, in: collection.id, over: nil, at: S.time(1))
      try await store.save(S.zone(9, "Own"), of: bob.id, in: nil, over: nil, at: S.time(2))
      try await store.follow(collection.id, by: bob.id, at: S.time(3))
      collection.isPublic = false
      collection = try await store.save(collection, over: .first, at: S.time(4))
      try await store.addMember("bob", to: collection.id, of: anna.id, at: S.time(5))
      try await store.save(S.zone(1, "Edge"), of: anna.id, in: collection.id, over: .first, at: S.time(6))
      let member = try #require(try await store.members(of: collection.id, owner: anna.id).first)
      try await store.removeMember(member.id, from: collection.id, of: anna.id, at: S.time(7))
      collection.isPublic = true
      collection = try await store.save(collection, over: collection.revision, at: S.time(8))
      try await store.follow(collection.id, by: bob.id, at: S.time(9))
      try await store.deleteCollection(collection.id, of: anna.id, at: S.time(10))
      let all = try await store.zoneSetHistory(of: bob.id, from: ever, limit: 99)
      let sets = try await store.zoneSets(of: bob.id, at: all.map(\.revision))
      let told = zip(all, names(sets)).map {
        "\(Int(($0.at - S.time()).seconds)) \($1.joined(separator: "+"))"
      }
      #expect(
        told == [
          "0 ", "2 Own", "3 Cliff+Own", "4 Own", "5 Cliff+Own", "6 Edge+Own", "7 Own", "9 Edge+Own", "10 Own",
        ])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `what differs in nothing begins no version, and old ones are forgotten`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      for second in 1...5 {
        let name = Text("Zone \(second / 2)")
        try await store.replace([S.zone(1, name)], of: anna.id, in: nil, at: S.time(Double(second) * 100))
      }
      let rows = Collected<ExportRow>()
      try await store.export(anna.id) { rows.append($0) }
      #expect(rows.all.count { $0.table == "former_zone" } == 2)
      var retention = Retention(account: anna.id)
      retention.fixesBefore = S.time(401)
      while try await store.prune(retention, limit: 1) > 0 {}
      let left = try await store.zoneSetHistory(of: anna.id, from: ever, limit: 99)
      #expect(left.map(\.at) == [S.time(400), S.time(500)])
      #expect(
        names(try await store.zoneSets(of: anna.id, at: left.map(\.revision))) == [["Zone 2"], ["Zone 2"]])
    }
  }

  /// A process that has an earlier set must then read all zones: a zone deleted without a trace would ring
  /// on.
  @Test(arguments: StoreForm.allCases)
  func `what was forgotten or erased is not told as an edit`(form: StoreForm) async throws {
    try await form.withStore { store in
      let (anna, bob) = (try await store.makeAccount("anna"), try await store.makeAccount("bob"))
      let shared = ZoneCollection(owner: anna.id, name: "all", isPublic: true, createdAt: S.time())
      try await store.create(shared)
      try await store.follow(shared.id, by: bob.id, at: S.time())
      try await store.replace(
        [S.zone(1, "Cliff"), S.zone(2, "Edge")], of: anna.id, in: shared.id, at: S.time(1))
      let first = try await store.zoneSetRevision(of: bob.id)
      try await store.deleteZone(ZoneID(rawValue: 1), of: anna.id, over: nil, at: S.time(2))
      let told = try await store.zoneSetEdit(of: bob.id, since: first)
      #expect(told?.removed == [ZoneID(rawValue: 1)] && told?.zones == [] && told?.count == 1)
      #expect(try await store.zoneSetEdit(of: bob.id, since: Revision(rawValue: 99)) == nil)

      // Its deletion is forgotten, and no longer reported.
      var retention = Retention()
      retention.deletionsBefore = S.time(3)
      #expect(try await store.prune(retention, limit: 100) > 0)
      #expect(try await store.zoneSetEdit(of: bob.id, since: first) == nil)
      let second = try await store.zoneSetRevision(of: bob.id)
      #expect(try await store.zoneSetEdit(of: bob.id, since: second) == nil)
      try await store.replace([S.zone(3, "Quarry")], of: anna.id, in: shared.id, at: S.time(4))
      let third = try await store.zoneSetRevision(of: bob.id)
      try await store.replace([S.zone(3, "Pit")], of: anna.id, in: shared.id, at: S.time(5))
      let later = try await store.zoneSetEdit(of: bob.id, since: third)
      #expect(later?.zones.map(\.draft.name.string) == ["Pit"] && later?.count == 2)

      // The same holds for the zones of an erased owner.
      let last = try await store.zoneSetRevision(of: bob.id)
      while try await store.erase(anna.id, limit: 1) == false {
        #expect(try await store.zoneSetEdit(of: bob.id, since: last) == nil)
      }
      #expect(try await store.zoneSetEdit(of: bob.id, since: last) == nil)
      #expect(try await store.zoneSet(of: bob.id).zones == [])
    }
  }

  /// Random edits of two accounts and a collection, compared with sets saved at once.
  @Test(arguments: StoreForm.allCases, Seeds.few(3))
  func `the sets of the past are those that were`(form: StoreForm, seed: Int) async throws {
    var random = SeededGenerator(seed: UInt64(seed) &+ 90)
    try await form.withStore { store in
      let (anna, bob) = (try await store.makeAccount("anna"), try await store.makeAccount("bob"))
      let shared = ZoneCollection(owner: anna.id, name: "all", isPublic: true, createdAt: S.time())
      try await store.create(shared)
      var seen: [AccountID: [ZoneSet]] = [:]
      var (told, unknown) = (0, 0)
      for step in 0..<60 {
        let now = S.time(Double(step))
        let id = ZoneID(rawValue: random.next() % 5)
        let account = random.next() % 2 == 0 ? anna : bob
        switch random.next() % 5 {
        case 0, 1:
          let zone = S.zone(id.rawValue, Text("\(step)"))
          let isShared = account.id == anna.id && random.next() % 2 == 0
          try await store.replace([zone], of: account.id, in: isShared ? shared.id : nil, at: now)
        case 2: try? await store.deleteZone(id, of: account.id, over: nil, at: now)
        case 3: try await store.follow(shared.id, by: bob.id, at: now)
        default: try? await store.unfollow(shared.id, by: bob.id, at: now)
        }
        for owner in [anna.id, bob.id] {
          let set = try await store.zoneSet(of: owner)
          if seen[owner]?.last?.revision != set.revision { seen[owner, default: []].append(set) }
          // From any earlier set, including the current one.
          guard let earlier = seen[owner]?.randomElement(using: &random) else { continue }
          guard let edit = try await store.zoneSetEdit(of: owner, since: earlier.revision) else {
            unknown += 1
            continue
          }
          var zones = Dictionary(uniqueKeysWithValues: earlier.zones.map { ($0.id, $0) })
          for id in edit.removed { zones[id] = nil }
          for zone in edit.zones { zones[zone.id] = zone }
          #expect(edit.revision == set.revision, "seed \(seed), step \(step)")
          #expect(
            zones.values.sorted { $0.id < $1.id }.map(\.zone) == set.zones.map(\.zone),
            "seed \(seed), step \(step)")
          #expect(edit.count == set.zones.count, "seed \(seed), step \(step)")
          told += 1
        }
      }
      #expect(told > 20 && unknown > 0, "seed \(seed): \(told) told, \(unknown) unknown")
      for (owner, sets) in seen {
        let read = try await store.zoneSets(of: owner, at: sets.map(\.revision))
        #expect(read.map { $0.zones.map(\.zone) } == sets.map { $0.zones.map(\.zone) }, "seed \(seed)")
      }
    }
  }
}
