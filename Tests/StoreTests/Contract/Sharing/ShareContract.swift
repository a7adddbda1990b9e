import AlarmEngine
import TestSupport
import Testing

@testable import Store

@Suite("Contract: who sees whose devices")
struct ShareContract {
  typealias S = StoreSamples

  private struct People {
    let anna: Account
    let ben: Account
    let carl: Account
    let phone: Device
  }

  private static func people(_ store: SQLStore) async throws -> People {
    let anna = try await store.makeAccount("anna")
    return People(
      anna: anna, ben: try await store.makeAccount("Ben"), carl: try await store.makeAccount("carl"),
      phone: try await store.makeDevice("phone", of: anna))
  }

  private static func share(
    _ people: People, _ receiver: Share.Receiver, in zone: ZoneID? = nil, at: Double = 0
  ) -> Share {
    Share(
      owner: people.anna.id, device: people.phone.id, receiver: receiver, name: "for the way",
      precision: .place, createdAt: S.time(at), endsIn: zone)
  }

  @Test(arguments: StoreForm.allCases)
  func `somebody is offered a share by login, accepts it, and sees it until it ends`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let people = try await Self.people(store)
      let share = Self.share(people, .person(login: "bEN", until: S.time(100)))
      try await store.create(share)
      #expect(try await store.shares(of: people.anna.id, at: S.time(1)).map(\.id) == [share.id])
      let offered = try await store.shares(with: people.ben.id, at: S.time(1))
      #expect(offered.map(\.share.viewer) == [nil])
      #expect(offered.map(\.ownerLogin) == ["anna"])
      #expect(offered.map(\.ownerName) == ["Name of anna"])
      #expect(offered.map(\.deviceName) == ["phone"])
      #expect(try await store.shares(with: people.carl.id, at: S.time(1)).isEmpty)
      #expect(try await store.shares(with: people.anna.id, at: S.time(1)).isEmpty)
      for account in [people.carl.id, people.anna.id] {
        await #expect(throws: StoreError.notFound) {
          try await store.accept(share.id, by: account, at: S.time(1))
        }
      }
      try await store.accept(share.id, by: people.ben.id, at: S.time(1))
      await #expect(throws: StoreError.notFound) {
        try await store.accept(share.id, by: people.ben.id, at: S.time(1))
      }
      // The share belongs to the person, even if the login changes later.
      var renamed = try await store.account(people.ben.id)
      renamed.login = "benjamin"
      try await store.save(renamed, over: renamed.revision, at: S.time(2))
      let other = try await store.makeAccount("ben")
      #expect(try await store.shares(with: other.id, at: S.time(3)).isEmpty)
      #expect(
        try await store.shares(with: people.ben.id, at: S.time(99)).map(\.share.viewer) == [people.ben.id])
      #expect(try await store.shares(with: people.ben.id, at: S.time(100)).isEmpty)
      #expect(try await store.shares(of: people.anna.id, at: S.time(100)).isEmpty)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `either side ends a share, and nobody else does`(form: StoreForm) async throws {
    try await form.withStore { store in
      let people = try await Self.people(store)
      for ender in [people.anna.id, people.ben.id] {
        for isAccepted in [false, true] {
          let share = Self.share(people, .person(login: "ben", until: nil))
          try await store.create(share)
          if isAccepted { try await store.accept(share.id, by: people.ben.id, at: S.time(1)) }
          await #expect(throws: StoreError.notFound) {
            try await store.end(share.id, by: people.carl.id, at: S.time(20))
          }
          try await store.end(share.id, by: ender, at: S.time(20))
          await #expect(throws: StoreError.notFound) {
            try await store.end(share.id, by: ender, at: S.time(20))
          }
          #expect(try await store.shares(with: people.ben.id, at: S.time(1)).isEmpty)
          #expect(try await store.shares(of: people.anna.id, at: S.time(1)).isEmpty)
        }
      }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a link shows one device while it lasts`(form: StoreForm) async throws {
    try await form.withStore { store in
      let people = try await Self.people(store)
      let zone = ZoneID(rawValue: 5)
      var share = Self.share(people, .link(S.hash(1), until: S.time(60)), in: zone)
      try await store.create(share)
      await #expect(throws: StoreError.taken) { try await store.create(share) }
      let seen = try await store.share(S.hash(1), at: S.time(59))
      #expect(seen.share.device == people.phone.id && seen.share.endsIn == zone)
      #expect(seen.share.lookedTo == S.time(0))
      await #expect(throws: StoreError.notFound) { try await store.share(S.hash(2), at: S.time(1)) }
      await #expect(throws: StoreError.notFound) { try await store.share(S.hash(1), at: S.time(60)) }
      // A link is not offered to anybody.
      #expect(try await store.shares(with: people.ben.id, at: S.time(1)).isEmpty)
      try await store.note(share.id, lookedTo: S.time(20))
      try await store.note(share.id, lookedTo: S.time(10))
      #expect(try await store.share(S.hash(1), at: S.time(21)).share.lookedTo == S.time(20))
      share.precision = .zones
      share.receiver = .link(S.hash(1), until: S.time(300))
      try await store.save(share, at: S.time(30))
      let saved = try await store.share(S.hash(1), at: S.time(200)).share
      #expect(saved.precision == .zones && saved.endsAt == S.time(300) && saved.lookedTo == S.time(20))
      share.endsIn = ZoneID(rawValue: 6)
      try await store.save(share, at: S.time(40))
      #expect(try await store.share(S.hash(1), at: S.time(200)).share.lookedTo == S.time(40))
      // A share that has ended is not restored.
      await #expect(throws: StoreError.notFound) { try await store.save(share, at: S.time(300)) }
      let others = Share(
        id: share.id, owner: people.ben.id, device: people.phone.id,
        receiver: .link(S.hash(1), until: S.time(900)),
        name: "", precision: .place, createdAt: S.time())
      await #expect(throws: StoreError.notFound) { try await store.save(others, at: S.time(50)) }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a stored link without an end has ended, and other shares stay`(form: StoreForm) async throws {
    try await form.withStore { store in
      let people = try await Self.people(store)
      let link = Self.share(people, .link(S.hash(1), until: S.time(60)))
      let given = Self.share(people, .person(login: "ben", until: nil))
      for share in [link, given] { try await store.create(share) }
      try await store.write { database in
        _ = try database.run("UPDATE share SET ends_at = NULL WHERE id = ?", [link.id.sql])
      }
      await #expect(throws: StoreError.notFound) { try await store.share(S.hash(1), at: S.time(1)) }
      #expect(try await store.shares(of: people.anna.id, at: S.time(1)).map(\.id) == [given.id])
      var old = Retention()
      old.expiredBefore = S.time(1)
      #expect(try await store.prune(old, limit: 10) == 1)
      #expect(try await store.shares(with: people.ben.id, at: S.time(1)).map(\.share.id) == [given.id])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `shares need a device of the owner's, have a bound, and go with devices and accounts`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let people = try await Self.people(store)
      let bens = try await store.makeDevice("bens", of: people.ben)
      let wrong = Share(
        owner: people.anna.id, device: bens.id, receiver: .link(S.hash(9), until: S.time(9)), name: "",
        precision: .place, createdAt: S.time())
      await #expect(throws: StoreError.notFound) { try await store.create(wrong) }
      for number in 0..<Share.most {
        try await store.create(Self.share(people, .person(login: "person \(number)", until: nil)))
      }
      await #expect(throws: StoreError.tooMany(allowed: Share.most)) {
        try await store.create(Self.share(people, .person(login: "ben", until: nil)))
      }
      // An offer that nobody accepted ends after a month, and is deleted.
      let late = S.time() + Share.offerLasts
      #expect(try await store.shares(of: people.anna.id, at: late).isEmpty)
      var old = Retention()
      old.expiredBefore = late + .hours(1)
      #expect(try await store.prune(old, limit: 1000) == Share.most)
      let given = Self.share(people, .person(login: "ben", until: nil))
      let link = Self.share(people, .link(S.hash(1), until: S.time(900)))
      try await store.create(given)
      try await store.create(link)
      try await store.accept(given.id, by: people.ben.id, at: S.time(1))
      var disabled = try await store.account(people.anna.id)
      disabled.isDisabled = true
      disabled = try await store.save(disabled, over: disabled.revision, at: S.time(2))
      #expect(try await store.shares(with: people.ben.id, at: S.time(3)).isEmpty)
      await #expect(throws: StoreError.notFound) { try await store.share(S.hash(1), at: S.time(3)) }
      disabled.isDisabled = false
      try await store.save(disabled, over: disabled.revision, at: S.time(4))
      while try await !store.erase(people.ben.id, limit: 100) {}
      #expect(try await store.shares(of: people.anna.id, at: S.time(5)).map(\.id) == [link.id])
      try await store.deleteDevice(people.phone.id, of: people.anna.id, at: S.time(6))
      #expect(try await store.shares(of: people.anna.id, at: S.time(7)).isEmpty)
    }
  }
}
