#if PostgreSQL
  import AlarmEngine
  import Foundation
  import NIOConcurrencyHelpers
  import TestSupport
  import Testing

  @testable import Store

  @Suite("A rolling upgrade")
  struct RollingUpgradeTests {
    typealias S = StoreSamples

    /// Reports positions of one phone one after the other, until told to stop, and reads each back.
    private static func report(
      to store: SQLStore, _ phone: Device, of account: AccountID, from first: Int,
      while goesOn: @Sendable (_ done: Int) -> Bool
    ) async throws -> Int {
      var done = 0
      while goesOn(done) {
        let fix = S.fix(Double(first + done) * 60)
        _ = try await store.record { $0.fixes = [DeviceFixes(device: phone.id, fixes: [fix])] }
        let last = try await store.fixes(
          of: phone.id, account: account, in: fix.fix.measuredAt...fix.fix.measuredAt, limit: 9)
        #expect(last.count == 1)
        done += 1
      }
      return done
    }

    /// A schema step of the next version.
    private static let next = "ALTER TABLE fix ADD COLUMN colour text"

    @Test
    func `a process of an earlier version goes on while the next one brings the tables up to date`()
      async throws
    {
      try await PostgreSQLServer.withDatabase { url in
        let old = try await SQLStore(postgreSQL: url)
        let anna = try await old.makeAccount("anna")
        let phones = (0..<2).map { S.device("phone \($0)", of: anna.id) }
        for phone in phones { try await old.create(phone, identities: []) }
        let before = try await Self.report(to: old, phones[0], of: anna.id, from: 0) { $0 < 10 }
        // As many as fit into the time of the change.
        let isNew = NIOLockedValueBox(false)
        async let byOld = Self.report(to: old, phones[0], of: anna.id, from: before) { done in
          done < 2000 && !isNew.withLockedValue { $0 }
        }
        let new = SQLStore(
          try await PostgreSQLDatabase(url, PostgreSQLOptions(), steps: PostgreSQLSchema.steps + [Self.next]))
        #expect(try await new.arrangeDays(at: S.time(), fixesBefore: nil) >= 0)
        let byNew = try await Self.report(to: new, phones[1], of: anna.id, from: 0) { $0 < 20 }
        isNew.withLockedValue { $0 = true }
        let count = before + (try await byOld)
        // The earlier version's next writes use the new tables.
        let more = try await Self.report(to: old, phones[0], of: anna.id, from: count) { $0 < 20 }
        for store in [old, new] {
          let always = IngestContract.always
          #expect(
            try await store.fixes(of: phones[0].id, account: anna.id, in: always, limit: 9999).count == count
              + more)
          #expect(
            try await store.fixes(of: phones[1].id, account: anna.id, in: always, limit: 9999).count == byNew)
        }
        try await old.close()
        try await new.close()
      }
    }

    @Test
    func `a group's link of before stays valid, for as many people as a group has`() async throws {
      try await PostgreSQLServer.withDatabase { url in
        // Version 104 has one link of a group, in its row.
        let old = SQLStore(
          try await PostgreSQLDatabase(
            url, PostgreSQLOptions(), steps: Array(PostgreSQLSchema.steps.prefix(5))))
        let (boss, anna) = (try await old.makeAccount("boss"), try await old.makeAccount("anna"))
        let crew = GroupID(rawValue: 7)
        try await old.write { database in
          try database.insert(
            "INSERT INTO people_group (id, owner, name, created_at, hash, link_ends_at) VALUES (?, ?, 'Crew', 0, ?, ?)",
            [crew.sql, boss.id.sql, S.hash(1).sql, S.time(50).sql])
          try database.insert(
            "INSERT INTO people_group (id, owner, name, created_at) VALUES (8, ?, 'Night', 0)", [boss.id.sql])
        }
        let new = try await SQLStore(postgreSQL: url)
        let link = try #require(try await new.links(of: crew, owner: boss.id, at: S.time()).first)
        #expect(link.people == 1000 && link.joined == 0 && link.endsAt == S.time(50) && !link.makesAccounts)
        try await new.join(S.hash(1), by: anna.id, at: S.time(1))
        #expect(try await new.group(crew, of: boss.id, at: S.time(2)).memberCount == 1)
        try await old.close()
        try await new.close()
      }
    }

    @Test
    func `an earlier program refuses tables of a later version and changes nothing`() async throws {
      try await PostgreSQLServer.withDatabase { url in
        let store = try await SQLStore(postgreSQL: url)
        try await store.close()
        try PostgreSQLServer.administer(
          url, "UPDATE proximity_schema SET version = \(PostgreSQLSchema.known + 1)")
        await #expect(
          throws: StoreError.newerSchema(found: PostgreSQLSchema.known + 1, known: PostgreSQLSchema.known)
        ) {
          _ = try await SQLStore(postgreSQL: url)
        }
      }
    }
  }
#endif
