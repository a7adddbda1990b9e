import AlarmEngine
import Testing

@testable import Store

@Suite("Contract: who gets in and is written to")
struct AccessContract {
  typealias S = StoreSamples

  private static func link(_ byte: UInt8, isPrinted: Bool) -> SetupLink {
    SetupLink(
      hash: S.hash(byte), isAdministrator: true, isPrinted: isPrinted, createdAt: S.time(),
      expiresAt: S.time(60))
  }

  @Test(arguments: StoreForm.allCases)
  func `each printed link is good until there is an account, and none is kept then`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      try await store.save(Self.link(1, isPrinted: true))
      try await store.save(Self.link(9, isPrinted: false))
      try await store.save(Self.link(2, isPrinted: true))
      #expect(try await store.setupLink(S.hash(1), at: S.time(1)).isPrinted)
      #expect(try await store.setupLink(S.hash(2), at: S.time(1)).isPrinted)
      try await store.create(S.account("anna"), by: S.hash(9))
      for byte: UInt8 in [1, 2] {
        await #expect(throws: StoreError.notFound) { try await store.setupLink(S.hash(byte), at: S.time(1)) }
      }
      // A process that checked before the account was made must print no link.
      await #expect(throws: StoreError.taken) { try await store.save(Self.link(3, isPrinted: true)) }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a link for a new password works once, in time, and ends sessions`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      try await store.create(
        Session(
          account: anna.id, hash: S.hash(7), userAgent: "", createdAt: S.time(), expiresAt: S.time(900)))
      for (byte, device) in [
        (UInt8(1), nil as DeviceID?), (2, try await store.makeDevice("phone", of: anna).id),
      ] {
        try await store.create(
          DeviceToken(
            account: anna.id, device: device, hash: S.hash(byte + 100), name: "", createdAt: S.time()))
      }
      func reset(_ byte: UInt8) async throws {
        try await store.save(PasswordReset(hash: S.hash(byte), account: anna.id, expiresAt: S.time(60)))
      }
      func use(_ byte: UInt8, at seconds: Double, revoking: Bool = false) async throws {
        _ = try await store.setPassword(
          hash: "new \(byte)", by: S.hash(byte), revokingTokens: revoking, at: S.time(seconds))
      }
      try await reset(1)
      try await reset(2)
      await #expect(throws: StoreError.notFound) { try await use(1, at: 1) }
      await #expect(throws: StoreError.notFound) { try await use(2, at: 60) }
      // Looking at a link does not use it up.
      #expect(try await store.passwordReset(S.hash(2), at: S.time(59)).account == anna.id)
      await #expect(throws: StoreError.notFound) {
        _ = try await store.passwordReset(S.hash(1), at: S.time(1))
      }
      await #expect(throws: StoreError.notFound) {
        _ = try await store.passwordReset(S.hash(2), at: S.time(60))
      }
      #expect(try await store.sessions(of: anna.id, at: S.time(1)).count == 1)
      try await use(2, at: 59)
      await #expect(throws: StoreError.notFound) { try await use(2, at: 59) }
      #expect(try await store.account(anna.id).passwordHash == "new 2")
      #expect(try await store.sessions(of: anna.id, at: S.time(1)).isEmpty)
      #expect(try await store.tokens(of: anna.id).count == 2)
      try await reset(3)
      try await use(3, at: 1, revoking: true)
      #expect(try await store.tokens(of: anna.id).map { $0.device == nil } == [false])
      // A change of the password in another way ends the links too.
      try await reset(4)
      try await store.setPassword(hash: "x", of: anna.id, keeping: nil, at: S.time(2))
      await #expect(throws: StoreError.notFound) { try await use(4, at: 3) }
      try await reset(5)
      var disabled = try await store.account(anna.id)
      disabled.isDisabled = true
      try await store.save(disabled, over: disabled.revision, at: S.time(4))
      await #expect(throws: StoreError.notFound) { try await use(5, at: 5) }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `an address is confirmed by its last link, in time, for one account`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let ben = try await store.makeAccount("ben")
      func ask(_ byte: UInt8) async throws {
        try await store.askToConfirm("a@example.org", of: anna.id, by: S.hash(byte), until: S.time(60))
      }
      try await ask(1)
      try await ask(2)
      await #expect(throws: StoreError.notFound) { try await store.confirm(by: S.hash(1), at: S.time(1)) }
      await #expect(throws: StoreError.notFound) { try await store.confirm(by: S.hash(2), at: S.time(60)) }
      #expect(try await store.mailAddress("a@example.org", of: anna.id)?.confirmedAt == nil)
      // Looking at a link does not use it up.
      #expect(try await store.confirmation(S.hash(2), at: S.time(59)).address == "a@example.org")
      await #expect(throws: StoreError.notFound) {
        _ = try await store.confirmation(S.hash(1), at: S.time(1))
      }
      await #expect(throws: StoreError.notFound) {
        _ = try await store.confirmation(S.hash(2), at: S.time(60))
      }
      #expect(try await store.confirm(by: S.hash(2), at: S.time(5)).confirmedAt == S.time(5))
      await #expect(throws: StoreError.notFound) { try await store.confirm(by: S.hash(2), at: S.time(5)) }
      // Asking again does not withdraw the confirmation.
      try await ask(3)
      #expect(try await store.mailAddress("a@example.org", of: anna.id)?.confirmedAt == S.time(5))
      #expect(try await store.mailAddress("a@example.org", of: ben.id) == nil)
      try await store.setOwnMailAddress("a@example.org", of: anna.id, at: S.time(6))
      try await store.setOwnMailAddress("b@example.org", of: anna.id, at: S.time(7))
      #expect(try await store.mailAddresses(of: anna.id).map(\.isOwn) == [false, true])
      try await store.setOwnMailAddress(nil, of: anna.id, at: S.time(8))
      #expect(try await store.mailAddresses(of: anna.id).map(\.isOwn) == [false, false])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `the latest addresses that somebody signed in from are remembered`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let ben = try await store.makeAccount("ben")
      for byte in UInt8(0)..<60 {
        try await store.noteSignIn(of: anna.id, from: S.hash(byte), at: S.time(Double(byte)))
      }
      try await store.noteSignIn(of: anna.id, from: S.hash(10), at: S.time(100))
      try await store.noteSignIn(of: anna.id, from: S.hash(99), at: S.time(101))
      #expect(try await store.hasSignedIn(anna.id, from: S.hash(10)))
      #expect(try await !store.hasSignedIn(anna.id, from: S.hash(0)))
      #expect(try await !store.hasSignedIn(ben.id, from: S.hash(10)))
      var retention = Retention()
      retention.signInsBefore = S.time(101)
      while try await store.prune(retention, limit: 7) > 0 {}
      #expect(try await !store.hasSignedIn(anna.id, from: S.hash(10)))
      #expect(try await store.hasSignedIn(anna.id, from: S.hash(99)))
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `channels of one kind are found in all accounts`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      var made = try await store.makeChannel("hook", of: anna)
      #expect(try await store.activeChannels(of: .webhook).map(\.id) == [made.id])
      #expect(try await store.activeChannels(of: .homeAssistant).isEmpty)
      made.isActive = false
      try await store.save(made, over: made.revision, at: S.time(1))
      #expect(try await store.activeChannels(of: .webhook).isEmpty)
    }
  }
}
