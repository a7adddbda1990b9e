import AlarmEngine
import Testing

@testable import Store

@Suite("Contract: codes that sign another device in")
struct SignInCodeContract {
  typealias S = StoreSamples

  private static func session(_ byte: UInt8, of account: Account, until end: Double = 900) -> Store.Session {
    Store.Session(
      account: account.id, hash: S.hash(byte), userAgent: "", createdAt: S.time(), expiresAt: S.time(end))
  }

  private static func code(_ byte: UInt8, _ session: Store.Session, at seconds: Double = 0) -> SignInCode {
    SignInCode(
      hash: S.hash(byte), account: session.account, session: session.id, createdAt: S.time(seconds),
      expiresAt: S.time(seconds + 60))
  }

  @Test(arguments: StoreForm.allCases)
  func `a code opens its account once and in time`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let session = Self.session(7, of: anna)
      try await store.create(session)
      try await store.create(Self.code(1, session))
      try await store.create(Self.code(2, session))
      await #expect(throws: StoreError.notFound) { try await store.redeem(S.hash(9), at: S.time(1)) }
      await #expect(throws: StoreError.notFound) { try await store.redeem(S.hash(1), at: S.time(60)) }
      #expect(try await store.redeem(S.hash(2), at: S.time(59)).id == anna.id)
      await #expect(throws: StoreError.notFound) { try await store.redeem(S.hash(2), at: S.time(59)) }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `of two processes one uses a code up`(form: StoreForm) async throws {
    try await form.withTwo { first, second in
      let anna = try await first.makeAccount("anna")
      let session = Self.session(7, of: anna)
      try await first.create(session)
      for round in UInt8(0)..<20 {
        try await first.create(Self.code(round + 10, session))
        let opened = await withTaskGroup(of: Bool.self) { group in
          for store in [first, second] {
            group.addTask {
              (try? await store.redeem(S.hash(round + 10), at: S.time(1))) != nil
            }
          }
          return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(opened == 1)
      }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `the oldest code ends when there are too many`(form: StoreForm) async throws {
    try await form.withStore { store in
      let (anna, ben) = (try await store.makeAccount("anna"), try await store.makeAccount("ben"))
      let (hers, his) = (Self.session(7, of: anna), Self.session(8, of: ben))
      try await store.create(hers)
      try await store.create(his)
      try await store.create(Self.code(100, his))
      let most = UInt8(SignInCode.most)
      for number in 0...most { try await store.create(Self.code(number, hers, at: Double(number))) }
      await #expect(throws: StoreError.notFound) { try await store.redeem(S.hash(0), at: S.time(5)) }
      for number in 1...most { _ = try await store.redeem(S.hash(number), at: S.time(5)) }
      #expect(try await store.redeem(S.hash(100), at: S.time(5)).id == ben.id)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a code ends with its session, a new password, and a disabled account`(form: StoreForm) async throws {
    try await form.withStore { store in
      let (anna, ben) = (try await store.makeAccount("anna"), try await store.makeAccount("ben"))
      let session = Self.session(7, of: anna)
      try await store.create(session)
      // The session is not Ben's.
      await #expect(throws: StoreError.notFound) {
        try await store.create(
          SignInCode(
            hash: S.hash(1), account: ben.id, session: session.id, createdAt: S.time(), expiresAt: S.time(60))
        )
      }
      try await store.create(Self.code(2, session))
      try await store.end(session.id, of: anna.id)
      await #expect(throws: StoreError.notFound) { try await store.redeem(S.hash(2), at: S.time(1)) }
      await #expect(throws: StoreError.notFound) { try await store.create(Self.code(3, session)) }
      let short = Self.session(8, of: anna, until: 30)
      try await store.create(short)
      try await store.create(Self.code(4, short))
      await #expect(throws: StoreError.notFound) { try await store.redeem(S.hash(4), at: S.time(30)) }
      await #expect(throws: StoreError.notFound) { try await store.create(Self.code(5, short, at: 30)) }
      let kept = Self.session(9, of: anna)
      try await store.create(kept)
      try await store.create(Self.code(6, kept))
      // The session that changes the password goes on, but its codes end.
      try await store.setPassword(
        hash: "new", of: anna.id, keeping: kept.id, revokingTokens: false, at: S.time(1))
      await #expect(throws: StoreError.notFound) { try await store.redeem(S.hash(6), at: S.time(2)) }
      try await store.create(Self.code(7, kept))
      var disabled = try await store.account(anna.id)
      disabled.isDisabled = true
      try await store.save(disabled, over: disabled.revision, at: S.time(3))
      await #expect(throws: StoreError.notFound) { try await store.redeem(S.hash(7), at: S.time(4)) }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `expired codes are pruned`(form: StoreForm) async throws {
    try await form.withStore { store in
      let session = Self.session(7, of: try await store.makeAccount("anna"))
      try await store.create(session)
      try await store.create(Self.code(1, session))
      var retention = Retention()
      retention.expiredBefore = S.time(60)
      #expect(try await store.prune(retention, limit: 9) == 0)
      retention.expiredBefore = S.time(61)
      #expect(try await store.prune(retention, limit: 9) == 1)
    }
  }
}
