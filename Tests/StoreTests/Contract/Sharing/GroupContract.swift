import AlarmEngine
import TestSupport
import Testing

@testable import Store

@Suite("Contract: groups of people")
struct GroupContract {
  typealias S = StoreSamples

  /// A site with a collection of one zone, a group that has the collection, and people.
  private struct Site {
    let store: SQLStore
    let boss: Account
    let anna: Account
    let ben: Account
    let blasting: ZoneCollection
    let crew: PeopleGroup

    init(_ store: SQLStore) async throws {
      self.store = store
      boss = try await store.makeAccount("boss")
      anna = try await store.makeAccount("Anna")
      ben = try await store.makeAccount("ben")
      blasting = ZoneCollection(owner: boss.id, name: "Blasting", createdAt: S.time())
      try await store.create(blasting)
      try await store.save(S.zone(1), of: boss.id, in: blasting.id, over: nil, at: S.time())
      crew = PeopleGroup(owner: boss.id, name: "Crew", createdAt: S.time())
      try await store.create(crew)
      try await store.give(blasting.id, to: crew.id, of: boss.id, at: S.time())
    }

    @discardableResult
    func join(_ account: Account, _ group: PeopleGroup? = nil, at seconds: Double = 10) async throws
      -> GroupMemberID
    {
      let id = GroupMemberID.random()
      try await store.invite(
        account.login, as: id, to: (group ?? crew).id, of: boss.id, at: S.time(seconds - 1))
      try await store.accept(id, by: account.id, at: S.time(seconds))
      return id
    }

    func watched(_ account: Account) async throws -> [Text] {
      try await store.zoneSet(of: account.id).zones.map(\.draft.name)
    }

    func members(_ seconds: Double = 100) async throws -> [GroupMember] {
      try await store.members(of: crew.id, owner: boss.id, at: S.time(seconds))
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `who agrees to an invitation may follow what the group has, now and later, and nobody else`(
    form: StoreForm
  ) async throws {
    try await form.withStore { store in
      let site = try await Site(store)
      let (boss, anna, ben) = (site.boss.id, site.anna.id, site.ben.id)
      let id = GroupMemberID.random()
      // The store does not disclose whether an account exists, and another spelling is the same login.
      try await store.invite("nobody", as: .random(), to: site.crew.id, of: boss, at: S.time(1))
      try await store.invite("aNNA", as: id, to: site.crew.id, of: boss, at: S.time(1))
      await #expect(throws: StoreError.taken) {
        try await store.invite("Anna", as: .random(), to: site.crew.id, of: boss, at: S.time(2))
      }
      await #expect(throws: StoreError.notFound) {
        try await store.invite("ben", as: .random(), to: site.crew.id, of: anna, at: S.time(2))
      }
      #expect(try await site.members().map(\.login) == ["aNNA", "nobody"])
      #expect(try await site.members().map(\.state) == [.invited(at: S.time(1)), .invited(at: S.time(1))])
      #expect(try await site.members().allSatisfy(\.name.isEmpty))
      await #expect(throws: StoreError.notFound) {
        try await store.follow(site.blasting.id, by: anna, at: S.time(3))
      }
      for other in [boss, ben] {
        await #expect(throws: StoreError.notFound) { try await store.accept(id, by: other, at: S.time(3)) }
      }
      let offer = try #require(try await store.memberships(of: anna, at: S.time(3)).first)
      #expect(offer.member.id == id && offer.member.state == .invited(at: S.time(1)))
      #expect(offer.group.name == "Crew" && offer.group.managerLogin == "boss")
      #expect(offer.group.collections.map(\.name) == ["Blasting"])
      #expect(try await store.memberships(of: ben, at: S.time(3)).isEmpty)
      try await store.accept(id, by: anna, at: S.time(4))
      await #expect(throws: StoreError.notFound) { try await store.accept(id, by: anna, at: S.time(5)) }
      // Nothing is watched before the member accepts.
      #expect(try await site.watched(site.anna).isEmpty)
      try await store.follow(site.blasting.id, by: anna, at: S.time(6))
      #expect(try await site.watched(site.anna) == ["Cliff"])
      #expect(
        try await store.members(of: site.blasting.id, owner: boss).map(\.isDirect) == [false])
      let later = ZoneCollection(owner: boss, name: "Cranes", createdAt: S.time(7))
      try await store.create(later)
      await #expect(throws: StoreError.notFound) {
        try await store.collection(later.id, seenBy: anna)
      }
      #expect(try await store.give(later.id, to: site.crew.id, of: boss, at: S.time(8)) == [anna])
      #expect(try await store.give(later.id, to: site.crew.id, of: boss, at: S.time(8)) == [])
      #expect(try await store.collection(later.id, seenBy: anna).collection.name == "Cranes")
      #expect(
        try await store.group(site.crew.id, of: boss, at: S.time(9)).collections.map(\.name) == [
          "Blasting", "Cranes",
        ])
      await #expect(throws: StoreError.notFound) {
        try await store.collection(later.id, seenBy: ben)
      }
      // Neither another owner's group nor another owner's collection.
      let bens = ZoneCollection(owner: ben, name: "Bens", createdAt: S.time(7))
      try await store.create(bens)
      await #expect(throws: StoreError.notFound) {
        try await store.give(bens.id, to: site.crew.id, of: boss, at: S.time(8))
      }
      await #expect(throws: StoreError.notFound) {
        try await store.give(bens.id, to: site.crew.id, of: ben, at: S.time(8))
      }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a stored member without an account is listed with the others`(form: StoreForm) async throws {
    try await form.withStore { store in
      let site = try await Site(store)
      let id = try await site.join(site.anna)
      try await site.join(site.ben)
      try await store.write { database in
        _ = try database.run(
          "UPDATE group_member SET account = NULL, login = 'nobody' WHERE id = ?", [id.sql])
      }
      let members = try await site.members()
      #expect(members.map(\.login) == ["ben", "nobody"])
      #expect(members.allSatisfy { $0.state == .joined(at: S.time(10)) })
      #expect(members.last?.name.isEmpty == true && members.last?.report == MemberReport())
    }
  }

  @Test(arguments: StoreForm.allCases)
  func
    `a membership ends at once from either side, both see it, and what only the group gave watches no more`(
      form: StoreForm
    ) async throws
  {
    try await form.withStore { store in
      let site = try await Site(store)
      for (ender, side) in [(site.anna, GroupMember.Side.member), (site.boss, .manager)] {
        let id = try await site.join(site.anna)
        try await store.follow(site.blasting.id, by: site.anna.id, at: S.time(11))
        #expect(try await site.watched(site.anna) == ["Cliff"])
        await #expect(throws: StoreError.notFound) {
          try await store.end(id, by: site.ben.id, at: S.time(12))
        }
        let ended = try await store.end(id, by: ender.id, at: S.time(20))
        #expect(ended.account == site.anna.id && ended.login == "Anna" && ended.group.id == site.crew.id)
        await #expect(throws: StoreError.notFound) {
          try await store.end(id, by: ender.id, at: S.time(20))
        }
        #expect(try await site.watched(site.anna).isEmpty)
        await #expect(throws: StoreError.notFound) {
          try await store.collection(site.blasting.id, seenBy: site.anna.id)
        }
        let state = GroupMember.State.ended(joinedAt: S.time(10), at: S.time(20), by: side)
        let seen = try await site.members().first { $0.id == id }
        #expect(seen?.state == state && seen?.report == MemberReport())
        let own = try await store.memberships(of: site.anna.id, at: S.time(21)).first { $0.member.id == id }
        #expect(own?.member.state == state)
        // The set that was watched then is known for replays.
        let revisions = try await store.zoneSetHistory(of: site.anna.id, from: S.time(12), limit: 9)
        let past = try await store.zoneSets(of: site.anna.id, at: revisions.map(\.revision))
        #expect(past.first?.zones.map(\.draft.name) == ["Cliff"] && past.last?.zones.isEmpty == true)
      }
      let much =
        (S.time(20) + PeopleGroup.endingIsShown).millisecondsSince1970 - S.time().millisecondsSince1970
      #expect(try await site.members(Double(much) / 1000).isEmpty)
      var old = Retention()
      old.expiredBefore = S.time(21) + PeopleGroup.endingIsShown
      #expect(try await store.prune(old, limit: 100) == 2)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `what lets a person follow otherwise stays when a group lets go`(form: StoreForm) async throws {
    try await form.withStore { store in
      let site = try await Site(store)
      let (boss, anna) = (site.boss.id, site.anna.id)
      let night = PeopleGroup(owner: boss, name: "Night shift", createdAt: S.time())
      try await store.create(night)
      try await store.give(site.blasting.id, to: night.id, of: boss, at: S.time())
      let first = try await site.join(site.anna)
      let second = try await site.join(site.anna, night)
      try await store.follow(site.blasting.id, by: anna, at: S.time(11))
      #expect(try await site.members().map(\.report.otherGroups) == [["Night shift"]])
      // Another group of the same owner.
      try await store.end(first, by: anna, at: S.time(12))
      #expect(try await site.watched(site.anna) == ["Cliff"])
      // The owner let the member follow directly, before or meanwhile.
      try await store.addMember("anna", to: site.blasting.id, of: boss, at: S.time(13))
      #expect(try await store.takeBack(site.blasting.id, from: night.id, of: boss, at: S.time(14)) == [anna])
      #expect(try await site.watched(site.anna) == ["Cliff"])
      #expect(try await store.members(of: site.blasting.id, owner: boss).map(\.isDirect) == [true])
      // The reverse: the group still gives access after the owner takes the direct one back.
      try await store.give(site.blasting.id, to: night.id, of: boss, at: S.time(15))
      let listed = try #require(try await store.members(of: site.blasting.id, owner: boss).first)
      try await store.removeMember(listed.id, from: site.blasting.id, of: boss, at: S.time(16))
      #expect(try await site.watched(site.anna) == ["Cliff"])
      #expect(try await store.members(of: site.blasting.id, owner: boss).map(\.isDirect) == [false])
      await #expect(throws: StoreError.notFound) {
        try await store.removeMember(listed.id, from: site.blasting.id, of: boss, at: S.time(17))
      }
      // A public collection is followed without any group.
      var open = try await store.collection(site.blasting.id, seenBy: boss).collection
      open.isPublic = true
      try await store.save(open, over: open.revision, at: S.time(18))
      try await store.end(second, by: boss, at: S.time(19))
      #expect(try await site.watched(site.anna) == ["Cliff"])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `the manager sees whether a member would be warned, and the member sees the same`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let site = try await Site(store)
      let id = try await site.join(site.anna)
      try await site.join(site.ben)
      let phone = try await store.makeDevice("phone", of: site.anna)
      var old = try await store.makeDevice("old", of: site.anna)
      old.isArmed = false
      old.reportInterval = nil
      try await store.save(old, over: old.revision, at: S.time(11))
      let channel = S.channel("hook", of: site.anna.id)
      try await store.create(channel)
      var batch = IngestBatch(at: S.time(30))
      batch.fixes = [DeviceFixes(device: phone.id, fixes: [S.fix(20)])]
      batch.alarms = [S.alarm(7, of: site.anna.id, phone.id, at: 20)]
      try await store.record(batch)
      try await store.follow(site.blasting.id, by: site.anna.id, at: S.time(31))
      func attempt(_ outcome: DeliveryAttempt.Outcome, at seconds: Double, _ number: Int) async throws {
        try await store.record(
          DeliveryAttempt(
            alarm: AlarmID(rawValue: 7), channel: channel.id, attempt: number, startedAt: S.time(seconds),
            endedAt: S.time(seconds), outcome: outcome, detail: "https://hers.example said 500"))
      }
      try await attempt(.failed, at: 40, 1)
      var report = try #require(try await site.members().first { $0.id == id }?.report)
      #expect(report.phones.map(\.name) == ["old", "phone"])
      #expect(report.phones.map(\.isArmed) == [false, true])
      #expect(report.phones.map(\.heardAt) == [nil, S.time(30)])
      // The limit is five minutes.
      #expect(report.phones.map { $0.isSilent(at: S.time(331)) } == [false, true])
      #expect(report.phones.map { $0.isSilent(at: S.time(330)) } == [false, false])
      #expect(report.follows == [.init(collection: site.blasting.id, since: S.time(31))])
      #expect(report.trouble == .init(at: S.time(40), channelKind: "webhook", isOver: false))
      try await attempt(.delivered, at: 50, 2)
      report = try #require(try await site.members().first { $0.id == id }?.report)
      #expect(report.trouble == .init(at: S.time(40), channelKind: "webhook", isOver: true))
      let own = try await store.memberships(of: site.anna.id, at: S.time(60))
      #expect(own.map(\.member.report) == [report])
      // A member without a phone has an empty report.
      #expect(try await site.members().first { $0.login == "ben" }?.report == MemberReport())
      await #expect(throws: StoreError.notFound) {
        try await store.members(of: site.crew.id, owner: site.anna.id, at: S.time(60))
      }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `groups have bounds, and end with their managers and members`(form: StoreForm) async throws {
    try await form.withStore { store in
      let site = try await Site(store)
      try await site.join(site.anna)
      try await site.join(site.ben)
      try await store.follow(site.blasting.id, by: site.ben.id, at: S.time(11))
      await #expect(throws: StoreError.notFound) {
        try await store.rename(site.crew.id, to: "Mine", of: site.anna.id)
      }
      try await store.rename(site.crew.id, to: "Day shift", of: site.boss.id)
      for number in 1..<PeopleGroup.most {
        try await store.create(
          PeopleGroup(owner: site.boss.id, name: "group \(number)", createdAt: S.time()))
      }
      await #expect(throws: StoreError.tooMany(allowed: PeopleGroup.most)) {
        try await store.create(PeopleGroup(owner: site.boss.id, name: "more", createdAt: S.time()))
      }
      #expect(try await store.groups(of: site.boss.id, at: S.time()).map(\.name).first == "Day shift")
      while try await !store.erase(site.anna.id, limit: 100) {}
      #expect(try await site.members().map(\.login) == ["ben"])
      // A disabled manager lets nobody in; collections already followed are still watched.
      let late = GroupMemberID.random()
      let carl = try await store.makeAccount("carl")
      try await store.invite("carl", as: late, to: site.crew.id, of: site.boss.id, at: S.time(12))
      var boss = try await store.account(site.boss.id)
      boss.isDisabled = true
      boss = try await store.save(boss, over: boss.revision, at: S.time(13))
      await #expect(throws: StoreError.notFound) { try await store.accept(late, by: carl.id, at: S.time(14)) }
      #expect(try await store.memberships(of: carl.id, at: S.time(14)).isEmpty)
      #expect(try await site.watched(site.ben) == ["Cliff"])
      boss.isDisabled = false
      try await store.save(boss, over: boss.revision, at: S.time(15))
      let days30 = S.time(12) + PeopleGroup.invitationLasts
      await #expect(throws: StoreError.notFound) { try await store.accept(late, by: carl.id, at: days30) }
      #expect(try await store.deleteGroup(site.crew.id, of: site.boss.id, at: S.time(16)) == [site.ben.id])
      #expect(try await site.watched(site.ben).isEmpty)
      #expect(try await store.memberships(of: site.ben.id, at: S.time(17)).isEmpty)
      while try await !store.erase(site.boss.id, limit: 100) {}
    }
  }
}
