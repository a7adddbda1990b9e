import AlarmEngine
import Geometry
import TestSupport

@testable import Store

/// Times and values for tests of the store.
enum StoreSamples {
  /// The time `seconds` after 2026-01-01T00:00:00Z.
  static func time(_ seconds: Double = 0) -> Instant {
    Instant(millisecondsSince1970: 1_767_225_600_000) + .seconds(seconds)
  }

  static func hash(_ byte: UInt8) -> TokenHash { TokenHash([UInt8](repeating: byte, count: 32)) }

  static func hash(of account: AccountID) -> TokenHash {
    TokenHash((0..<32).map { UInt8(truncatingIfNeeded: account.rawValue >> UInt64($0 % 8 * 8)) })
  }

  static func account(_ login: String) -> Account {
    Account(login: login, name: "Name of \(login)", passwordHash: "$argon2id$\(login)", createdAt: time())
  }

  static func device(_ name: String, of account: AccountID?) -> Device {
    Device(account: account, name: name, trackerID: "AN", reportInterval: .minutes(5), createdAt: time())
  }

  static func channel(_ name: String, of account: AccountID, step: Int = 0) -> Channel {
    Channel(
      account: account, kind: .webhook, name: name, address: "{\"url\":\"https://example.org\"}",
      secrets: "{\"key\":\"hush-hush\"}", escalationStep: EscalationStep(nearest: step), createdAt: time())
  }

  static func zone(_ id: UInt64, _ name: Text = "Cliff") -> Zone {
    Zone.valid(
      id: ZoneID(rawValue: id), name: name, size: .metres(100),
      outline: .locations([Coordinate(latitude: .degrees(46.05), longitude: .degrees(14.5))]))
  }

  static func fix(_ seconds: Double, latitude: Double = 46.05, accuracy: Double? = 12) -> StoredFix {
    StoredFix(
      Fix(
        position: Coordinate(latitude: .degrees(latitude), longitude: .degrees(14.5)),
        accuracy: accuracy.map { .radius(.metres($0)) } ?? .unstated, measuredAt: time(seconds),
        receivedAt: time(seconds + 2), speed: .metresPerSecond(1.5), course: .degrees(181)),
      altitude: .metres(298.5), battery: 0.63, detail: "{\"conn\":\"m\"}")
  }

  static func alarm(
    _ id: UInt64, of account: AccountID, _ device: DeviceID, at seconds: Double = 0
  ) -> AlarmRecord {
    AlarmRecord(
      id: AlarmID(rawValue: id), account: account, device: device,
      subject: .zone(ZoneID(rawValue: 5), name: "Cliff", .passed), began: time(seconds),
      decidedAt: time(seconds + 1), learnedAt: time(seconds + 2), distance: .metres(-3.25),
      position: Coordinate(latitude: .degrees(46.05), longitude: .degrees(14.5)),
      lastRangAt: time(seconds + 2))
  }

  static func item(
    _ channel: Channel, alarm: UInt64? = nil, key: String? = nil, due: Double = 0, expires: Double = 1e5,
    payload: [UInt8] = [1, 2, 3]
  ) -> OutboxItem {
    OutboxItem(
      account: channel.account, channel: channel.id, alarm: alarm.map { AlarmID(rawValue: $0) },
      collapseKey: key, payload: payload, createdAt: time(), dueAt: time(due), expiresAt: time(expires))
  }
}

extension SQLStore {
  func makeAccount(_ login: String) async throws -> Account {
    let account = StoreSamples.account(login)
    try await create(account)
    return account
  }

  func makeDevice(_ name: String, of account: Account) async throws -> Device {
    let device = StoreSamples.device(name, of: account.id)
    try await create(device, identities: [])
    return device
  }

  func makeChannel(_ name: String, of account: Account) async throws -> Channel {
    let channel = StoreSamples.channel(name, of: account.id)
    try await create(channel)
    return channel
  }

  func lease(
    now: Instant, limit: Int, for duration: TimeSpan
  ) async throws(StoreError) -> [OutboxLease] {
    try await lease(now: now, limit: limit, for: duration, owner: "a process")
  }

  func record(at seconds: Double = 0, _ fill: (inout IngestBatch) -> Void) async throws -> IngestReceipt {
    var batch = IngestBatch(at: StoreSamples.time(seconds))
    fill(&batch)
    return try await record(batch)
  }
}
