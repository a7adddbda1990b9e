import AlarmEngine
import TestSupport
import Testing

@testable import Store

@Suite("Contract: passkeys")
struct PasskeyContract {
  typealias S = StoreSamples

  private static func passkey(
    _ account: AccountID, _ number: UInt8, count: UInt32 = 0, at seconds: Double = 0
  ) -> Passkey {
    Passkey(
      account: account, credential: [number, 0, 255], publicKey: [1, 2, number],
      relyingParty: "alarm.example", signCount: count, name: "key \(number)", createdAt: S.time(seconds))
  }

  @Test(arguments: StoreForm.allCases)
  func `a passkey is kept as it was given, found by its credential, renamed and removed`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna").id
      let ben = try await store.makeAccount("ben").id
      let (first, second) = (Self.passkey(anna, 1, count: .max), Self.passkey(anna, 2, at: 1))
      try await store.add(second)
      try await store.add(first)
      #expect(try await store.passkey(credential: [1, 0, 255]) == first)
      #expect(try await store.passkeys(of: anna) == [first, second])
      #expect(try await store.passkeys(of: ben).isEmpty)
      // A key's id, chosen by the authenticator, is unique among all accounts.
      for account in [anna, ben] {
        await #expect(throws: StoreError.taken) { try await store.add(Self.passkey(account, 1)) }
      }
      await #expect(throws: StoreError.notFound) {
        try await store.add(Self.passkey(AccountID(rawValue: 3), 3))
      }
      await #expect(throws: StoreError.notFound) { try await store.rename(first.id, to: "x", of: ben) }
      try await store.rename(first.id, to: "Phone", of: anna)
      #expect(try await store.passkeys(of: anna).map(\.name) == ["Phone", "key 2"])
      await #expect(throws: StoreError.notFound) { try await store.remove(first.id, of: ben) }
      try await store.remove(first.id, of: anna)
      await #expect(throws: StoreError.notFound) { try await store.remove(first.id, of: anna) }
      await #expect(throws: StoreError.notFound) { try await store.passkey(credential: [1, 0, 255]) }
      try await store.removePasskeys(of: anna)
      #expect(try await store.passkeys(of: anna).isEmpty)
      await #expect(throws: StoreError.notFound) { try await store.removePasskeys(of: anna) }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a count only grows, unless the authenticator does not count`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna").id
      let silent = Self.passkey(anna, 1)
      let counting = Self.passkey(anna, 2, count: 5)
      try await store.add(silent)
      try await store.add(counting)
      for seconds in [1.0, 2] { try await store.use(silent.id, count: 0, at: S.time(seconds)) }
      #expect(try await store.passkey(credential: silent.credential).lastUsedAt == S.time(2))
      for count: UInt32 in [0, 4, 5] {
        await #expect(throws: StoreError.taken) {
          try await store.use(counting.id, count: count, at: S.time(3))
        }
      }
      #expect(try await store.passkey(credential: counting.credential).lastUsedAt == nil)
      try await store.use(counting.id, count: .max, at: S.time(4))
      let stored = try await store.passkey(credential: counting.credential)
      #expect(stored.signCount == .max && stored.lastUsedAt == S.time(4))
      // A key that has begun to count must not return to zero.
      try await store.use(silent.id, count: 1, at: S.time(5))
      await #expect(throws: StoreError.taken) { try await store.use(silent.id, count: 0, at: S.time(6)) }
      await #expect(throws: StoreError.notFound) {
        try await store.use(PasskeyID(rawValue: 3), count: 9, at: S.time(6))
      }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `an account has some, and takes them with it`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna").id
      for number in 0..<UInt8(Passkey.most) { try await store.add(Self.passkey(anna, number)) }
      await #expect(throws: StoreError.tooMany(allowed: Passkey.most)) {
        try await store.add(Self.passkey(anna, 200))
      }
      _ = try await store.erase(anna, limit: 1)
      await #expect(throws: StoreError.notFound) { try await store.passkey(credential: [0, 0, 255]) }
      while try await !store.erase(anna, limit: 100) {}
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `of two processes that are shown the same signature one lets in`(form: StoreForm) async throws {
    try await form.withTwo { first, second in
      let anna = try await first.makeAccount("anna").id
      let key = Self.passkey(anna, 1, count: 1)
      try await first.add(key)
      for count: UInt32 in 2..<10 {
        async let one = Self.uses(first, key.id, count)
        async let other = Self.uses(second, key.id, count)
        let (a, b) = (await one, await other)
        #expect(a != b)
      }
    }
  }

  private static func uses(_ store: SQLStore, _ id: PasskeyID, _ count: UInt32) async -> Bool {
    do {
      try await store.use(id, count: count, at: S.time())
      return true
    } catch { return false }
  }
}
