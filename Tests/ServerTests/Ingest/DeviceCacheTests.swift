import AlarmEngine
import Formats
import HTTPTypes
import Store
import TestSupport
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

@Suite("Devices in memory")
struct DeviceCacheTests {
  private static func device(_ number: UInt64, account: AccountID = AccountID(rawValue: 1)) -> CachedDevice {
    let record = Device(
      id: DeviceID(rawValue: number), account: account, name: "", createdAt: TestServer.start)
    let zones = ZoneSets.Entry(
      revision: .first, watched: WatchedZones([], defaultRadius: Settings.phone.defaultRadius))
    return .watched(WatchedDevice(record, of: account, .phone, zones))
  }

  @Test func `the least recently used are put out, by number and by bytes`() {
    var cache = DeviceCache(.init(devices: 8, bytes: 1 << 30))
    for number in 1...8 { cache.put(Self.device(UInt64(number))) }
    cache.makeRoom()
    #expect(cache.count == 8)
    if let used = cache.device(DeviceID(rawValue: 1)) { cache.put(used) }
    cache.put(Self.device(9))
    cache.makeRoom()
    #expect(cache.count == 6)
    #expect(cache.holds(DeviceID(rawValue: 1)) && cache.holds(DeviceID(rawValue: 9)))
    #expect(!cache.holds(DeviceID(rawValue: 2)) && !cache.holds(DeviceID(rawValue: 4)))

    var small = DeviceCache(.init(devices: 1000, bytes: 4 * Self.device(1).bytes))
    for number in 1...5 { small.put(Self.device(UInt64(number))) }
    small.put(Self.device(5))
    small.makeRoom()
    #expect(small.count == 3)
  }

  @Test func `whose zones are gone, their engines are gone`() {
    var cache = DeviceCache(.init())
    let (anna, bob) = (AccountID(rawValue: 1), AccountID(rawValue: 2))
    cache.put(Self.device(1, account: anna))
    cache.put(Self.device(2, account: bob))
    cache.put(
      .unclaimed(
        UnclaimedDevice(
          record: Device(
            id: DeviceID(rawValue: 3), account: nil, name: "", createdAt: TestServer.start))))
    cache.drop(of: [anna])
    #expect(!cache.holds(DeviceID(rawValue: 1)) && cache.count == 2)
    cache.dropAll()
    #expect(cache.count == 0)
  }

  @Test func `zone sets of accounts that rest are let go, the last one never`() {
    var sets = ZoneSets(most: 10)
    func set(_ count: Int, _ revision: Int64) -> ZoneSet {
      ZoneSet(
        revision: Revision(rawValue: revision),
        zones: (0..<count).map { number in
          StoredZone(
            zone: Zone.valid(
              id: ZoneID(rawValue: UInt64(number)), name: "", outline: .locations([TestPlaces.inside])),
            account: AccountID(rawValue: 1), collection: nil, revision: .first, savedAt: TestServer.start)
        })
    }
    let (anna, bob) = (AccountID(rawValue: 1), AccountID(rawValue: 2))
    let first = sets.put(set(6, 1), anna, Settings.phone.defaultRadius, at: TestServer.start)
    #expect(
      sets.put(set(6, 1), anna, Settings.phone.defaultRadius, at: TestServer.start).watched === first.watched)
    #expect(sets.makeRoom().isEmpty)
    _ = sets.put(set(8, 1), bob, Settings.phone.defaultRadius, at: TestServer.start)
    #expect(sets.makeRoom() == [anna])
    #expect(sets.held(anna, Settings.phone.defaultRadius, .first) == nil)
    _ = sets.put(set(9, 2), bob, Settings.phone.defaultRadius, at: TestServer.start)
    #expect(sets.makeRoom().isEmpty)
    #expect(sets.held(bob, Settings.phone.defaultRadius, .first) == nil)
    #expect(sets.held(bob, Settings.phone.defaultRadius, Revision(rawValue: 2)) != nil)
  }

  @Test func `thirty devices with room for eight: all ring, repeat, fall silent and are heard again`()
    async throws
  {
    try await IngestScene.run(deviceBounds: .init(devices: 8, bytes: 1 << 30)) { scene in
      for number in 0..<30 { _ = try await scene.phone.ownTracks(device: "phone \(number)") }
      #expect(await scene.server.parts.alarms.ingest.commits.heldCount <= 8)
      #expect(try await scene.alarms().map(\.rings) == [Int](repeating: 1, count: 30))
      for cycle in 2...4 {
        await scene.pass(.seconds(10))
        #expect(try await scene.alarms().map(\.rings) == [Int](repeating: cycle, count: 30))
        #expect(await scene.server.parts.alarms.ingest.commits.heldCount <= 8)
      }
      for device in try await scene.store.devices(of: scene.account) {
        let read = try await scene.anna.get("/api/v1/devices/\(device.id)")
        _ = try await scene.anna.with(.ifMatch, read.tag).put(
          "/api/v1/devices/\(device.id)",
          [("name", .string(device.name)), ("report_interval_s", .number(300))])
      }
      await scene.pass(.seconds(301))
      let silent = try await scene.alarms().filter(\.isSilence)
      #expect(silent.count == 30)
      for number in 0..<30 {
        _ = try await scene.phone.ownTracks(TestPlaces.outside, device: "phone \(number)")
      }
      let ended = try await scene.alarms().filter(\.isSilence).map(\.clearing)
      #expect(ended == [Clearing?](repeating: .reported, count: 30))
    }
  }

  @Test func `a start reads no device that nothing is due for`() async throws {
    let store = try SQLStore.inMemory()
    try await IngestScene.run(store: store) { scene in
      for number in 0..<20 {
        _ = try await scene.phone.ownTracks(
          number < 3 ? TestPlaces.inside : TestPlaces.outside, device: "phone \(number)")
      }
      let again = try await TestServer(store: store, clock: scene.server.clock)
      await again.parts.alarms.ingest.letTimePass()
      #expect(await again.parts.alarms.ingest.commits.heldCount == 0)
      scene.server.clock.pass(.seconds(10))
      await again.parts.alarms.ingest.letTimePass()
      #expect(await again.parts.alarms.ingest.commits.heldCount == 3)
      #expect(try await scene.alarms().map(\.rings) == [2, 2, 2])
    }
  }

  @Test func `an edit reaches devices whose engines are not in memory`() async throws {
    try await IngestScene.run(zones: [], deviceBounds: .init(devices: 4, bytes: 1 << 30)) { scene in
      for number in 0..<12 { _ = try await scene.phone.ownTracks(device: "phone \(number)") }
      scene.server.clock.pass(.seconds(30))
      _ = try await scene.anna.post("/api/v1/zones", JSONValue.zone("New"))
      #expect(try await scene.alarms().map(\.state) == [AlarmRecord.State](repeating: .ringing, count: 12))
    }
  }

  @Test func `settings of the account count from the next moment on`() async throws {
    try await IngestScene.run { scene in
      _ = try await scene.phone.ownTracks()
      scene.server.clock.pass(.seconds(1))
      let read = try await scene.anna.get("/api/v1/settings")
      let saved = try await scene.anna.with(.ifMatch, read.tag).put(
        "/api/v1/settings", [("alarm_cycle_s", .number(60))])
      #expect(saved.status == .ok)
      var rings: [Int] = []
      for seconds in [9.0, 30, 30] {
        await scene.pass(.seconds(seconds))
        rings += try await scene.alarms().map(\.rings)
      }
      // Inputs that are replayed follow the settings too: the first repeat comes after a minute.
      #expect(rings == [1, 1, 2])
    }
  }
}
