import AlarmEngine
import TestSupport
import Testing

@testable import Store

@Suite("Contract: who answers whose alarms")
struct DeputyContract {
  typealias S = StoreSamples

  /// Anna has a phone with a ringing alarm; Ben and Carl are other people.
  private struct People {
    let store: SQLStore
    let anna: Account
    let ben: Account
    let carl: Account
    let alarm: AlarmRecord

    init(_ store: SQLStore) async throws {
      self.store = store
      anna = try await store.makeAccount("anna")
      ben = try await store.makeAccount("Ben")
      carl = try await store.makeAccount("carl")
      let phone = try await store.makeDevice("phone", of: anna)
      let alarm = S.alarm(7, of: anna.id, phone.id, at: 20)
      self.alarm = alarm
      _ = try await store.record(at: 30) { $0.alarms = [alarm] }
    }

    /// True if the account may answer the alarm; checks that all queries agree.
    func may(_ account: Account) async throws -> Bool {
      let listed = try await store.othersAlarms(answerableBy: account.id, limit: 9).map(\.alarm.id)
      do throws(StoreError) {
        let found = try await store.othersAlarm(alarm.id, answerableBy: account.id)
        #expect(found.ownerLogin == "anna" && found.deviceName == "phone" && found.alarm == alarm)
        #expect(listed == [alarm.id])
        return true
      } catch {
        #expect(error == .notFound && listed.isEmpty)
        return false
      }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `nobody answers before both have agreed, and either ends it at once`(form: StoreForm) async throws {
    try await form.withStore { store in
      let people = try await People(store)
      let (anna, ben, carl) = (people.anna, people.ben, people.carl)
      for ender in [anna, ben] {
        let deputy = Deputy(owner: anna.id, login: "bEN", createdAt: S.time(40))
        try await store.create(deputy)
        await #expect(throws: StoreError.taken) {
          try await store.create(Deputy(owner: anna.id, login: "Ben", createdAt: S.time(40)))
        }
        #expect(try await !people.may(ben))
        let offers = try await store.deputyFor(ben.id, at: S.time(41))
        #expect(offers.map(\.right) == [.deputy(deputy.id, isAccepted: false)])
        #expect(offers.map(\.ownerLogin) == ["anna"])
        for other in [anna, carl] {
          #expect(try await store.deputyFor(other.id, at: S.time(41)).isEmpty)
          await #expect(throws: StoreError.notFound) {
            try await store.accept(deputy.id, by: other.id, at: S.time(41))
          }
        }
        #expect(try await store.accept(deputy.id, by: ben.id, at: S.time(42)) == anna.id)
        await #expect(throws: StoreError.notFound) {
          try await store.accept(deputy.id, by: ben.id, at: S.time(42))
        }
        #expect(try await people.may(ben))
        #expect(try await !people.may(carl))
        // The owner answers as before, not as a deputy.
        #expect(try await !people.may(anna))
        await #expect(throws: StoreError.notFound) { try await store.end(deputy.id, by: carl.id) }
        let ended = try await store.end(deputy.id, by: ender.id)
        #expect(ended.owner == anna.id && ended.answerer == ben.id && ended.answererLogin == "Ben")
        #expect(try await !people.may(ben))
        await #expect(throws: StoreError.notFound) { try await store.end(deputy.id, by: ender.id) }
        #expect(try await store.deputies(of: anna.id, at: S.time(43)).isEmpty)
      }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a right is the person's, whatever they are called later, and an offer does not wait for ever`(
    form: StoreForm
  ) async throws {
    try await form.withStore { store in
      let people = try await People(store)
      let (anna, ben) = (people.anna, people.ben)
      let deputy = Deputy(owner: anna.id, login: "ben", createdAt: S.time(40))
      let waiting = Deputy(owner: anna.id, login: "nobody", createdAt: S.time(40))
      try await store.create(deputy)
      try await store.create(waiting)
      try await store.accept(deputy.id, by: ben.id, at: S.time(41))
      var renamed = try await store.account(ben.id)
      renamed.login = "benjamin"
      try await store.save(renamed, over: renamed.revision, at: S.time(42))
      let other = try await store.makeAccount("ben")
      #expect(try await people.may(ben))
      #expect(try await !people.may(other))
      #expect(
        try await store.deputies(of: anna.id, at: S.time(43)).map(\.login) == ["benjamin", "nobody"])
      let late = S.time(40) + Deputy.offerLasts
      #expect(try await store.deputies(of: anna.id, at: late).map(\.login) == ["benjamin"])
      let somebody = try await store.makeAccount("nobody")
      await #expect(throws: StoreError.notFound) {
        try await store.accept(waiting.id, by: somebody.id, at: late)
      }
      var old = Retention()
      old.expiredBefore = late + .hours(1)
      #expect(try await store.prune(old, limit: 100) == 1)
      // A disabled account could not end it.
      var disabled = try await store.account(anna.id)
      disabled.isDisabled = true
      disabled = try await store.save(disabled, over: disabled.revision, at: S.time(50))
      #expect(try await !people.may(ben))
      #expect(try await store.deputyFor(ben.id, at: S.time(51)).isEmpty)
      disabled.isDisabled = false
      try await store.save(disabled, over: disabled.revision, at: S.time(52))
      #expect(try await people.may(ben))
      while try await !store.erase(ben.id, limit: 100) {}
      #expect(try await store.deputies(of: anna.id, at: S.time(53)).isEmpty)
      for number in 0..<Deputy.most {
        try await store.create(Deputy(owner: anna.id, login: "person \(number)", createdAt: S.time(54)))
      }
      await #expect(throws: StoreError.tooMany(allowed: Deputy.most)) {
        try await store.create(Deputy(owner: anna.id, login: "more", createdAt: S.time(54)))
      }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a manager answers for those members only who let them, and as long as they are members`(
    form: StoreForm
  ) async throws {
    try await form.withStore { store in
      let people = try await People(store)
      let (anna, boss, carl) = (people.anna, people.ben, people.carl)
      let crew = PeopleGroup(owner: boss.id, name: "Crew", createdAt: S.time())
      try await store.create(crew)
      func join() async throws -> GroupMemberID {
        let id = GroupMemberID.random()
        try await store.invite("anna", as: id, to: crew.id, of: boss.id, at: S.time(40))
        await #expect(throws: StoreError.notFound) { try await store.letManagerAnswer(id, by: anna.id) }
        try await store.accept(id, by: anna.id, at: S.time(41))
        return id
      }
      let first = try await join()
      #expect(try await !people.may(boss))
      // Managers cannot take the right themselves, and only the member can give it.
      for other in [boss, carl] {
        await #expect(throws: StoreError.notFound) { try await store.letManagerAnswer(first, by: other.id) }
      }
      for ender in [anna, boss] {
        try await store.letManagerAnswer(first, by: anna.id)
        #expect(try await people.may(boss))
        #expect(try await !people.may(carl))
        #expect(
          try await store.deputyFor(boss.id, at: S.time(42)).map(\.right) == [
            .manager(first, groupName: "Crew")
          ])
        #expect(try await store.memberships(of: anna.id, at: S.time(42)).map(\.member.isManagerLet) == [true])
        await #expect(throws: StoreError.notFound) {
          try await store.endManagerAnswering(first, by: carl.id)
        }
        let ended = try await store.endManagerAnswering(first, by: ender.id)
        #expect(ended.owner == anna.id && ended.answerer == boss.id)
        #expect(try await !people.may(boss))
        await #expect(throws: StoreError.notFound) {
          try await store.endManagerAnswering(first, by: ender.id)
        }
      }
      // The right ends with the membership, and does not return with the next one.
      try await store.letManagerAnswer(first, by: anna.id)
      try await store.end(first, by: anna.id, at: S.time(50))
      #expect(try await !people.may(boss))
      _ = try await join()
      #expect(try await !people.may(boss))
    }
  }
}
