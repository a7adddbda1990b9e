import AlarmEngine
import NIOConcurrencyHelpers
import TestSupport
import Testing

@testable import Store
@testable import StoreTestSupport

/// Saving many zones at once has the same result as saving them one by one, at the cost of one.
@Suite("Contract: many zones at once")
struct ManyZonesContract {
  typealias S = StoreSamples

  @Test(arguments: StoreForm.allCases)
  func `however many are saved, as many statements are sent as for a few`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let count = NIOLockedValueBox(0)
      let inner = store.database
      let heard = SQLStore(
        HeardDatabase(inner: inner) { _, _ in count.withLockedValue { $0 += 1 } })
      func statements(_ act: () async throws -> Void) async throws -> Int {
        count.withLockedValue { $0 = 0 }
        try await act()
        return count.withLockedValue { $0 }
      }
      var counts: [[Int]] = []
      for (round, size) in [3, 300].enumerated() {
        let anna = try await store.makeAccount("anna \(round)")
        let ben = try await store.makeAccount("ben \(round)")
        let first = (0..<size).map { S.zone(UInt64(1000 * round + $0), "first") }
        let second = (0..<size).map { S.zone(UInt64(1000 * round + $0), "second") }
        var records: [ZoneRecord] = []
        let all = try await [
          statements { _ = try await heard.replace(first, of: anna.id, in: nil, at: S.time()) },
          statements { _ = try await heard.replace(second, of: anna.id, in: nil, at: S.time(1)) },
        ]
        for zone in second { records.append(try await store.zoneRecord(zone.id, of: anna.id)) }
        let merged = try await statements {
          _ = try await heard.merge(records, of: ben.id, at: S.time(2))
        }
        counts.append(all + [merged])
        #expect(try await store.zoneSet(of: ben.id).zones.count == size)
        #expect(
          try await store.changes(of: ben.id, after: .start, limit: 999).entries.count >= size)
      }
      #expect(counts[0] == counts[1])
      #expect(counts[0].allSatisfy { $0 > 0 })
    }
  }

  /// Everything that a reader of the store sees.
  private struct Seen: Equatable {
    var zones: [String] = []
    var feed: [String] = []
    var past: [[String]] = []
  }

  private static func look(_ store: SQLStore, _ account: AccountID) async throws -> Seen {
    func lines(_ zones: [StoredZone]) -> [String] {
      zones.map {
        "\($0.id) \($0.revision) \($0.zone?.name.string ?? "?") \($0.collection != nil) \($0.savedAt)"
      }
    }
    var seen = Seen()
    seen.zones = lines(try await store.zoneSet(of: account).zones)
    seen.feed = try await store.changes(of: account, after: .start, limit: 999).entries.map {
      "\($0.cursor) \($0.kind) \($0.kind == .zone ? "\($0.id)" : "") \($0.isDeleted) \($0.changedAt)"
    }
    let history = try await store.zoneSetHistory(of: account, from: S.time(-1), limit: 999)
    let sets = try await store.zoneSets(of: account, at: history.map(\.revision))
    seen.past = sets.map { lines($0.zones) }
    return seen
  }

  /// Compares with a store that gets the same zones one by one in one transaction: zones that are in a list
  /// twice, deleted ones that come back, ones that do not change.
  @Test(arguments: StoreForm.allCases, [1, 2, 3] as [UInt64])
  func `a list is what its zones are one after the other`(form: StoreForm, seed: UInt64)
    async throws
  {
    try await form.withStore { store in
      var random = SeededGenerator(seed: seed)
      let names: [Text] = ["a", "b"]
      var expected: [UInt64: (name: Text, revision: Int64)] = [:]
      var gone: [UInt64: Int64] = [:]
      let anna = try await store.makeAccount("anna")
      var sets: [[String]] = []
      for round in 0..<12 {
        let now = S.time(Double(round))
        if round % 4 == 3, let id = expected.keys.min() {
          try await store.deleteZone(ZoneID(rawValue: id), of: anna.id, over: nil, at: now)
          gone[id] = (expected.removeValue(forKey: id)?.revision ?? 0) + 1
        } else {
          // One edit has one time, so a zone that is in a list twice is the same both times.
          let zones = (0..<Int.random(in: 1...12, using: &random)).map { _ in
            let id = UInt64.random(in: 1...6, using: &random)
            return S.zone(id, names[Int(id) * (round + 1) / 3 % 2])
          }
          for zone in zones {
            let id = zone.id.rawValue
            let before = expected[id]?.revision ?? gone[id] ?? 0
            expected[id] = (zone.name, before + 1)
          }
          let saved = try await store.replace(zones, of: anna.id, in: nil, at: now)
          #expect(saved.map(\.zone) == zones)
          // The last result for a zone is the stored one.
          for id in Set(zones.map(\.id)) {
            let last = saved.last { $0.id == id }
            #expect(last?.revision.rawValue == expected[id.rawValue]?.revision, "seed \(seed)")
          }
          // The feed has each zone once, in the order of its last occurrence.
          let feed = try await store.changes(of: anna.id, after: .start, limit: 999).entries
          let order = zones.indices.filter { place in
            !zones[(place + 1)...].contains { $0.id == zones[place].id }
          }.map { zones[$0].id.rawValue }
          #expect(
            Array(feed.filter { $0.kind == .zone }.suffix(order.count)).map(\.id) == order,
            "seed \(seed)")
          #expect(Set(feed.map(\.cursor)).count == feed.count)
        }
        let seen = try await Self.look(store, anna.id)
        let lines = expected.sorted { $0.key < $1.key }.map {
          "\(ZoneID(rawValue: $0.key)) \($0.value.revision) \($0.value.name.string)"
        }
        #expect(
          seen.zones.map { $0.split(separator: " ").prefix(3).joined(separator: " ") } == lines,
          "seed \(seed)")
        sets.append(seen.zones)
        // Each past set is unchanged, except that zones which did not change may have a later revision.
        #expect(
          seen.past.suffix(sets.count).map { $0.map { $0.split(separator: " ")[2] } }
            == sets.map { $0.map { $0.split(separator: " ")[2] } }, "seed \(seed)")
      }
    }
  }
}
