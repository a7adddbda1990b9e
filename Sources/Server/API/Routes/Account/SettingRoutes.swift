import AlarmEngine
import AlarmService
import Delivery
import Formats
import Foundation
import HTTPTypes
import Hummingbird
import Store

/// A person's settings for all devices (S157-S165), and the keys of Web Push.
enum SettingRoutes {
  static let members: [Schema.Member] =
    DeviceSettings.members.map(Schema.Member.init) + [
      Schema.Member(EscalationDelays.member),
      .allowed("bypass_to_map", .boolean, "True to open the map when an alarm is opened; false if left out."),
      .allowed(
        "distance_filter_m", .number(0...1e5),
        "Distance between two reports of OwnTracks, which is set up with it; 50 if left out."),
      .allowed(
        "close_region_timeout_s", .number(900...86_400),
        "Time after which OwnTracks on Android reports without a move; 900 if left out."),
      .allowed(
        "reminder_radius_m", .number(.reminderRadius),
        "Radius of a new reminder's places; 150 if left out."),
      .allowed(
        "map_selector_range_km", .number(0.01...40_000),
        "Range of the map on which a zone is chosen; 500 if left out."),
      .allowed(
        "zone_map_range_km", .number(0.01...40_000), "Range of the map around a zone; 50 if left out."),
      .allowed("time_zone", .text(0...100), "Name in the IANA database, for `today`; UTC if left out."),
    ]
  private static let schema = Schema.object(members)

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/settings", name: "getSettings",
      summary: "Returns the account's settings; those left out have their default",
      handler: .account { call, signed in answer(try await call.store.settings(of: signed.account)) },
      answers: [.json(schema, "The settings.", hasETag: true)]),
    Route(
      method: .put, path: "/api/v1/settings", name: "putSettings", summary: "Saves all settings",
      handler: .account { call, signed in
        if let zone = call.json["time_zone"]?.string, TimeZone(identifier: zone) == nil {
          throw Problem.invalid(
            "/time_zone", "\(zone.excerpt(60)) found, a name of the IANA database allowed")
        }
        let saved = try await call.store.saveSettings(
          call.json.text, of: signed.account, over: try call.expectedRevision(), at: call.now)
        try await call.zonesChanged([signed.account])
        return answer(saved)
      }, headers: [ZoneRoutes.ifMatch], body: .json(schema),
      answers: [.json(schema, "Saved.", hasETag: true)]),
    Route(
      method: .get, path: "/api/v1/push-key", name: "getPushKey",
      summary:
        "Returns the server's public key for `PushManager.subscribe`; the subscription becomes a channel",
      handler: .account { call, _ in
        guard let key = call.parts.alarms.services.webPush?.publicKey else { throw Problem.notFound }
        return .json(.object([("public_key", .string(key))]))
      },
      answers: [
        .json(.object([.needed("public_key", .base64URL(87...87), "")]), "The public key (RFC 8292).")
      ]),
  ]

  private static func answer(_ settings: AccountSettings) -> Response {
    let stored = (try? JSONValue.parse(Array(settings.json.utf8)))?.members ?? []
    let known = stored.filter { name, value in
      members.first { $0.name == name }?.schema.findings(in: value).isEmpty ?? false
    }
    return .json(.object(known), revision: settings.revision)
  }
}
