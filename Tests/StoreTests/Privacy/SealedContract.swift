import AlarmEngine
import TestSupport
import Testing

@testable import Store

@Suite("Contract: sealed messages")
struct SealedContract {
  typealias S = StoreSamples

  private static func key(_ byte: UInt8, of account: Account, at seconds: Double = 0) -> SealedKey {
    SealedKey(
      account: account.id, publicKey: [UInt8](repeating: byte, count: 32), name: "browser \(byte)",
      createdAt: S.time(seconds))
  }

  private static func message(
    to key: SealedKey, from sender: Account, _ byte: UInt8 = 1, at seconds: Double = 10
  ) -> SealedMessage {
    SealedMessage(key: key.id, sender: sender.id, bytes: [byte, 0, 255], createdAt: S.time(seconds))
  }

  @Test(arguments: StoreForm.allCases)
  func `a message goes to somebody who has agreed, waits for their browser, and goes when it is dropped`(
    form: StoreForm
  ) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let ben = try await store.makeAccount("Ben")
      let carl = try await store.makeAccount("carl")
      let key = try await store.register(Self.key(1, of: ben))
      await #expect(throws: StoreError.notFound) {
        try await store.post(Self.message(to: key, from: anna))
      }
      await #expect(throws: StoreError.taken) { try await store.ask("ANNA", by: anna.id, at: S.time(1)) }
      let asked = try await store.ask("bEN", by: anna.id, at: S.time(1))
      #expect(asked.viewer == nil && asked.login == "bEN" && asked.viewerName.isEmpty)
      #expect(try await store.ask("ben", by: anna.id, at: S.time(2)).id == asked.id)
      #expect(try await store.sealedContacts(of: carl.id, at: S.time(2)).isEmpty)
      #expect(try await store.sealedContacts(of: ben.id, at: S.time(2)).map(\.ownerLogin) == ["anna"])
      for account in [anna, carl] {
        await #expect(throws: StoreError.notFound) {
          try await store.agree(asked.id, by: account.id, at: S.time(2))
        }
      }
      await #expect(throws: StoreError.notFound) { try await store.sealedKeys(by: asked.id, for: anna.id) }
      try await store.agree(asked.id, by: ben.id, at: S.time(3))
      #expect(try await store.sealedKeys(by: asked.id, for: anna.id) == [key])
      await #expect(throws: StoreError.notFound) { try await store.sealedKeys(by: asked.id, for: carl.id) }
      await #expect(throws: StoreError.notFound) {
        try await store.post(Self.message(to: key, from: carl))
      }
      let message = Self.message(to: key, from: anna)
      #expect(try await store.post(message) == ben.id)
      await #expect(throws: StoreError.taken) { try await store.post(message) }
      let feed = try await store.changes(of: ben.id, after: .start, limit: 100)
      #expect(feed.entries.contains { $0.kind == .sealed && $0.id == key.id.rawValue })
      for _ in 0..<2 {
        #expect(
          try await store.sealedMessages(for: key.id, of: ben.id, limit: 10, at: S.time(20)) == [message])
      }
      await #expect(throws: StoreError.notFound) {
        try await store.sealedMessages(for: key.id, of: anna.id, limit: 10, at: S.time(20))
      }
      // Another account's message is ignored.
      try await store.dropSealed([message.id], of: anna.id)
      #expect(try await store.sealedMessages(for: key.id, of: ben.id, limit: 10, at: S.time(20)).count == 1)
      try await store.dropSealed([message.id, message.id], of: ben.id)
      #expect(try await store.sealedMessages(for: key.id, of: ben.id, limit: 10, at: S.time(20)).isEmpty)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `who asks somebody who has asked agrees, and either ends it with what waits`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let ben = try await store.makeAccount("ben")
      let keys = [
        try await store.register(Self.key(1, of: anna)), try await store.register(Self.key(2, of: ben)),
      ]
      let asked = try await store.ask("ben", by: anna.id, at: S.time(1))
      let agreed = try await store.ask("Anna", by: ben.id, at: S.time(2))
      #expect(agreed.id == asked.id && agreed.viewer == ben.id)
      _ = try await store.post(Self.message(to: keys[1], from: anna))
      _ = try await store.post(Self.message(to: keys[0], from: ben))
      // A browser of the same account needs no agreement.
      let own = Self.message(to: keys[0], from: anna, 9)
      _ = try await store.post(own)
      try await store.end(asked.id, by: ben.id, at: S.time(3))
      #expect(try await store.sealedContacts(of: anna.id, at: S.time(3)).isEmpty)
      #expect(
        try await store.sealedMessages(for: keys[1].id, of: ben.id, limit: 10, at: S.time(20)).isEmpty)
      #expect(
        try await store.sealedMessages(for: keys[0].id, of: anna.id, limit: 10, at: S.time(20)) == [own])
      await #expect(throws: StoreError.notFound) { try await store.end(asked.id, by: ben.id, at: S.time(4)) }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `keys, questions and messages are bounded in number and time`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let ben = try await store.makeAccount("ben")
      let first = try await store.register(Self.key(1, of: anna))
      #expect(try await store.register(Self.key(1, of: anna, at: 5)) == first)
      for byte in 2...UInt8(SealedKey.most) { try await store.register(Self.key(byte, of: anna)) }
      await #expect(throws: StoreError.tooMany(allowed: SealedKey.most)) {
        try await store.register(Self.key(99, of: anna))
      }
      for number in 0..<SealedMessage.most {
        _ = try await store.post(Self.message(to: first, from: anna, at: Double(number)))
      }
      await #expect(throws: StoreError.tooMany(allowed: SealedMessage.most)) {
        try await store.post(Self.message(to: first, from: anna))
      }
      let week = 7.0 * 86_400
      #expect(
        try await store.sealedMessages(for: first.id, of: anna.id, limit: 1000, at: S.time(week + 100.5))
          .count
          == SealedMessage.most - 101)
      _ = try await store.ask("ben", by: anna.id, at: S.time(1))
      var retention = Retention()
      retention.triesBefore = S.time(31 * 86_400)
      while try await store.prune(retention, limit: 100) > 0 {}
      #expect(try await store.sealedContacts(of: ben.id, at: S.time(2)).isEmpty)
      #expect(
        try await store.sealedMessages(for: first.id, of: anna.id, limit: 1000, at: S.time(1)).isEmpty)
      try await store.removeSealedKey(first.id, of: anna.id, at: S.time(2))
      await #expect(throws: StoreError.notFound) {
        try await store.removeSealedKey(first.id, of: anna.id, at: S.time(2))
      }
    }
  }
}
