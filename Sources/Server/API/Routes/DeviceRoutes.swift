import AlarmEngine
import Formats
import Foundation
import HTTPTypes
import Hummingbird
import Store

/// Devices: phones and the apps on them that report.
enum DeviceRoutes {
  private static let fields: [Schema.Member] = [
    .needed("name", .text(1...200), ""),
    .allowed("tracker_id", .text(0...2), "Two letters on OwnTracks' maps."),
    .allowed("is_armed", .boolean, "Whether its alarms ring; true if left out."),
    .allowed(
      "report_interval_s", .optional(.number(.reportInterval)),
      "Silence for longer is an alarm; null: it need not report."),
    .allowed("settings", .named(.deviceSettings), ""),
  ]
  private static let device = Schema.object([
    .needed("id", .id, ""), .needed("revision", .integer(1...Int64.max), ""),
    .needed("name", .text(0...1000), ""), .needed("tracker_id", .text(0...1000), ""),
    .needed("is_armed", .boolean, ""), .needed("report_interval_s", .optional(.number(0...1e9)), ""),
    .needed("settings", .named(.deviceSettings), ""), .needed("created_at", .time, ""),
    .needed("last_received_at", .optional(.time), "When anything came from it."),
    .needed("last_fix", .optional(.named(.fix)), "The last one by its own time."),
  ])
  private static let identity = Schema.object([
    .needed("scheme", .words(DeviceIdentity.Scheme.allCases.map(\.rawValue)), "Of which protocol."),
    .needed("value", .text(1...500), "How the device calls itself there."),
  ])
  static let maximumDevices = 1000

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/devices", name: "listDevices", summary: "The account's devices, by name",
      handler: .account { call, signed in
        let devices = try await call.store.devices(of: signed.account)
        return .json(.object([("items", .array(devices.map(json)))]))
      }, answers: [.json(.object([.needed("items", .list(device, upTo: 100_000), "")]), "All of them.")]),
    Route(
      method: .post, path: "/api/v1/devices", name: "createDevice", summary: "A new device",
      handler: .account(create),
      body: .json(
        .object(fields + [.allowed("identities", .list(identity, upTo: 20), "How it calls itself.")])),
      answers: [
        .json(device, "The device.", status: .created, hasETag: true),
        .json(device, "It was there already, by the same Idempotency-Key.", hasETag: true),
      ], isIdempotentByKey: true),
    Route(
      method: .get, path: "/api/v1/devices/{device}", name: "getDevice", summary: "One device",
      handler: .account { call, signed in
        answer(try await call.store.device(try id(call), of: signed.account))
      }, answers: [.json(device, "The device.", hasETag: true)]),
    Route(
      method: .put, path: "/api/v1/devices/{device}", name: "putDevice",
      summary: "Saves an edited device; arms and disarms it (S17-S22)", handler: .account(put),
      headers: [ZoneRoutes.ifMatch], body: .json(.object(fields)),
      answers: [.json(device, "Saved.", hasETag: true)]),
    Route(
      method: .delete, path: "/api/v1/devices/{device}", name: "deleteDevice",
      summary: "Forgets a device with its fixes and alarms",
      handler: .account { call, signed in
        try await call.store.deleteDevice(try id(call), of: signed.account, at: call.now)
        try await call.parts.engines.deviceChanged(try id(call))
        call.parts.hub.publish(signed.account)
        return .nothing
      }, answers: [.nothing("Forgotten.")]),
    Route(
      method: .get, path: "/api/v1/devices/{device}/identities", name: "listIdentities",
      summary: "How a device calls itself in the phones' protocols",
      handler: .account { call, signed in
        let device = try await call.store.device(try id(call), of: signed.account)
        let identities = try await call.store.identities(of: device.id)
        return .json(.object([("items", .array(identities.map(json)))]))
      }, answers: [.json(.object([.needed("items", .list(identity, upTo: 10_000), "")]), "All of them.")]),
    Route(
      method: .post, path: "/api/v1/devices/{device}/identities", name: "addIdentity",
      summary: "What reports under this name is this device",
      handler: .account { call, signed in
        try await call.store.add(
          identity(call.json, of: signed.account), to: try id(call), of: signed.account)
        try await call.parts.engines.deviceChanged(try id(call))
        return .nothing
      }, body: .json(identity), answers: [.nothing("Added.")]),
    Route(
      method: .get, path: "/api/v1/unclaimed-devices", name: "listUnclaimedDevices",
      summary: "Devices that report and belong to nobody, the last to report first; an administrator's right",
      handler: .account { call, signed in
        guard signed.isAdministrator else { throw Problem(.forbidden, "for administrators") }
        let devices = try await call.store.unclaimedDevices(limit: 200)
        return .json(.object([("items", .array(devices.map(unclaimed)))]))
      },
      answers: [
        .json(
          .object([
            .needed(
              "items",
              .list(
                .object([
                  .needed("id", .id, ""), .needed("name", .text(0...1000), ""),
                  .needed("created_at", .time, ""), .needed("last_received_at", .optional(.time), ""),
                ]), upTo: 200), "")
          ]), "At most 200, without positions.")
      ]),
    Route(
      method: .post, path: "/api/v1/unclaimed-devices/{device}/claim", name: "claimDevice",
      summary: "Takes an unclaimed device over; an administrator's right",
      handler: .account { call, signed in
        guard signed.isAdministrator else { throw Problem(.forbidden, "for administrators") }
        let claimed = try await call.store.claim(try id(call), for: signed.account, at: call.now)
        try await call.parts.engines.deviceChanged(claimed.id)
        try await call.zonesChanged([signed.account])
        return answer(claimed)
      }, answers: [.json(device, "It is the account's now.", hasETag: true)]),
  ]

  static func id(_ call: Call) throws(Problem) -> DeviceID { DeviceID(rawValue: try call.id("device")) }

  static func json(_ device: Device) -> JSONValue {
    .object([
      ("id", .string(device.id.description)), ("revision", .integer(device.revision.rawValue)),
      ("name", .string(device.name)), ("tracker_id", .string(device.trackerID)),
      ("is_armed", .bool(device.isArmed)),
      ("report_interval_s", device.reportInterval.map { .number($0.seconds) } ?? .null),
      ("settings", DeviceSettings.json(stored: device.settings)), ("created_at", device.createdAt.json),
      ("last_received_at", device.lastReceivedAt?.json ?? .null),
      ("last_fix", device.lastFix.map { HistoryRoutes.json($0) } ?? .null),
    ])
  }

  private static func unclaimed(_ device: Device) -> JSONValue {
    .object([
      ("id", .string(device.id.description)), ("name", .string(device.name)),
      ("created_at", device.createdAt.json), ("last_received_at", device.lastReceivedAt?.json ?? .null),
    ])
  }

  private static func json(_ identity: DeviceIdentity) -> JSONValue {
    .object([("scheme", .string(identity.scheme.rawValue)), ("value", .string(identity.value))])
  }

  private static func identity(_ value: JSONValue, of account: AccountID) -> DeviceIdentity {
    DeviceIdentity(
      value["scheme"]?.string.flatMap(DeviceIdentity.Scheme.init(rawValue:)) ?? .own,
      value["value"]?.string ?? "", of: account)
  }

  private static func answer(_ device: Device, status: HTTPResponse.Status = .ok) -> Response {
    .json(
      json(device), revision: device.revision, status: status,
      location: status == .created ? "/api/v1/devices/\(device.id)" : nil)
  }

  private static func apply(_ value: JSONValue, to device: inout Device) {
    device.name = value["name"]?.string ?? ""
    device.trackerID = value["tracker_id"]?.string ?? ""
    device.isArmed = value["is_armed"]?.flag ?? true
    device.reportInterval = value["report_interval_s"]?.double.map { .seconds($0) }
    if let settings = value["settings"] { device.settings = settings.text }
  }

  private static func create(_ call: Call, _ signed: Signed) async throws -> Response {
    let devices = try await call.store.devices(of: signed.account)
    guard devices.count < maximumDevices else { throw StoreError.tooMany(allowed: maximumDevices) }
    let id = call.newID(DeviceID.self, for: signed, "devices")
    var made = Device(id: id, account: signed.account, name: "", createdAt: call.now)
    apply(call.json, to: &made)
    let device = made
    let identities = (call.json["identities"]?.list ?? []).map { identity($0, of: signed.account) }
    let (stored, isNew) = try await call.once {
      try await call.store.create(device, identities: identities)
      return try await call.store.device(id, of: signed.account)
    } find: {
      try await call.store.device(id, of: signed.account)
    }
    if isNew { try await call.parts.engines.deviceChanged(stored.id) }
    call.parts.hub.publish(signed.account)
    return answer(stored, status: isNew ? .created : .ok)
  }

  private static func put(_ call: Call, _ signed: Signed) async throws -> Response {
    let revision = try call.expectedRevision()
    var device = try await call.store.device(try id(call), of: signed.account)
    let wasArmed = device.isArmed
    apply(call.json, to: &device)
    let saved = try await call.store.save(device, over: revision, at: call.now)
    try await call.parts.engines.deviceChanged(saved.id)
    if saved.isArmed != wasArmed {
      try await call.parts.engines.arm(saved, by: signed.answerer, at: call.now)
    }
    call.parts.hub.publish(signed.account)
    return answer(saved)
  }
}
