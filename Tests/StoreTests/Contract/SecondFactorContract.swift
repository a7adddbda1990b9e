import AlarmEngine
import TestSupport
import Testing

@testable import Store

@Suite("Contract: second factors of signing in")
struct SecondFactorContract {
  typealias S = StoreSamples

  @Test(arguments: StoreForm.allCases)
  func `a factor counts once it is confirmed, and each code once`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna").id
      let ben = try await store.makeAccount("ben").id
      await #expect(throws: StoreError.notFound) { try await store.secondFactor(of: anna) }
      let first = SecondFactor(account: anna, secret: [1, 2, 3])
      let second = SecondFactor(account: anna, secret: [4, 5, 6])
      try await store.begin(first)
      try await store.begin(second)
      // The replaced one can no longer be confirmed, and the new one cannot be used before it is confirmed.
      await #expect(throws: StoreError.notFound) {
        try await store.confirm(first, step: 9, recoveryCodes: [], at: S.time())
      }
      await #expect(throws: StoreError.notFound) { try await store.use(step: 10, of: anna) }
      #expect(try await store.secondFactor(of: anna).confirmedAt == nil)
      try await store.confirm(second, step: 9, recoveryCodes: [S.hash(1), S.hash(2)], at: S.time(5))
      let stored = try await store.secondFactor(of: anna)
      #expect(stored.secret == [4, 5, 6] && stored.confirmedAt == S.time(5))
      #expect(stored.lastStep == 9 && stored.recoveryCodes == 2)
      await #expect(throws: StoreError.taken) { try await store.begin(first) }
      for step: Int64 in [8, 9] {
        await #expect(throws: StoreError.notFound) { try await store.use(step: step, of: anna) }
      }
      try await store.use(step: 11, of: anna)
      await #expect(throws: StoreError.notFound) { try await store.use(step: 10, of: anna) }
      await #expect(throws: StoreError.notFound) { try await store.use(recoveryCode: S.hash(1), of: ben) }
      try await store.use(recoveryCode: S.hash(1), of: anna)
      await #expect(throws: StoreError.notFound) { try await store.use(recoveryCode: S.hash(1), of: anna) }
      #expect(try await store.secondFactor(of: anna).recoveryCodes == 1)
      try await store.removeSecondFactor(of: anna)
      await #expect(throws: StoreError.notFound) { try await store.removeSecondFactor(of: anna) }
      await #expect(throws: StoreError.notFound) { try await store.use(recoveryCode: S.hash(2), of: anna) }
      try await store.begin(first)
      while try await !store.erase(anna, limit: 100) {}
      await #expect(throws: StoreError.notFound) { try await store.begin(first) }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `of two processes that are shown the same code one lets in`(form: StoreForm) async throws {
    try await form.withTwo { first, second in
      let anna = try await first.makeAccount("anna").id
      let factor = SecondFactor(account: anna, secret: [7])
      try await first.begin(factor)
      try await second.confirm(factor, step: 1, recoveryCodes: [S.hash(1)], at: S.time())
      for step: Int64 in 2..<12 {
        async let one = Self.succeeds { () async throws in try await first.use(step: step, of: anna) }
        async let other = Self.succeeds { () async throws in try await second.use(step: step, of: anna) }
        let (a, b) = (await one, await other)
        #expect(a != b)
      }
      async let one = Self.succeeds { () async throws in
        try await first.use(recoveryCode: S.hash(1), of: anna)
      }
      async let other = Self.succeeds { () async throws in
        try await second.use(recoveryCode: S.hash(1), of: anna)
      }
      let (a, b) = (await one, await other)
      #expect(a != b)
    }
  }

  private static func succeeds(_ body: @Sendable () async throws -> Void) async -> Bool {
    do {
      try await body()
      return true
    } catch { return false }
  }
}
