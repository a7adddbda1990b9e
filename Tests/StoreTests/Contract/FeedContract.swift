import AlarmEngine
import Foundation
import Testing

@testable import Store

@Suite("Contract: where the change feed can be taken up again")
struct FeedContract {
  typealias S = StoreSamples

  private static func edit(_ store: SQLStore, _ account: Account, _ zone: UInt64) async throws {
    _ = try await store.save(S.zone(zone), of: account.id, in: nil, over: nil, at: S.time())
  }

  @Test(arguments: StoreForm.allCases)
  func `a reader goes on through restarts, and not from beyond the end`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let first = try await store.feedEpoch()
      try await Self.edit(store, anna, 1)
      let cursor = try await store.cursor(of: anna.id)
      let second = FeedEpoch(rawValue: 2)
      try await store.begin(second)
      #expect(try await store.feedEpoch() == second)
      try await Self.edit(store, anna, 2)
      for epoch in [first, second, nil] {
        #expect(try await store.canResume(anna.id, after: cursor, of: epoch))
        #expect(try await store.canResume(anna.id, after: .start, of: epoch))
        #expect(
          try await !store.canResume(anna.id, after: ChangeCursor(rawValue: 99_999_999), of: epoch))
      }
      // The first epoch ended before this change, and a third never existed.
      let last = try await store.cursor(of: anna.id)
      #expect(try await !store.canResume(anna.id, after: last, of: first))
      #expect(try await store.canResume(anna.id, after: last, of: second))
      #expect(try await !store.canResume(anna.id, after: cursor, of: FeedEpoch(rawValue: 3)))
      #expect(try await store.canResume(anna.id, after: .start, of: FeedEpoch(rawValue: 3)))
    }
  }

  @Test
  func `after an older copy was put back, whoever has read more begins anew, with the same numbers too`()
    async throws
  {
    try await withFolder { folder in
      let (file, copy) = (folder + "/store.sqlite", folder + "/copy.sqlite")
      var store = try SQLStore(sqlite: file)
      let anna = try await store.makeAccount("anna")
      try await store.begin(FeedEpoch(rawValue: 1))
      try await Self.edit(store, anna, 1)
      let early = try await store.cursor(of: anna.id)
      try await store.backUp(to: copy, progress: { _ in })
      try await Self.edit(store, anna, 2)
      let late = try await store.cursor(of: anna.id)
      try await store.close()
      for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) }
      try FileManager.default.moveItem(atPath: copy, toPath: file)
      store = try SQLStore(sqlite: file)
      try await store.begin(FeedEpoch(rawValue: 2))
      #expect(try await !store.canResume(anna.id, after: late, of: FeedEpoch(rawValue: 1)))
      #expect(try await !store.canResume(anna.id, after: late, of: nil))
      #expect(try await store.canResume(anna.id, after: early, of: FeedEpoch(rawValue: 1)))
      // Other changes now have the same numbers.
      try await Self.edit(store, anna, 3)
      try await Self.edit(store, anna, 4)
      #expect(try await !store.canResume(anna.id, after: late, of: FeedEpoch(rawValue: 1)))
      #expect(try await store.canResume(anna.id, after: late, of: FeedEpoch(rawValue: 2)))
      try await store.close()
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `each account's feed is counted for itself, by one for each change`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let ben = try await store.makeAccount("ben")
      let (annas, bens) = (try await store.cursor(of: anna.id), try await store.cursor(of: ben.id))
      for zone in 1...3 as ClosedRange<UInt64> { try await Self.edit(store, ben, zone) }
      #expect(try await store.cursor(of: anna.id) == annas)
      #expect(try await store.cursor(of: ben.id).rawValue == bens.rawValue + 3)
      // A cursor of one account is not valid for another.
      let latest = try await store.cursor(of: ben.id)
      #expect(try await !store.canResume(anna.id, after: latest, of: nil))
      let page = try await store.changes(of: ben.id, after: bens, limit: 2)
      #expect(page.entries.map(\.cursor.rawValue) == [bens.rawValue + 1, bens.rawValue + 2])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `whoever reads on while other processes are started goes on`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      try await store.begin(FeedEpoch(rawValue: 1))
      var last = ChangeCursor.start
      for epoch in 2...5 as ClosedRange<UInt64> {
        try await Self.edit(store, anna, epoch)
        try await store.begin(FeedEpoch(rawValue: epoch))
        let page = try await store.changes(of: anna.id, after: last, limit: 99)
        #expect(page.epoch == FeedEpoch(rawValue: epoch))
        last = page.next
        try await Self.edit(store, anna, 100 + epoch)
        #expect(try await store.canResume(anna.id, after: last, of: page.epoch))
      }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `whoever missed a deletion that the feed has forgotten begins anew`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let ben = try await store.makeAccount("ben")
      try await Self.edit(store, anna, 1)
      let before = try await store.cursor(of: anna.id)
      try await store.deleteZone(ZoneID(rawValue: 1), of: anna.id, over: nil, at: S.time(1))
      let after = try await store.cursor(of: anna.id)
      try await Self.edit(store, anna, 2)
      var retention = Retention()
      retention.deletionsBefore = S.time(10)
      while try await store.prune(retention, limit: 1) > 0 {}
      #expect(try await !store.canResume(anna.id, after: before, of: nil))
      #expect(try await store.canResume(anna.id, after: after, of: nil))
      let bens = try await store.cursor(of: ben.id)
      #expect(try await store.canResume(ben.id, after: bens, of: nil))
    }
  }
}
