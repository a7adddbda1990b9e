import AlarmEngine
import Testing

@testable import Store

@Suite("Contract: members of collections")
struct MembershipContract {
  typealias S = StoreSamples

  @Test(arguments: StoreForm.allCases)
  func `a login without an account is listed as one with an account, until the person follows`(
    form: StoreForm
  ) async throws {
    try await form.withStore { store in
      let site = try await store.makeAccount("site")
      let anna = try await store.makeAccount("Anna")
      let quarry = ZoneCollection(owner: site.id, name: "Quarry", createdAt: S.time())
      try await store.create(quarry)
      try await store.save(S.zone(1), of: site.id, in: quarry.id, over: nil, at: S.time())
      func members() async throws -> [Membership] {
        try await store.members(of: quarry.id, owner: site.id)
      }
      for login in ["ANNA", "ben", "BEN", "anna"] {
        try await store.addMember(login, to: quarry.id, of: site.id, at: S.time(1))
      }
      let listed = try await members()
      #expect(listed.map(\.login) == ["ANNA", "ben"])
      #expect(
        listed.allSatisfy { $0.name.isEmpty && $0.account == nil && $0.isDirect && $0.since == S.time(1) })
      // The account is made later.
      let ben = try await store.makeAccount("Ben")
      #expect(try await members() == listed)
      let carl = try await store.makeAccount("carl")
      for person in [anna, ben] {
        #expect(try await store.collection(quarry.id, seenBy: person.id).zoneCount == 1)
        #expect(try await store.follow(quarry.id, by: person.id, at: S.time(2)) == site.id)
        #expect(try await store.follow(quarry.id, by: person.id, at: S.time(3)) == nil)
        #expect(try await store.zoneSet(of: person.id).zones.count == 1)
      }
      await #expect(throws: StoreError.notFound) {
        try await store.follow(quarry.id, by: carl.id, at: S.time(2))
      }
      let known = try await members()
      #expect(known.map(\.login) == ["Anna", "Ben"] && known.map(\.name) == [anna.name, ben.name])
      #expect(known.map(\.id) == listed.map(\.id) && known.map(\.account) == [anna.id, ben.id])
      // Once more in another spelling.
      try await store.addMember("aNNa", to: quarry.id, of: site.id, at: S.time(4))
      #expect(try await members() == known)
      #expect(
        try await store.removeMember(known[0].id, from: quarry.id, of: site.id, at: S.time(5)) == anna.id)
      #expect(try await store.zoneSet(of: anna.id).zones.isEmpty)
      await #expect(throws: StoreError.notFound) {
        try await store.removeMember(known[0].id, from: quarry.id, of: site.id, at: S.time(5))
      }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `what is taken back before anybody follows gives no right`(form: StoreForm) async throws {
    try await form.withStore { store in
      let site = try await store.makeAccount("site")
      let anna = try await store.makeAccount("anna")
      var quarry = ZoneCollection(owner: site.id, name: "Quarry", isPublic: true, createdAt: S.time())
      try await store.create(quarry)
      try await store.save(S.zone(1), of: site.id, in: quarry.id, over: nil, at: S.time())
      try await store.follow(quarry.id, by: anna.id, at: S.time(1))
      quarry.isPublic = false
      quarry = try await store.save(quarry, over: .first, at: S.time(2))
      #expect(try await store.zoneSet(of: anna.id).zones.isEmpty)
      for login in ["anna", "nobody"] {
        try await store.addMember(login, to: quarry.id, of: site.id, at: S.time(3))
      }
      // Accounts that followed it while it was public see its zones again.
      #expect(try await store.zoneSet(of: anna.id).zones.count == 1)
      let listed = try await store.members(of: quarry.id, owner: site.id)
      #expect(listed.map(\.account) == [nil, nil])
      #expect(
        try await store.removeMember(listed[0].id, from: quarry.id, of: site.id, at: S.time(4)) == anna.id)
      #expect(try await store.removeMember(listed[1].id, from: quarry.id, of: site.id, at: S.time(4)) == nil)
      #expect(try await store.zoneSet(of: anna.id).zones.isEmpty)
      #expect(try await store.members(of: quarry.id, owner: site.id).isEmpty)
      await #expect(throws: StoreError.notFound) { try await store.collection(quarry.id, seenBy: anna.id) }
      let nobody = try await store.makeAccount("nobody")
      await #expect(throws: StoreError.notFound) { try await store.collection(quarry.id, seenBy: nobody.id) }
    }
  }
}
