import AlarmEngine
import Testing

@testable import Store

@Suite("Contract: accounts, sessions, settings")
struct AccountContract {
  typealias S = StoreSamples

  @Test(arguments: StoreForm.allCases)
  func `a login is taken whatever its case, and found so`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      await #expect(throws: StoreError.taken) { try await store.create(S.account("ANNA")) }
      #expect(try await store.account(login: "Anna") == anna)
      #expect(try await store.account(anna.id) == anna)
      await #expect(throws: StoreError.notFound) { try await store.account(login: "bob") }
      #expect(try await store.accountCount() == 1)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `accounts are listed in pages, ascending`(form: StoreForm) async throws {
    try await form.withStore { store in
      var ids: [AccountID] = []
      for number in 0..<7 { ids.append(try await store.makeAccount("a\(number)").id) }
      // Both halves of the 64 bits.
      for raw in [UInt64(1), 1 << 63, .max] {
        try await store.create(
          Account(
            id: AccountID(rawValue: raw), login: "\(raw)", name: "", passwordHash: nil, createdAt: S.time()))
        ids.append(AccountID(rawValue: raw))
      }
      var read: [AccountID] = []
      while true {
        let page = try await store.accounts(after: read.last, limit: 3)
        if page.isEmpty { break }
        read += page.map(\.id)
      }
      #expect(read == ids.sorted())
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a set-up link makes one account, before it expires`(form: StoreForm) async throws {
    try await form.withStore { store in
      let link = SetupLink(
        hash: S.hash(1), isAdministrator: true, createdAt: S.time(), expiresAt: S.time(60))
      try await store.save(link)
      #expect(try await store.setupLink(S.hash(1), at: S.time(59)) == link)
      await #expect(throws: StoreError.notFound) { try await store.setupLink(S.hash(1), at: S.time(60)) }
      _ = try await store.makeAccount("bob")
      // A failure does not use it up.
      await #expect(throws: StoreError.taken) { try await store.create(S.account("bob"), by: S.hash(1)) }
      try await store.create(S.account("anna"), by: S.hash(1))
      await #expect(throws: StoreError.notFound) {
        try await store.create(S.account("eve"), by: S.hash(1))
      }
      #expect(try await store.accountCount() == 2)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a save over an old revision is refused with the stored one`(form: StoreForm) async throws {
    try await form.withStore { store in
      var anna = try await store.makeAccount("anna")
      anna.name = "Anna A"
      let saved = try await store.save(anna, over: .first, at: S.time(1))
      #expect(saved.revision == Revision(rawValue: 2) && saved.name == "Anna A")
      await #expect(throws: StoreError.stale(stored: Revision(rawValue: 2))) {
        try await store.save(anna, over: .first, at: S.time(2))
      }
      _ = try await store.makeAccount("bob")
      anna.login = "Bob"
      await #expect(throws: StoreError.taken) {
        try await store.save(anna, over: saved.revision, at: S.time(3))
      }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `sessions end by time, by hand, with the password and with the account`(form: StoreForm) async throws {
    try await form.withStore { store in
      var anna = try await store.makeAccount("anna")
      let bob = try await store.makeAccount("bob")
      let sessions = (1...3).map { number in
        Session(
          account: anna.id, hash: S.hash(UInt8(number)), userAgent: "Browser", createdAt: S.time(),
          expiresAt: S.time(100))
      }
      for session in sessions { try await store.create(session) }
      let found = try await store.session(S.hash(1), at: S.time(1))
      #expect(found.session == sessions[0] && found.account == anna)
      try await store.touch(sessions[0].id, at: S.time(50), expiresAt: S.time(200))
      #expect(try await store.session(S.hash(1), at: S.time(150)).session.lastSeenAt == S.time(50))
      await #expect(throws: StoreError.notFound) { try await store.session(S.hash(2), at: S.time(150)) }
      #expect(try await store.sessions(of: anna.id, at: S.time(51)).map(\.id).first == sessions[0].id)
      #expect(try await store.sessions(of: bob.id, at: S.time(51)).isEmpty)
      await #expect(throws: StoreError.notFound) { try await store.end(sessions[1].id, of: bob.id) }
      try await store.end(sessions[1].id, of: anna.id)
      try await store.setPassword(hash: "new", of: anna.id, keeping: sessions[0].id, at: S.time(60))
      #expect(try await store.sessions(of: anna.id, at: S.time(61)).map(\.id) == [sessions[0].id])
      anna = try await store.account(anna.id)
      #expect(anna.passwordHash == "new")
      anna.isDisabled = true
      try await store.save(anna, over: anna.revision, at: S.time(62))
      await #expect(throws: StoreError.notFound) { try await store.session(S.hash(1), at: S.time(63)) }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `settings and server values`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      #expect(
        try await store.settings(of: anna.id)
          == AccountSettings(json: "{}", revision: Revision(rawValue: 0)))
      try await store.saveSettings("{\"a\":1}", of: anna.id, over: Revision(rawValue: 0), at: S.time())
      await #expect(throws: StoreError.stale(stored: .first)) {
        try await store.saveSettings("{}", of: anna.id, over: Revision(rawValue: 0), at: S.time())
      }
      #expect(try await store.settings(of: anna.id).json == "{\"a\":1}")
      #expect(try await store.serverValue("key", orElse: [1]) == [1])
      #expect(try await store.serverValue("key", orElse: [2]) == [1])
      try await store.setServerValue("key", to: [])
      #expect(try await store.serverValue("key", orElse: [2]) == [])
    }
  }
}
