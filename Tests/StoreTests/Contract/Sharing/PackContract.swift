import AlarmEngine
import TestSupport
import Testing

@testable import Store

@Suite("Contract: signed packs")
struct PackContract {
  typealias S = StoreSamples

  /// A pack with two zones, and its publication.
  private static func run(
    _ form: StoreForm,
    _ body: (SQLStore, _ owner: AccountID, _ collection: CollectionID) async throws -> Void
  ) async throws {
    try await form.withStore { store in
      let site = try await store.makeAccount("site").id
      let collection = ZoneCollection(owner: site, name: "Blasting", about: "Keep out", createdAt: S.time())
      try await store.create(collection)
      for id: UInt64 in [1, 2] {
        try await store.save(S.zone(id), of: site, in: collection.id, over: nil, at: S.time())
      }
      try await store.publish(collection.id, of: site, at: "address", now: S.time(1))
      try await body(store, site, collection.id)
    }
  }

  /// The published form of a zone in these tests.
  private static let name: @Sendable (StoredZone) -> [UInt8]? = { $0.zone?.name.utf8 }

  private static func state(_ store: SQLStore) async throws -> [String] {
    let (pack, zones) = try await store.packedZones(at: "address")
    return zones.map { zone in
      let text = zone.pad.map { String(decoding: $0, as: UTF8.self) } ?? "gone"
      return "\(zone.id.rawValue) \(text)\(zone.version == pack.version ? " new" : "")"
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a key is made once, and goes with its account`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna").id
      let ben = try await store.makeAccount("ben").id
      #expect(try await store.packKey(of: anna, orElse: [1, 2], at: S.time()).secret == [1, 2])
      #expect(try await store.packKey(of: anna, orElse: [3, 4], at: S.time()).secret == [1, 2])
      #expect(try await store.packKey(of: ben, orElse: [3, 4], at: S.time()).secret == [3, 4])
      while try await !store.erase(anna, limit: 100) {}
      await #expect(throws: StoreError.notFound) {
        try await store.packKey(of: anna, orElse: [5], at: S.time())
      }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a key is changed once by whoever knows the present one, and all packs are signed anew`(
    form: StoreForm
  ) async throws {
    try await Self.run(form) { store, site, collection in
      await #expect(throws: StoreError.notFound) { try await store.packKey(of: site) }
      let next = StoredPackKey(secret: [3], changes: [[7, 8]])
      #expect(try await !store.changePackKey(of: site, from: [1], to: next, at: S.time()))
      _ = try await store.packKey(of: site, orElse: [1], at: S.time())
      let ben = try await store.makeAccount("ben").id
      _ = try await store.packKey(of: ben, orElse: [1], at: S.time())
      try await store.renewPack(at: "address", now: S.time(2), pad: Self.name)
      #expect(try await !store.pack(at: "address").isStale)

      #expect(try await store.changePackKey(of: site, from: [1], to: next, at: S.time(3)))
      #expect(try await store.packKey(of: site) == next)
      #expect(try await store.packKey(of: site, orElse: [9], at: S.time(3)) == next)
      #expect(try await store.pack(of: collection, owner: site).isStale, "it is to be signed anew")
      #expect(
        try await !store.changePackKey(of: site, from: [1], to: StoredPackKey(secret: [5]), at: S.time(4)))
      #expect(try await store.packKey(of: site) == next)
      #expect(try await store.packKey(of: ben) == StoredPackKey(secret: [1]), "nobody else's is touched")

      let third = StoredPackKey(secret: [4], changes: [[7, 8], [9]])
      #expect(try await store.changePackKey(of: site, from: [3], to: third, at: S.time(5)))
      #expect(try await store.packKey(of: site) == third)
      let made = try await store.renewPack(at: "address", now: S.time(6), pad: Self.name)
      #expect(!made.isStale)
      while try await !store.erase(site, limit: 100) {}
      await #expect(throws: StoreError.notFound) { try await store.packKey(of: site) }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `each change gives the zones that changed the pack's new version`(form: StoreForm) async throws {
    try await Self.run(form) { store, site, collection in
      #expect(try await store.pack(at: "address").isStale, "nobody has asked for it yet")
      let first = try await store.renewPack(at: "address", now: S.time(2), pad: Self.name)
      #expect(!first.isStale && first.zoneCount == 2 && first.publisher == "Name of site")
      #expect(try await Self.state(store) == ["1 Cliff new", "2 Cliff new"])

      try await store.save(S.zone(2, "Moved"), of: site, in: collection, over: .first, at: S.time(3))
      try await store.save(S.zone(3, "Crane"), of: site, in: collection, over: nil, at: S.time(3))
      #expect(try await store.pack(at: "address").isStale)
      let second = try await store.renewPack(at: "address", now: S.time(4), pad: Self.name)
      #expect(second.version > first.version && second.zoneCount == 3)
      #expect(try await Self.state(store) == ["1 Cliff", "2 Moved new", "3 Crane new"])

      try await store.deleteZone(ZoneID(rawValue: 1), of: site, over: nil, at: S.time(5))
      let third = try await store.renewPack(at: "address", now: S.time(6), pad: Self.name)
      #expect(try await Self.state(store) == ["1 gone new", "2 Moved", "3 Crane"])
      #expect(third.zoneCount == 2)

      // One zone comes back under its id, and another leaves the collection.
      try await store.save(S.zone(1, "Back"), of: site, in: collection, over: nil, at: S.time(7))
      try await store.save(
        S.zone(3, "Crane"), of: site, in: nil, over: .first, at: S.time(7))
      try await store.renewPack(at: "address", now: S.time(8), pad: Self.name)
      #expect(try await Self.state(store) == ["1 Back new", "2 Moved", "3 gone new"])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `made anew with the same zones, the version stays and the time goes on`(form: StoreForm) async throws {
    try await Self.run(form) { store, site, _ in
      let first = try await store.renewPack(at: "address", now: S.time(2), pad: Self.name)
      let again = try await store.renewPack(at: "address", now: S.time(50), pad: Self.name)
      #expect(again.version == first.version && again.madeAt == S.time(50))
      // The clock was set back by an hour.
      let back = try await store.renewPack(at: "address", now: S.time(-3600), pad: Self.name)
      #expect(back.version == first.version && back.madeAt > again.madeAt)
      try await store.save(S.zone(9), of: site, in: nil, over: nil, at: S.time(60))
      #expect(try await store.pack(at: "address").isStale, "it may be in the collection")
      let same = try await store.renewPack(at: "address", now: S.time(61), pad: Self.name)
      #expect(same.version == first.version && !same.isStale)
      let none = try await store.renewPack(at: "address", now: S.time(-7200)) { _ in nil }
      #expect(none.version > first.version && none.zoneCount == 0, "versions go up, whatever the clock does")
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `new words of the collection make it stale`(form: StoreForm) async throws {
    try await Self.run(form) { store, site, id in
      try await store.renewPack(at: "address", now: S.time(2), pad: Self.name)
      var collection = try await store.collection(id, seenBy: site).collection
      collection.name = "Blasting and cranes"
      try await store.save(collection, over: .first, at: S.time(3))
      let pack = try await store.pack(at: "address")
      #expect(pack.isStale && pack.collection.name == "Blasting and cranes")
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `it is its owner's to give out and to end`(form: StoreForm) async throws {
    try await Self.run(form) { store, site, collection in
      let eve = try await store.makeAccount("eve").id
      await #expect(throws: StoreError.notFound) {
        try await store.publish(collection, of: eve, at: "other", now: S.time())
      }
      await #expect(throws: StoreError.notFound) { try await store.pack(of: collection, owner: eve) }
      await #expect(throws: StoreError.notFound) { try await store.endPack(of: collection, owner: eve) }
      await #expect(throws: StoreError.notFound) { try await store.pack(at: "addres") }
      let twice = try await store.publish(collection, of: site, at: "other", now: S.time(9))
      #expect(twice.address == "address", "whoever follows it goes on following")
      let more = ZoneCollection(owner: site, name: "Cranes", createdAt: S.time())
      try await store.create(more)
      await #expect(throws: StoreError.taken) {
        try await store.publish(more.id, of: site, at: "address", now: S.time())
      }
      try await store.renewPack(at: "address", now: S.time(2), pad: Self.name)
      try await store.endPack(of: collection, owner: site)
      await #expect(throws: StoreError.notFound) { try await store.pack(at: "address") }
      await #expect(throws: StoreError.notFound) { try await store.packedZones(at: "address") }
      await #expect(throws: StoreError.notFound) { try await store.endPack(of: collection, owner: site) }
      try await store.publish(collection, of: site, at: "new", now: S.time(10))
      #expect(try await store.pack(of: collection, owner: site).zoneCount == 0)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `it ends with its collection, and with its account`(form: StoreForm) async throws {
    try await Self.run(form) { store, site, collection in
      try await store.renewPack(at: "address", now: S.time(2), pad: Self.name)
      let more = ZoneCollection(owner: site, name: "Cranes", createdAt: S.time())
      try await store.create(more)
      try await store.publish(more.id, of: site, at: "more", now: S.time())
      try await store.deleteCollection(collection, of: site, at: S.time(3))
      await #expect(throws: StoreError.notFound) { try await store.pack(at: "address") }
      while try await !store.erase(site, limit: 100) {}
      await #expect(throws: StoreError.notFound) { try await store.pack(at: "more") }
    }
  }
}
