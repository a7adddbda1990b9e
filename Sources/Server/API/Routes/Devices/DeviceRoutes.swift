import AlarmEngine
import AlarmService
import Delivery
import Formats
import Foundation
import Geometry
import HTTPTypes
import Hummingbird
import PayloadCrypto
import Store

/// Devices: phones and the apps on them that report.
enum DeviceRoutes {
  private static let fields: [Schema.Member] = [
    .needed("name", .text(1...200), ""),
    .allowed("tracker_id", .text(0...2), "Two letters shown on OwnTracks' maps."),
    .allowed("is_armed", .boolean, "True if its alarms ring; true if left out."),
    .allowed(
      "report_interval_s", .optional(.number(.reportInterval)),
      "Longest silence before an alarm rings; null for no limit."),
    .allowed("settings", .named(.deviceSettings), ""),
    .allowed(
      "passphrase", .optional(.text(0...256)),
      "Key of OwnTracks' encryption, 1 to 32 bytes of UTF-8; null for none, unchanged if left out. Never returned."
    ),
  ]
  private static let status: [Schema.Member] = [
    .needed("battery", .optional(.number(0...1)), ""), .needed("is_charging", .optional(.boolean), ""),
    .needed(
      "motion", .list(.text(0...100), upTo: 10), "Motion as reported by the phone: walking, in_vehicle."),
    .needed("altitude_m", .optional(.number(-1e8...1e8)), ""),
    .needed("told_at", .optional(.time), "Time of this status; null if there is none."),
    .needed("low_battery_since", .optional(.time), "Start of the alarm in this discharge."),
    .needed(
      "unread", .optional(.words(DeviceStatus.Unread.allCases.map(\.word))),
      """
      Reason why its reports cannot be read: they are encrypted and the device has no passphrase or another one, \
      or no position can be read in several posts in a row.
      """
    ),
    .needed(
      "unread_reason", .optional(.text(0...1000)), "For `malformed`: the error in the first of these posts."),
    .needed("unread_since", .optional(.time), ""),
  ]
  static let members: [Schema.Member] = [
    .needed("id", .id, ""), .needed("revision", .integer(1...Int64.max), ""),
    .needed("name", .text(0...1000), ""), .needed("tracker_id", .text(0...1000), ""),
    .needed("is_armed", .boolean, ""), .needed("report_interval_s", .optional(.number(0...1e9)), ""),
    .needed("settings", .named(.deviceSettings), ""), .needed("created_at", .time, ""),
    .needed("last_received_at", .optional(.time), "Time of the last report."),
    .needed("last_fix", .optional(.named(.fix)), "Latest fix by time of measurement."),
    .needed("has_passphrase", .boolean, "True if it encrypts its reports."),
    .needed("status", .object(status), "Status last reported by the device."),
  ]
  private static let device = Schema.object(members)
  static let maximumDevices = Device.mostOfAccount

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/devices", name: "listDevices",
      summary: "Lists the account's devices, by name",
      handler: .account { call, signed in
        let devices = try await call.store.devices(of: signed.account)
        return .items(devices.map(json))
      }, answers: [.json(.items(device, upTo: 100_000), "All devices.")]),
    Route(
      method: .post, path: "/api/v1/devices", name: "createDevice", summary: "Creates a device",
      handler: .account(create),
      body: .json(
        .object(
          fields + [
            .allowed(
              "identities", .list(IdentityRoutes.given, upTo: 20),
              "Names of the device in the phones' protocols.")
          ])),
      answers: [
        .json(device, "The device.", status: .created, hasETag: true),
        .json(device, "The device created earlier with the same Idempotency-Key.", hasETag: true),
      ], isIdempotentByKey: true),
    Route(
      method: .get, path: "/api/v1/devices/{device}", name: "getDevice", summary: "Returns one device",
      handler: .account { call, signed in
        answer(try await call.store.device(try id(call), of: signed.account))
      }, answers: [.json(device, "The device.", hasETag: true)]),
    Route(
      method: .put, path: "/api/v1/devices/{device}", name: "putDevice",
      summary: "Saves an edited device; arms and disarms it", handler: .account(put),
      headers: [ZoneRoutes.ifMatch], body: .json(.object(fields)),
      answers: [.json(device, "Saved.", hasETag: true)]),
    Route(
      method: .delete, path: "/api/v1/devices/{device}", name: "deleteDevice",
      summary: "Deletes a device with its fixes and alarms",
      handler: .account { call, signed in
        call.subject.isNamed(try await call.store.device(try id(call), of: signed.account).name)
        try await call.store.deleteDevice(try id(call), of: signed.account, at: call.now)
        try await call.parts.alarms.engines.deviceChanged(try id(call))
        call.parts.core.hub.publish(signed.account)
        return .nothing
      }, answers: [.nothing("Deleted.")]),
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
      ("has_passphrase", .bool(device.passphrase != nil)), ("status", json(device.status)),
    ])
  }

  private static func json(_ status: DeviceStatus) -> JSONValue {
    let reason = status.unread == .malformed ? status.malformed?.reason : nil
    return .object([
      ("battery", status.battery.map { .number($0) } ?? .null),
      ("is_charging", status.isCharging.map { .bool($0) } ?? .null),
      ("motion", .array(status.motion.map { .string($0) })),
      ("altitude_m", status.altitude.map { .number($0.metres) } ?? .null),
      ("told_at", status.toldAt?.json ?? .null),
      ("low_battery_since", status.lowBatterySince?.json ?? .null),
      ("unread", status.unread.map { .string($0.word) } ?? .null),
      ("unread_reason", reason.map { .string($0) } ?? .null),
      ("unread_since", status.unreadSince?.json ?? .null),
    ])
  }

  static func answer(_ device: Device, status: HTTPResponse.Status = .ok) -> Response {
    .json(
      json(device), revision: device.revision, status: status,
      location: status == .created ? "/api/v1/devices/\(device.id)" : nil)
  }

  private static func apply(_ value: JSONValue, to device: inout Device) throws(Problem) {
    device.name = value["name"]?.string ?? ""
    device.trackerID = value["tracker_id"]?.string ?? ""
    device.isArmed = value["is_armed"]?.flag ?? true
    device.reportInterval = value["report_interval_s"]?.double.map { .seconds($0) }
    if let settings = value["settings"] { device.settings = settings.text }
    guard let passphrase = value["passphrase"] else { return }
    if let text = passphrase.string {
      do { _ = try PayloadKey(passphrase: text) } catch {
        switch error {
        case .passphraseLength(let given):
          throw Problem.invalid(
            "/passphrase", "\(given) bytes of UTF-8 found, 1 to \(PayloadKey.length) allowed")
        }
      }
    }
    device.passphrase = passphrase.string
  }

  private static func create(_ call: Call, _ signed: Signed) async throws -> Response {
    let devices = try await call.store.devices(of: signed.account)
    guard devices.count < maximumDevices else { throw StoreError.tooMany(allowed: maximumDevices) }
    let id = call.newID(DeviceID.self, for: signed, "devices")
    var made = Device(id: id, account: signed.account, name: "", createdAt: call.now)
    try apply(call.json, to: &made)
    let device = made
    let identities = try (call.json["identities"]?.list ?? []).map {
      try IdentityRoutes.identity($0, of: signed)
    }
    let (stored, isNew) = try await call.once {
      try await call.store.create(device, identities: identities)
      return try await call.store.device(id, of: signed.account)
    } find: {
      try await call.store.device(id, of: signed.account)
    }
    if isNew { try await call.parts.alarms.engines.deviceChanged(stored.id) }
    call.parts.core.hub.publish(signed.account)
    return answer(stored, status: isNew ? .created : .ok)
  }

  private static func put(_ call: Call, _ signed: Signed) async throws -> Response {
    let revision = try call.expectedRevision()
    var device = try await call.store.device(try id(call), of: signed.account)
    let wasArmed = device.isArmed
    let passphrase = device.passphrase
    try apply(call.json, to: &device)
    let saved = try await call.store.save(device, over: revision, at: call.now)
    if saved.isArmed != wasArmed {
      try await call.parts.alarms.engines.arm(saved, by: signed.answerer, at: call.now)
    }
    try await call.parts.alarms.engines.deviceChanged(saved.id)
    if saved.passphrase != nil, saved.passphrase != passphrase {
      try await PhoneRoutes.readKept(of: saved, call.store, call.parts.alarms.ingest)
    }
    call.parts.core.hub.publish(signed.account)
    return answer(try await call.store.device(saved.id, of: signed.account))
  }
}
