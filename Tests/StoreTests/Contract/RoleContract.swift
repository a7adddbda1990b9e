import AlarmEngine
import Testing

@testable import Store

@Suite("Contract: roles of one process at a time")
struct RoleContract {
  typealias S = StoreSamples

  @Test(arguments: StoreForm.allCases)
  func `a role is one owner's until it runs out, is left, or the clock is set far back`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      func take(_ owner: String, at seconds: Double, _ name: String = "mqtt") async throws -> Bool {
        try await store.takeRole(name, by: owner, for: .seconds(15), at: S.time(seconds))
      }
      #expect(try await take("first host /data", at: 0))
      #expect(try await !take("second", at: 1))
      #expect(try await take("second", at: 1, "other"))
      #expect(try await take("first host /data", at: 10))
      #expect(try await !take("second", at: 24.9))
      #expect(try await take("second", at: 25))
      #expect(try await !take("first host /data", at: 26))
      try await store.leaveRole("mqtt", by: "first host /data")
      #expect(try await !take("first host /data", at: 27))
      try await store.leaveRole("mqtt", by: "second")
      #expect(try await take("first host /data", at: 27))
      #expect(try await take("second", at: -1000))
      // A value that cannot be read counts as free.
      try await store.setServerValue("role-mqtt", to: [0xFF])
      #expect(try await take("first host /data", at: 28))
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `of two processes that ask at once one has the role`(form: StoreForm) async throws {
    try await form.withTwo { first, second in
      for round in 0..<20 {
        async let one = first.takeRole("role \(round)", by: "one", for: .seconds(15), at: S.time())
        async let two = second.takeRole("role \(round)", by: "two", for: .seconds(15), at: S.time())
        let answers = try await [one, two]
        #expect(answers.filter { $0 }.count == 1)
      }
    }
  }
}
