import AlarmEngine
import Testing

@testable import Store

@Suite("Contract: links for joining groups")
struct GroupLinkContract {
  typealias S = StoreSamples

  /// A group with one collection, and people who are not in it.
  private struct Site {
    let store: SQLStore
    let boss: AccountID
    let anna: AccountID
    let ben: AccountID
    let blasting: ZoneCollection
    let crew: PeopleGroup

    init(_ store: SQLStore) async throws {
      self.store = store
      boss = try await store.makeAccount("boss").id
      anna = try await store.makeAccount("Anna").id
      ben = try await store.makeAccount("ben").id
      blasting = ZoneCollection(owner: boss, name: "Blasting", createdAt: S.time())
      try await store.create(blasting)
      crew = PeopleGroup(owner: boss, name: "Crew", createdAt: S.time())
      try await store.create(crew)
      try await store.give(blasting.id, to: crew.id, of: boss, at: S.time())
    }

    /// Makes a link that ends 50 s after the start, with a hash of its own.
    @discardableResult
    func link(
      _ byte: UInt8, for people: Int, at seconds: Double = 0, makesAccounts: Bool = false
    ) async throws -> GroupLink {
      let link = try #require(
        GroupLink(
          group: crew.id, people: people, createdAt: S.time(seconds), endsAt: S.time(50),
          makesAccounts: makesAccounts))
      try await store.create(link, hash: S.hash(byte), owner: boss)
      return link
    }

    /// How many have joined by each link, the latest first.
    func joined() async throws -> [Int] {
      try await store.links(of: crew.id, owner: boss, at: S.time(5)).map(\.joined)
    }

    func members() async throws -> [GroupMember] {
      try await store.members(of: crew.id, owner: boss, at: S.time(5))
    }
  }

  @Test func `a link is for 1 to 1,000 people and ends within 90 days`() {
    let longest = S.time() + GroupLink.longest
    func isMade(_ people: Int, _ end: Instant) -> Bool {
      GroupLink(group: .random(), people: people, createdAt: S.time(), endsAt: end) != nil
    }
    for people in [1, 1000] {
      for end in [S.time() + .milliseconds(1), longest] { #expect(isMade(people, end)) }
    }
    for people in [.min, -1, 0, 1001, .max] { #expect(!isMade(people, S.time(9)), "\(people)") }
    for end in [S.time(-1), S.time(), longest + .milliseconds(1)] { #expect(!isMade(3, end), "\(end)") }
  }

  @Test(arguments: StoreForm.allCases)
  func `a link lets people join while it lasts, and not its manager`(form: StoreForm) async throws {
    try await form.withStore { store in
      let site = try await Site(store)
      let link = try await site.link(1, for: 300)
      #expect(try await store.group(site.crew.id, of: site.boss, at: S.time(49)).linkEndsAt == S.time(50))
      #expect(try await store.group(site.crew.id, of: site.boss, at: S.time(50)).linkEndsAt == nil)
      #expect(try await store.offeredGroup(S.hash(1), to: site.anna, at: S.time(2)).name == "Crew")
      await #expect(throws: StoreError.notFound) {
        try await store.join(S.hash(1), by: site.boss, at: S.time(2))
      }
      await #expect(throws: StoreError.notFound) {
        try await store.join(S.hash(3), by: site.anna, at: S.time(2))
      }
      // A waiting invitation is the same place in the group.
      try await store.invite("anna", as: .random(), to: site.crew.id, of: site.boss, at: S.time(2))
      try await store.join(S.hash(1), by: site.anna, at: S.time(3))
      #expect(try await site.members().map(\.state) == [.joined(at: S.time(3))])
      #expect(try await store.groups(of: site.boss, at: S.time(4)).map(\.memberCount) == [1])
      // She has what every member has, and follows nothing yet.
      #expect(
        try await store.collection(site.blasting.id, seenBy: site.anna).collection.name == "Blasting")
      #expect(try await site.members().allSatisfy { $0.report.follows.isEmpty && !$0.isManagerLet })
      // Nobody joins once it has ended, and nobody sees the group by it.
      await #expect(throws: StoreError.notFound) {
        try await store.join(S.hash(1), by: site.ben, at: S.time(50))
      }
      await #expect(throws: StoreError.notFound) {
        try await store.offeredGroup(S.hash(1), to: site.anna, at: S.time(50))
      }
      #expect(try await store.links(of: site.crew.id, owner: site.boss, at: S.time(50)).isEmpty)
      try await store.endLink(link.id, of: site.crew.id, owner: site.boss)
      await #expect(throws: StoreError.notFound) {
        try await store.join(S.hash(1), by: site.ben, at: S.time(5))
      }
      #expect(try await site.members().map(\.login) == ["Anna"])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `each person counts once, and no more people join than the link is for`(form: StoreForm) async throws {
    try await form.withStore { store in
      let site = try await Site(store)
      try await site.link(1, for: 1)
      let other = try await site.link(2, for: 2, at: 1)
      for second in [2, 3] { try await store.join(S.hash(1), by: site.anna, at: S.time(Double(second))) }
      #expect(try await site.joined() == [0, 1])
      // The first link is used up, for all but the member; the second does not count a member.
      await #expect(throws: StoreError.usedUp(allowed: 1)) {
        try await store.join(S.hash(1), by: site.ben, at: S.time(4))
      }
      await #expect(throws: StoreError.usedUp(allowed: 1)) {
        try await store.offeredGroup(S.hash(1), to: site.ben, at: S.time(4))
      }
      #expect(try await store.offeredGroup(S.hash(1), to: site.anna, at: S.time(4)).name == "Crew")
      try await store.join(S.hash(2), by: site.anna, at: S.time(4))
      #expect(try await site.joined() == [0, 1])
      try await store.join(S.hash(2), by: site.ben, at: S.time(4))
      #expect(try await site.joined() == [1, 1])
      var uses = try await store.links(of: site.crew.id, owner: site.boss, at: S.time(5)).map(\.uses)
      #expect(uses.map { $0.map(\.login) } == [["ben"], ["Anna"]])
      #expect(uses.map { $0.map(\.at) } == [[S.time(4)], [S.time(2)]])
      // A person who has left and joins anew takes a place.
      let ben = try #require(try await site.members().first { $0.login == "ben" }?.id)
      try await store.end(ben, by: site.ben, at: S.time(4))
      try await store.join(S.hash(2), by: site.ben, at: S.time(5))
      #expect(try await site.joined() == [2, 1])
      uses = try await store.links(of: site.crew.id, owner: site.boss, at: S.time(5)).map(\.uses)
      #expect(uses.map { $0.map(\.login) } == [["ben", "ben"], ["Anna"]])
      #expect(try await store.group(site.crew.id, of: site.boss, at: S.time(5)).linkEndsAt == nil)
      let listed = try await store.links(of: site.crew.id, owner: site.boss, at: S.time(5))
      #expect(listed.first?.id == other.id && listed.map(\.people) == [2, 1])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `of two people who want the last place at once, one gets it`(form: StoreForm) async throws {
    try await form.withTwo { first, second in
      let site = try await Site(first)
      for round in 1...10 as ClosedRange<UInt8> {
        try await site.link(round, for: 1)
        async let one = Self.joins(first, S.hash(round), site.anna)
        async let other = Self.joins(second, S.hash(round), site.ben)
        #expect(try await [one, other].count(where: { $0 }) == 1)
        let members = try await site.members().filter { if case .joined = $0.state { true } else { false } }
        #expect(members.count == 1)
        try await first.end(#require(members.first).id, by: site.boss, at: S.time(3))
      }
      #expect(try await site.joined() == Array(repeating: 1, count: 10))
    }
  }

  /// True if the account gets a place, false if the link is used up.
  private static func joins(
    _ store: SQLStore, _ link: TokenHash, _ account: AccountID
  ) async throws -> Bool {
    do {
      try await store.join(link, by: account, at: S.time(2))
      return true
    } catch StoreError.usedUp { return false }
  }

  @Test(arguments: StoreForm.allCases)
  func `a link makes accounts only if it was made for that, and each takes a place`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let site = try await Site(store)
      try await site.link(1, for: 3)
      try await site.link(2, for: 2, at: 1, makesAccounts: true)
      let accounts = try await store.accountCount()
      for hash in [S.hash(1), S.hash(9)] {
        await #expect(throws: StoreError.notFound) {
          try await store.create(Self.newcomer("carl"), joiningBy: hash)
        }
        await #expect(throws: StoreError.notFound) {
          try await store.accountOffer(by: hash, at: S.time(2))
        }
      }
      // A login that is taken takes no place, whatever its case.
      await #expect(throws: StoreError.taken) {
        try await store.create(Self.newcomer("ANNA"), joiningBy: S.hash(2))
      }
      #expect(try await site.joined() == [0, 0])
      #expect(try await store.accountCount() == accounts)
      // An invitation of the login is the same place in the group.
      try await store.invite("carl", as: .random(), to: site.crew.id, of: site.boss, at: S.time(1))
      #expect(try await store.accountOffer(by: S.hash(2), at: S.time(2)).group.name == "Crew")
      let carl = Self.newcomer("Carl")
      #expect(try await store.create(carl, joiningBy: S.hash(2)).id == site.crew.id)
      #expect(try await store.account(carl.id).login == "Carl")
      #expect(try await site.members().map(\.state) == [.joined(at: S.time(2))])
      let uses = try await store.links(of: site.crew.id, owner: site.boss, at: S.time(3)).map(\.uses)
      #expect(uses.map { $0.map(\.login) } == [["Carl"], []])
      #expect(try await store.collection(site.blasting.id, seenBy: carl.id).collection.name == "Blasting")
      // Somebody who has an account joins by the same link, and it is used up.
      try await store.join(S.hash(2), by: site.anna, at: S.time(3))
      #expect(try await site.joined() == [2, 0])
      await #expect(throws: StoreError.usedUp(allowed: 2)) {
        try await store.create(Self.newcomer("dora"), joiningBy: S.hash(2))
      }
      await #expect(throws: StoreError.usedUp(allowed: 2)) {
        try await store.accountOffer(by: S.hash(2), at: S.time(3))
      }
      let listed = try await store.links(of: site.crew.id, owner: site.boss, at: S.time(3))
      #expect(listed.map(\.makesAccounts) == [true, false])
      // Neither an ended link nor one of a disabled manager makes an account.
      try await site.link(3, for: 9, makesAccounts: true)
      await #expect(throws: StoreError.notFound) {
        try await store.create(Self.newcomer("dora", at: 50), joiningBy: S.hash(3))
      }
      var boss = try await store.account(site.boss)
      boss.isDisabled = true
      try await store.save(boss, over: boss.revision, at: S.time(2))
      await #expect(throws: StoreError.notFound) {
        try await store.create(Self.newcomer("dora"), joiningBy: S.hash(3))
      }
      #expect(try await store.accountCount() == accounts + 1)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `of two people who make an account for the last place at once, one gets it and the other none`(
    form: StoreForm
  ) async throws {
    try await form.withTwo { first, second in
      let site = try await Site(first)
      let before = try await first.accountCount()
      for round in 1...10 as ClosedRange<UInt8> {
        try await site.link(round, for: 1, makesAccounts: true)
        async let one = Self.makes(first, "one \(round)", by: S.hash(round))
        async let other = Self.makes(second, "other \(round)", by: S.hash(round))
        #expect(try await [one, other].count(where: { $0 }) == 1)
        #expect(try await first.accountCount() == before + 2 * Int(round) - 1)
        // The same login at once, by a link with room for both.
        try await site.link(100 + round, for: 2, makesAccounts: true)
        async let same = Self.makes(first, "same \(round)", by: S.hash(100 + round))
        async let again = Self.makes(second, "SAME \(round)", by: S.hash(100 + round))
        #expect(try await [same, again].count(where: { $0 }) == 1)
        #expect(try await first.accountCount() == before + 2 * Int(round))
      }
      #expect(try await site.members().count == 20)
      #expect(try await site.joined() == Array(repeating: 1, count: 20))
    }
  }

  private static func newcomer(_ login: String, at seconds: Double = 2) -> Account {
    Account(login: login, name: login, passwordHash: "hash", createdAt: S.time(seconds))
  }

  /// True if the account was made, false if the link is used up or the login taken.
  private static func makes(
    _ store: SQLStore, _ login: String, by link: TokenHash
  ) async throws -> Bool {
    do {
      _ = try await store.create(newcomer(login), joiningBy: link)
      return true
    } catch StoreError.usedUp { return false } catch StoreError.taken { return false }
  }

  @Test(arguments: StoreForm.allCases)
  func `only the manager makes, sees and ends links, and they go with the group`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let site = try await Site(store)
      let link = try await site.link(1, for: 3)
      try await store.join(S.hash(1), by: site.anna, at: S.time(1))
      let bens = PeopleGroup(owner: site.ben, name: "Bens", createdAt: S.time())
      try await store.create(bens)
      for other in [site.anna, site.ben] {
        await #expect(throws: StoreError.notFound) {
          try await store.create(
            #require(GroupLink(group: site.crew.id, people: 1, createdAt: S.time(), endsAt: S.time(9))),
            hash: S.hash(2), owner: other)
        }
        await #expect(throws: StoreError.notFound) {
          try await store.links(of: site.crew.id, owner: other, at: S.time(1))
        }
        await #expect(throws: StoreError.notFound) {
          try await store.endLink(link.id, of: site.crew.id, owner: other)
        }
      }
      await #expect(throws: StoreError.notFound) {
        try await store.endLink(link.id, of: bens.id, owner: site.ben)
      }
      // A disabled manager lets nobody in.
      var boss = try await store.account(site.boss)
      boss.isDisabled = true
      boss = try await store.save(boss, over: boss.revision, at: S.time(2))
      await #expect(throws: StoreError.notFound) {
        try await store.offeredGroup(S.hash(1), to: site.ben, at: S.time(3))
      }
      boss.isDisabled = false
      try await store.save(boss, over: boss.revision, at: S.time(3))
      // With the first one there are as many as may be; of links that are one too many none is stored.
      let many = (1...GroupLink.most).compactMap { number -> (GroupLink, TokenHash)? in
        let link = GroupLink(group: site.crew.id, people: 1, createdAt: S.time(), endsAt: S.time(50))
        let bytes = [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
        return link.map { ($0, TokenHash(bytes + Array(repeating: 0, count: 30))) }
      }
      await #expect(throws: StoreError.tooMany(allowed: GroupLink.most)) {
        try await store.create(many, owner: site.boss)
      }
      #expect(try await store.links(of: site.crew.id, owner: site.boss, at: S.time(4)).count == 1)
      try await store.create(Array(many.dropFirst()), owner: site.boss)
      await #expect(throws: StoreError.tooMany(allowed: GroupLink.most)) {
        try await site.link(255, for: 1)
      }
      var old = Retention()
      old.expiredBefore = S.time(51)
      #expect(try await store.prune(old, limit: 1000) == GroupLink.most)
      try await site.link(1, for: 3)
      try await store.deleteGroup(site.crew.id, of: site.boss, at: S.time(4))
      await #expect(throws: StoreError.notFound) {
        try await store.join(S.hash(1), by: site.ben, at: S.time(5))
      }
      let left = try await store.read { try $0.integer("SELECT count(*) FROM group_link", []) }
      #expect(left == 0)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a link for one person keeps name, login and mail, and is mailed to an address once`(form: StoreForm)
    async throws
  {
    try await form.withTwo { first, second in
      let site = try await Site(first)
      func link(_ mail: String?, _ name: String = "Dora", login: String? = "dora", until end: Double = 50)
        throws
        -> GroupLink
      {
        var link = try #require(
          GroupLink(
            group: site.crew.id, people: 1, createdAt: S.time(1), endsAt: S.time(end), makesAccounts: true))
        (link.note, link.login, link.mail) = (name, login, mail)
        return link
      }
      let dora = try link("Dora@example.org")
      try await first.create(
        [(dora, S.hash(1)), (link(nil, "Emil", login: nil), S.hash(2))], owner: site.boss)
      for store in [first, second] {
        await #expect(throws: StoreError.taken) {
          try await store.create(
            [(link(nil), S.hash(3)), (link("dora@EXAMPLE.org"), S.hash(4))], owner: site.boss)
        }
      }
      let offer = try await first.accountOffer(by: S.hash(1), at: S.time(2))
      #expect(offer.group.name == "Crew" && offer.name == "Dora" && offer.login == "dora")
      let other = try await first.accountOffer(by: S.hash(2), at: S.time(2))
      #expect(other.name == "Emil" && other.login == nil)
      for (owner, id) in [(site.ben, dora.id), (site.boss, GroupLinkID(rawValue: 3))] {
        await #expect(throws: StoreError.notFound) {
          try await first.noteMailed(id, of: site.crew.id, owner: owner, at: S.time(3))
        }
      }
      try await first.noteMailed(dora.id, of: site.crew.id, owner: site.boss, at: S.time(3))
      let listed = try await second.links(of: site.crew.id, owner: site.boss, at: S.time(4))
        .sorted { $0.note < $1.note }
      #expect(listed.map(\.note) == ["Dora", "Emil"] && listed.map(\.login) == ["dora", nil])
      #expect(listed.map(\.mail) == ["Dora@example.org", nil] && listed.map(\.mailedAt) == [S.time(3), nil])
      // Once the link is over, the address can be mailed again.
      try await first.endLink(dora.id, of: site.crew.id, owner: site.boss)
      try await first.create([(link("dora@example.org", until: 2), S.hash(5))], owner: site.boss)
      var late = try #require(
        GroupLink(group: site.crew.id, people: 1, createdAt: S.time(2), endsAt: S.time(50)))
      late.mail = "dora@example.org"
      try await first.create([(late, S.hash(6))], owner: site.boss)
      // Two commands with one table mail each address once.
      for round in 10...14 as ClosedRange<UInt8> {
        let mail = "\(round)@example.org"
        async let one = Self.claims(first, try link(mail), S.hash(round), site.boss)
        async let another = Self.claims(second, try link(mail), S.hash(100 + round), site.boss)
        #expect(try await [one, another].count { $0 } == 1)
      }
    }
  }

  /// False if there is a link for the address.
  private static func claims(
    _ store: SQLStore, _ link: GroupLink, _ hash: TokenHash, _ owner: AccountID
  ) async throws -> Bool {
    do {
      try await store.create([(link, hash)], owner: owner)
      return true
    } catch StoreError.taken { return false }
  }

  @Test(arguments: StoreForm.allCases)
  func `no row of the store lets in more people or lasts longer than a link may`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let site = try await Site(store)
      let longest = GroupLink.longest.milliseconds
      let rows: [(people: Int64, joined: Int64, lasts: Int64, isTaken: Bool)] = [
        (1, 0, 1, true), (1000, 1000, longest, true), (0, 0, 9, false), (1001, 0, 9, false),
        (3, 4, 9, false), (3, -1, 9, false), (3, 0, 0, false), (3, 0, longest + 1, false),
      ]
      for (number, row) in rows.enumerated() {
        let link = GroupLinkID(rawValue: UInt64(number + 1))
        do throws(StoreError) {
          try await store.write { database in
            _ = try database.run(
              "INSERT INTO group_link (id, group_id, hash, people, joined, created_at, ends_at) VALUES (?, ?, ?, ?, ?, 0, ?)",
              [
                link.sql, site.crew.id.sql, S.hash(UInt8(number)).sql, row.people, row.joined, row.lasts,
              ])
          }
          #expect(row.isTaken, "\(row)")
        } catch { #expect(!row.isTaken, "\(row): \(error)") }
      }
    }
  }
}
