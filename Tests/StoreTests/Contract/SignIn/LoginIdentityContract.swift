import AlarmEngine
import TestSupport
import Testing

@testable import Store

@Suite("Contract: who signs in by a provider")
struct LoginIdentityContract {
  typealias S = StoreSamples

  private static func identity(
    _ account: AccountID, _ subject: String, issuer: String = "https://login.example", at seconds: Double = 0
  ) -> LoginIdentity {
    LoginIdentity(
      account: account, issuer: issuer, subject: subject, name: "name of \(subject)",
      boundAt: S.time(seconds))
  }

  @Test(arguments: StoreForm.allCases)
  func `somebody at a provider signs in to one account`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna").id
      let ben = try await store.makeAccount("ben").id
      let first = Self.identity(anna, "7")
      try await store.bind(first)
      for account in [anna, ben] {
        await #expect(throws: StoreError.taken) { try await store.bind(Self.identity(account, "7")) }
      }
      // The same number at another provider is another person, and case matters.
      try await store.bind(Self.identity(ben, "7", issuer: "https://login.example/"))
      try await store.bind(Self.identity(anna, "a", at: 1))
      try await store.bind(Self.identity(anna, "A", at: 2))
      #expect(try await store.loginIdentity(issuer: "https://login.example", subject: "7") == first)
      #expect(try await store.loginIdentity(issuer: "https://login.example/", subject: "7").account == ben)
      #expect(try await store.loginIdentities(of: anna).map(\.subject) == ["7", "a", "A"])
      try await store.touch(first.id, at: S.time(9))
      #expect(try await store.loginIdentities(of: anna).first?.lastUsedAt == S.time(9))
      await #expect(throws: StoreError.notFound) { try await store.unbind(first.id, of: ben) }
      try await store.unbind(first.id, of: anna)
      await #expect(throws: StoreError.notFound) { try await store.unbind(first.id, of: anna) }
      await #expect(throws: StoreError.notFound) { try await store.touch(first.id, at: S.time()) }
      await #expect(throws: StoreError.notFound) {
        try await store.loginIdentity(issuer: "https://login.example", subject: "7")
      }
      await #expect(throws: StoreError.notFound) {
        try await store.bind(Self.identity(AccountID(rawValue: 3), "8"))
      }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `an account has some, and takes them with it`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna").id
      for number in 0..<LoginIdentity.most { try await store.bind(Self.identity(anna, "\(number)")) }
      await #expect(throws: StoreError.tooMany(allowed: LoginIdentity.most)) {
        try await store.bind(Self.identity(anna, "more"))
      }
      _ = try await store.erase(anna, limit: 1)
      await #expect(throws: StoreError.notFound) {
        try await store.loginIdentity(issuer: "https://login.example", subject: "0")
      }
      while try await !store.erase(anna, limit: 100) {}
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `an account is made with who signs in to it, or not at all`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = S.account("anna")
      try await store.create(anna, with: Self.identity(anna.id, "1"))
      #expect(try await store.account(login: "anna").id == anna.id)
      // The login is free, but the person has an account: nothing must remain.
      let ben = S.account("ben")
      await #expect(throws: StoreError.taken) {
        try await store.create(ben, with: Self.identity(ben.id, "1"))
      }
      await #expect(throws: StoreError.notFound) { try await store.account(login: "ben") }
      let other = S.account("Anna")
      await #expect(throws: StoreError.taken) {
        try await store.create(other, with: Self.identity(other.id, "2"))
      }
      #expect(try await store.loginIdentities(of: other.id).isEmpty)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a challenge is good once, and is forgotten when nobody may take it any more`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      try await store.useUp(S.hash(1), until: S.time(300), at: S.time())
      await #expect(throws: StoreError.taken) {
        try await store.useUp(S.hash(1), until: S.time(300), at: S.time(299))
      }
      try await store.useUp(S.hash(2), until: S.time(400), at: S.time(300))
      await #expect(throws: StoreError.taken) {
        try await store.useUp(S.hash(1), until: S.time(300), at: S.time(300))
      }
      // Deleted when the next one is used.
      try await store.useUp(S.hash(3), until: S.time(700), at: S.time(301))
      try await store.useUp(S.hash(1), until: S.time(700), at: S.time(301))
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `of two processes that are shown the same challenge one takes it`(form: StoreForm) async throws {
    try await form.withTwo { first, second in
      for number: UInt8 in 1...10 {
        async let one = Self.uses(first, number)
        async let other = Self.uses(second, number)
        let (a, b) = (await one, await other)
        #expect(a != b)
      }
    }
  }

  private static func uses(_ store: SQLStore, _ number: UInt8) async -> Bool {
    do {
      try await store.useUp(S.hash(number), until: S.time(300), at: S.time())
      return true
    } catch { return false }
  }
}
