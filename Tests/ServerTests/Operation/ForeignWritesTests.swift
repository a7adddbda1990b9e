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
struct ForeignWritesTests {
  /// A second connection to the file is to SQLite what a second process is.
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
      let watch = scene.server.parts.foreignWrites
      let before = try await watch.look(since: nil)
      try await body(scene, theirs) { _ = try await watch.look(since: before) }
    }
    try await theirs.close()
    try await ours.close()
  }

  @Test func `our own writes are not somebody else's`() async throws {
    try await withTwo { scene, theirs, _ in
      let before = try await scene.store.foreignWrites()
      _ = try await scene.phone.ownTracks()
      #expect(try await scene.store.foreignWrites() == before)
      _ = try await theirs.accountCount()
      #expect(try await scene.store.foreignWrites() == before)
      _ = try await ProximityServer.newSetUpSecret(theirs, isAdministrator: false, at: TestServer.start)
      #expect(try await scene.store.foreignWrites() != before)
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
      await scene.server.parts.ingest.letTimePass()
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
      await scene.server.parts.ingest.letTimePass()
      #expect(try await scene.alarms().map(\.state) == [.ringing])
    }
  }
}
