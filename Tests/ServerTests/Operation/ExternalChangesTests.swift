import AlarmEngine
import Formats
import Foundation
import Geometry
import Store
import TestSupport
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

@Suite("Writes of other processes")
struct ExternalChangesTests {
  /// For SQLite, a second connection to the file is like a second process.
  private func withTwo(
    _ body:
      @escaping @Sendable (IngestScene, SQLStore, _ look: @Sendable () async throws -> Void)
      async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("two-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("store.sqlite").path
    let ours = try SQLStore(sqlite: path)
    let theirs = try SQLStore(sqlite: path)
    try await IngestScene.run(store: ours) { scene in
      let watch = scene.server.parts.operation.externalChanges
      let before = try await watch.look(since: nil)
      try await body(scene, theirs) { _ = try await watch.look(since: before) }
    }
    try await theirs.close()
    try await ours.close()
  }

  @Test func `our own writes are not somebody else's`() async throws {
    try await withTwo { scene, theirs, _ in
      var mark = try await scene.store.changesByOthers(since: nil).next
      /// The changes since the last call.
      func look() async throws -> ChangesByOthers {
        let found = try await scene.store.changesByOthers(since: mark)
        mark = found.next
        return found
      }
      _ = try await scene.phone.ownTracks()
      _ = try await theirs.accountCount()
      let ours = try await look()
      #expect(ours.edited.isEmpty && ours.told.isEmpty)
      // Our own edits would be reported together with the next edits of others.
      mark = try await scene.store.changesByOthers(since: nil).next
      // Another process' reports only notify the feed.
      let device = try await scene.theDevice()
      var batch = IngestBatch(at: TestServer.start)
      batch.changes = [NewChange(account: scene.account, kind: .device, id: device.id.rawValue)]
      _ = try await theirs.record(batch)
      let reported = try await look()
      #expect(reported.edited.isEmpty && reported.told == .all)
      // An edit is reported with its account.
      _ = try await theirs.save(device, over: device.revision, at: TestServer.start)
      let edited = try await look()
      #expect(edited.edited == .accounts([scene.account]) && edited.told == .all)
      let ben = Account(login: "ben", name: "Ben", passwordHash: nil, createdAt: TestServer.start)
      try await theirs.create(ben)
      #expect(try await look().edited == .accounts([ben.id]))
      try await theirs.setServerValue("word", to: [1])
      #expect(try await look().edited == .all)
      #expect(try await look().edited.isEmpty)
    }
  }

  @Test func `a zone drawn by somebody else rings`() async throws {
    try await withTwo { scene, theirs, look in
      _ = try await scene.phone.ownTracks(TestPlaces.outside)
      #expect(try await scene.alarms().isEmpty)
      scene.server.clock.pass(.seconds(5))
      let zone = Zone.valid(
        id: ZoneID(rawValue: 9), name: "Quarry", size: .metres(100), outline: .locations([TestPlaces.outside])
      )
      try await theirs.save(zone, of: scene.account, in: nil, over: nil, at: scene.server.clock.now)
      try await look()
      await scene.server.parts.alarms.ingest.letTimePass()
      #expect(try await scene.alarms().map(\.state) == [.ringing])
    }
  }

  @Test func `a token revoked by somebody else is worth nothing at once`() async throws {
    try await withTwo { scene, theirs, look in
      #expect(try await scene.phone.ownTracks().status == 200)
      for token in try await theirs.tokens(of: scene.account) {
        try await theirs.revoke(token.id, of: scene.account)
      }
      try await look()
      #expect(try await scene.phone.ownTracks().status == 503)
    }
  }

  @Test func `a device claimed by somebody else is judged`() async throws {
    try await withTwo { scene, theirs, look in
      var stranger = scene.phone
      stranger.token = nil
      _ = try await stranger.ownTracks()
      let device = try #require(try await theirs.unclaimedDevices(limit: 1).first)
      _ = try await theirs.claim(device.id, for: scene.account, token: nil, at: scene.server.clock.now)
      try await look()
      await scene.server.parts.alarms.ingest.letTimePass()
      #expect(try await scene.alarms().map(\.state) == [.ringing])
    }
  }
}
