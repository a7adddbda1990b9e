import AlarmEngine
import Foundation
import NIOConcurrencyHelpers
import TestSupport
import Testing

@testable import AlarmService
@testable import Server
@testable import Store
@testable import StoreTestSupport

@Suite("Friends in answers to phones")
struct FriendsTests {
  /// The number of times the devices with a tracker id were read.
  private final class Reads: Sendable {
    private let count = NIOLockedValueBox(0)
    var soFar: Int { count.withLockedValue { $0 } }
    func hear(_ sql: String) { if sql.contains("tracker_id <> ''") { count.withLockedValue { $0 += 1 } } }
  }

  @Test func `of forty phones that ask at once, one has them read`() async throws {
    let reads = Reads()
    let store = SQLStore(
      HeardDatabase(inner: try SQLiteDatabase.inMemory(), hear: { sql, _ in reads.hear(sql) }))
    try await IngestScene.run(store: store) { scene in
      let phone = scene.phone
      func all() async throws -> [Int] {
        try await withThrowingTaskGroup(of: Int.self) { group in
          for number in 0..<40 {
            group.addTask { try await phone.ownTracks(TestPlaces.outside, device: "phone \(number)").cards }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
      }
      _ = try await all()
      #expect(reads.soFar == 1)
      // The devices read are cached for 15 seconds.
      scene.server.clock.pass(.seconds(14))
      _ = try await all()
      #expect(reads.soFar == 1)
      scene.server.clock.pass(.seconds(2))
      _ = try await all()
      #expect(reads.soFar == 2)
      // All answers use the last reading, which has all phones: each phone gets twenty others.
      scene.server.clock.pass(.seconds(1))
      #expect(try await all() == [Int](repeating: 20, count: 40))
    }
  }
}

extension TestPhone.Reply {
  fileprivate var cards: Int { text.components(separatedBy: #""_type":"card""#).count - 1 }
}
