import AlarmEngine
import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import Store

/// Guarantees for several processes on one database. `VersionContract` has the engines' part.
@Suite("Contract: several processes")
struct SharedStoreContract {
  typealias S = StoreSamples

  @Test(arguments: StoreForm.allCases)
  func `a reader that pages while others write misses nothing, and sees numbers in their order`(
    form: StoreForm
  ) async throws {
    try await form.withTwo { first, second in
      let anna = try await first.makeAccount("anna")
      let phones = try await [first.makeDevice("1", of: anna), second.makeDevice("2", of: anna)]
      let each = 60
      let start = try await first.cursor(of: anna.id)
      let isOver = NIOLockedValueBox(false)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (process, store) in [first, second].enumerated() {
          group.addTask {
            for step in 0..<each {
              let id = UInt64(process * 1000 + step)
              if step % 3 == 0 {
                _ = try await store.save(S.zone(id), of: anna.id, in: nil, over: nil, at: S.time())
              } else {
                _ = try await store.record { $0.alarms = [S.alarm(id, of: anna.id, phones[process].id)] }
              }
            }
          }
        }
        group.addTask {
          var (cursor, seen): (ChangeCursor, [ChangeEntry]) = (start, [])
          while true {
            let wasOver = isOver.withLockedValue { $0 }
            let page = try await second.changes(of: anna.id, after: cursor, limit: 7)
            seen += page.entries
            cursor = page.next
            if wasOver, page.entries.isEmpty { break }
            await Task.yield()
          }
          // Each thing is changed only once here, so no entry may be missing.
          #expect(seen.map(\.cursor.rawValue) == (1...Int64(2 * each)).map { start.rawValue + $0 })
          #expect(Set(seen.map { "\($0.kind) \($0.id)" }).count == 2 * each)
        }
        for _ in 0..<2 { try await group.next() }
        isOver.withLockedValue { $0 = true }
        try await group.waitForAll()
      }
    }
  }

  /// Asks until the other store's writes have arrived, for at most half a minute.
  /// - Parameter together: true to return all changes found meanwhile, false for the last ones.
  private static func hear(
    _ store: SQLStore, since mark: inout ChangesByOthers.Mark, together: Bool = true,
    until isThere: (ChangesByOthers) -> Bool
  ) async throws -> ChangesByOthers {
    let deadline = ContinuousClock.now + .seconds(30)
    var (edited, told) = (ChangesByOthers.Scope.accounts([]), ChangesByOthers.Scope.accounts([]))
    while true {
      let found = try await store.changesByOthers(since: mark)
      mark = found.next
      if !together { (edited, told) = (.accounts([]), .accounts([])) }
      edited.formUnion(found.edited)
      told.formUnion(found.told)
      let all = ChangesByOthers(next: mark, edited: edited, told: told)
      if isThere(all) || ContinuousClock.now > deadline { return all }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `others hear whose feed has grown and whose data was edited`(form: StoreForm) async throws {
    try await form.withTwo { first, second in
      let (anna, ben) = try await (first.makeAccount("anna"), first.makeAccount("ben"))
      let carl = try await first.makeAccount("carl")
      let phone = try await first.makeDevice("1", of: anna)
      var mark = try await second.changesByOthers(since: nil).next
      // Reads past the writes so far, and past the start of listening, which may have missed some.
      func settle() async throws {
        for (number, account) in [ben, carl].enumerated() {
          _ = try await first.save(
            S.zone(UInt64(number + 1)), of: account.id, in: nil, over: nil, at: S.time())
        }
        // The last write: everything reported before it has arrived by then.
        _ = try await Self.hear(second, since: &mark, together: false) { heard in
          guard case .accounts(let accounts) = form == .file ? heard.edited : heard.told else { return false }
          return accounts.contains(carl.id)
        }
      }
      try await settle()
      // A report extends the feed of its account, but is not an edit. SQLite's file does not tell whose feed.
      _ = try await first.record { $0.alarms = [S.alarm(1, of: anna.id, phone.id)] }
      let reported = try await Self.hear(second, since: &mark) { !$0.told.isEmpty }
      #expect(reported.edited.isEmpty)
      #expect(reported.told == (form == .file ? .all : .accounts([anna.id])))
      _ = try await first.save(phone, over: phone.revision, at: S.time(1))
      let edited = try await Self.hear(second, since: &mark) { !$0.edited.isEmpty && !$0.told.isEmpty }
      #expect(edited.edited == .accounts([anna.id]))
      #expect(edited.told == (form == .file ? .all : .accounts([anna.id])))
      // Writes that no process caches and no feed shows wake nobody; nor do this process' own writes.
      guard form != .file else { return }
      _ = try await first.takeTries([TryBucket(key: S.hash(1), burst: 1, refill: .seconds(1))], at: S.time())
      _ = try await first.lease(now: S.time(), limit: 1, for: .seconds(1), owner: "first")
      _ = try await second.save(S.zone(2), of: ben.id, in: nil, over: nil, at: S.time())
      _ = try await first.record { $0.alarms = [S.alarm(2, of: anna.id, phone.id)] }
      let last = try await Self.hear(second, since: &mark) { !$0.told.isEmpty }
      #expect(last.told == .accounts([anna.id]))
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `no item of the outbox is leased twice, and a start ends its own leases only`(form: StoreForm)
    async throws
  {
    try await form.withTwo { first, second in
      let anna = try await first.makeAccount("anna")
      let hooks = try await [first.makeChannel("1", of: anna), first.makeChannel("2", of: anna)]
      let count = 120
      try await first.enqueue((0..<count).map { S.item(hooks[$0 % 2], key: $0 % 3 == 0 ? "\($0)" : nil) })
      let leases = try await withThrowingTaskGroup(of: [OutboxLease].self) { group in
        for worker in 0..<8 {
          let (store, owner) = worker % 2 == 0 ? (first, "first") : (second, "second")
          group.addTask {
            var all: [OutboxLease] = []
            while true {
              let some = try await store.lease(now: S.time(1), limit: 5, for: .seconds(30), owner: owner)
              if some.isEmpty { return all }
              all += some
            }
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(leases.count == count && Set(leases.map(\.number)).count == count)
      try await second.releaseLeases(of: "second", at: S.time(2))
      let again = try await first.lease(now: S.time(3), limit: count, for: .seconds(30), owner: "first")
      #expect(again.count < count && again.allSatisfy { $0.attempt == 2 })
      // The other items are settled by the process that leased them, even if another was started meanwhile.
      let settled = try await first.settle(
        leases.map { OutboxSettlement(lease: $0, outcome: .done, attempt: nil) })
      #expect(settled == count - again.count)
    }
  }

  /// Lets both stores try the same at once.
  /// - Returns: the result of each.
  private static func race(
    _ stores: [SQLStore], _ act: @escaping @Sendable (SQLStore, Int) async throws -> Void
  ) async -> [Result<Void, any Error>] {
    await withTaskGroup(of: Result<Void, any Error>.self) { group in
      for (number, store) in stores.enumerated() {
        group.addTask {
          do { return .success(try await act(store, number)) } catch { return .failure(error) }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  private static func expectOne(
    _ results: [Result<Void, any Error>], others: StoreError, location: SourceLocation = #_sourceLocation
  ) {
    var errors: [StoreError?] = []
    for case .failure(let error) in results { errors.append(error as? StoreError) }
    #expect(errors == Array(repeating: others, count: results.count - 1), sourceLocation: location)
  }

  @Test(arguments: StoreForm.allCases)
  func `one of several gets a login, a link, a claim, an edit`(form: StoreForm) async throws {
    try await form.withTwo { first, second in
      let stores = [first, second, first, second]
      for round in 0..<10 {
        Self.expectOne(
          await Self.race(stores) { store, _ in _ = try await store.makeAccount("login \(round)") },
          others: .taken)
        let owner = try await second.account(login: "login \(round)")
        let stranger = S.device("stranger", of: nil)
        try await first.create(stranger, identities: [])
        Self.expectOne(
          await Self.race(stores) { store, _ in
            _ = try await store.claim(stranger.id, for: owner.id, token: nil, at: S.time())
          }, others: .notFound)
        let claimed = try await second.device(stranger.id)
        Self.expectOne(
          await Self.race(stores) { store, _ in
            _ = try await store.save(claimed, over: claimed.revision, at: S.time())
          },
          others: .stale(stored: Revision(rawValue: claimed.revision.rawValue + 1)))
        let hash = S.hash(UInt8(round))
        try await first.save(
          SetupLink(hash: hash, isAdministrator: false, createdAt: S.time(), expiresAt: S.time(60)))
        Self.expectOne(
          await Self.race(stores) { store, number in
            try await store.create(S.account("invited \(round) \(number)"), by: hash)
          }, others: .notFound)
      }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func
    `a name that several report under at once is one device, and of strangers there are no more than allowed`(
      form: StoreForm
    ) async throws
  {
    try await form.withTwo { first, second in
      let made = NIOLockedValueBox<[String: Set<DeviceID>]>([:])
      for round in 0..<12 {
        let name = "phone \(round)"
        let results = await Self.race([first, second, first, second]) { store, _ in
          let device = try await store.device(
            identifiedBy: DeviceIdentity(.ownTracks, name, of: nil), makingOne: S.device(name, of: nil),
            unclaimedLimit: 5)
          _ = made.withLockedValue { $0[name, default: []].insert(device.id) }
        }
        for case .failure(let error) in results { Issue.record("\(error)") }
      }
      #expect(made.withLockedValue { $0.values.map(\.count) } == Array(repeating: 1, count: 12))
      _ = await Self.race((0..<20).map { $0 % 2 == 0 ? first : second }) { store, number in
        _ = try await store.device(
          identifiedBy: DeviceIdentity(.ownTracks, "other \(number)", of: nil),
          makingOne: S.device("other", of: nil), unclaimedLimit: 5)
      }
      let strangers = try await second.unclaimedDevices(limit: 99)
      #expect(strangers.count == 5)
    }
  }
}
