import AlarmEngine
import NIOConcurrencyHelpers
import Testing

@testable import Store

private typealias S = StoreSamples

/// Copies from each form of the store to each.
@Suite("Contract: copies of a whole store")
struct CopyContract {
  static let ways = StoreForm.allCases.flatMap { from in StoreForm.allCases.map { (from, $0) } }

  private func with(
    _ way: (StoreForm, StoreForm), _ body: (SQLStore, SQLStore) async throws -> Void
  ) async throws {
    try await way.0.withStore { source in
      try await way.1.withStore { target in
        try await body(source, target)
      }
    }
  }

  private func fill(_ store: SQLStore) async throws -> (account: Account, device: Device) {
    let account = try await store.makeAccount("anna")
    let device = try await store.makeDevice("phone \"of\" anna, \\ 北", of: account)
    for number in 1...3 {
      try await store.save(
        S.zone(UInt64(number)), of: account.id, in: nil, over: nil, at: S.time(Double(number)))
    }
    var batch = IngestBatch(at: S.time(10))
    batch.fixes = [
      DeviceFixes(
        device: device.id, fixes: (0..<1200).map { S.fix(Double($0) * 5, accuracy: $0 % 2 == 0 ? 9 : nil) })
    ]
    batch.alarms = [S.alarm(1, of: account.id, device.id)]
    try await store.record(batch)
    return (account, device)
  }

  @Test(arguments: ways)
  func `there is all that there was, and it goes on`(_ way: (StoreForm, StoreForm)) async throws {
    try await with(way) { source, target in
      let (account, device) = try await fill(source)
      try await source.copy(to: target) { _, _ in true }
      #expect(try await target.account(account.id) == source.account(account.id))
      #expect(try await target.zoneSet(of: account.id) == source.zoneSet(of: account.id))
      #expect(try await target.device(device.id) == source.device(device.id))
      #expect(try await target.alarm(AlarmID(rawValue: 1)) == source.alarm(AlarmID(rawValue: 1)))
      let fixes = try await source.fixes(
        of: device.id, account: account.id, in: IngestContract.always, limit: .max)
      #expect(fixes.count == 1200)
      #expect(
        try await target.fixes(of: device.id, account: account.id, in: IngestContract.always, limit: .max)
          == fixes)
      // Numbers assigned by the database continue after the copied ones.
      var more = IngestBatch(at: S.time(9000))
      more.commands = [DeviceCommand(device: device.id, at: S.time(9000), kind: .activate, by: "anna")]
      try await target.record(more)
      try await target.save(S.zone(9), of: account.id, in: nil, over: nil, at: S.time(9001))
      let cursor = try await source.cursor(of: account.id)
      #expect(try await target.changes(of: account.id, after: cursor, limit: 9).entries.count == 1)
      await #expect(throws: StoreError.taken) { try await source.copy(to: target) { _, _ in true } }
    }
  }

  @Test(arguments: ways)
  func `one that was stopped anywhere goes on when it is asked for again`(
    _ way: (StoreForm, StoreForm)
  ) async throws {
    try await with(way) { source, target in
      let (account, device) = try await fill(source)
      for allowed in [0, 1, 3, 7] {
        let steps = NIOLockedValueBox(0)
        await #expect(throws: StoreError.cancelled) {
          try await source.copy(to: target) { _, _ in
            steps.withLockedValue { steps in
              steps += 1
              return steps <= allowed
            }
          }
        }
      }
      try await source.copy(to: target) { _, _ in true }
      let fixes = try await target.fixes(
        of: device.id, account: account.id, in: IngestContract.always, limit: .max)
      #expect(fixes.count == 1200)
      #expect(try await target.zoneCount(of: account.id) == 3)
      #expect(try await target.integrityIssues().isEmpty)
    }
  }
}
