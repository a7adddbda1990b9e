import AlarmEngine
import TestSupport
import Testing

@testable import Store

@Suite("Contract: audit log")
struct AuditContract {
  typealias S = StoreSamples

  private static func entry(_ account: AccountID, _ seconds: Double, _ action: String) -> AuditEntry {
    AuditEntry(account: account, at: S.time(seconds), action: action, actor: .commandLine)
  }

  @Test(arguments: StoreForm.allCases)
  func `what was done is told to its account alone, the latest first, as it was noted`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna").id
      let ben = try await store.makeAccount("ben").id
      let long = String(repeating: "ü", count: 300)
      let entries = [
        AuditEntry(
          account: anna, at: S.time(1), action: "logIn", isRefused: true, actor: .stranger(userAgent: "curl"),
          address: "203.0.113.9"),
        AuditEntry(
          account: anna, at: S.time(2), action: "createToken", subject: long, actor: .session(userAgent: long)
        ),
        AuditEntry(account: anna, at: S.time(3), action: "putDevice", actor: .token(name: "Küche")),
        Self.entry(anna, 4, "disable"),
      ]
      // In any order.
      for entry in [entries[2], entries[0], entries[3], entries[1]] { try await store.note(entry) }
      try await store.note(Self.entry(ben, 5, "enable"))
      let told = try await store.auditLog(of: anna, before: nil, limit: 10)
      #expect(told.map(\.action) == ["disable", "putDevice", "createToken", "logIn"])
      #expect(told[0] == entries[3] && told[1] == entries[2] && told[3] == entries[0])
      let cut = String(long.prefix(AuditEntry.longestText))
      #expect(told[2].subject == cut && told[2].actor == .session(userAgent: cut))
      let page = try await store.auditLog(of: anna, before: told[1].id, limit: 1)
      #expect(page == [told[2]])
      #expect(try await store.auditLog(of: anna, before: told[3].id, limit: 9).isEmpty)
      await #expect(throws: StoreError.notFound) {
        try await store.note(Self.entry(AccountID(rawValue: 77), 1, "enable"))
      }
      while try await !store.erase(anna, limit: 100) {}
      #expect(try await store.auditLog(of: anna, before: nil, limit: 9).isEmpty)
      #expect(try await store.auditLog(of: ben, before: nil, limit: 9).count == 1)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `old entries go, and of each account those that are too many`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna").id
      let ben = try await store.makeAccount("ben").id
      for second in 1...9 { try await store.note(Self.entry(anna, Double(second), "\(second)")) }
      for second in 1...4 { try await store.note(Self.entry(ben, Double(second), "\(second)")) }
      var retention = Retention()
      retention.auditBefore = S.time(3)
      retention.auditEntries = 4
      var steps = 0
      while try await store.prune(retention, limit: 2) > 0 { steps += 1 }
      #expect(steps >= 4)
      let kept = try await store.auditLog(of: anna, before: nil, limit: 99).map(\.action)
      #expect(kept == ["9", "8", "7", "6"])
      #expect(try await store.auditLog(of: ben, before: nil, limit: 99).map(\.action) == ["4", "3"])
    }
  }
}
