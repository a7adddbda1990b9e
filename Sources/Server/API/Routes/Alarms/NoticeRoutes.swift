import AlarmEngine
import Delivery
import Formats
import HTTPTypes
import Hummingbird
import Store

/// Notices that zones show on entry, with counts (S187-S192).
enum NoticeRoutes {
  private static let body = Schema.object([.needed("device_id", .id, "Device on which the notice is shown.")])

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/notices", name: "listNotices",
      summary: "Lists how often notices were shown and opened",
      handler: .account { call, signed in
        let counts = try await call.store.noticeCounts(of: signed.account)
        return .items(counts.map(json))
      },
      answers: [
        .json(
          .items(
            .object([
              .needed("zone_id", .id, ""), .needed("device_id", .id, ""),
              .needed("shown", .integer(0...Int64.max), ""),
              .needed("opened", .integer(0...Int64.max), ""),
              .needed("last_shown_at", .time, ""),
            ]), upTo: 1_000_000), "Counts, by zone and device.")
      ]),
    Route(
      method: .post, path: "/api/v1/zones/{zone}/notice/shown", name: "noticeShown",
      summary: "Counts a showing and returns whether the zone's cap allows it",
      handler: .account { call, signed in
        let id = ZoneID(rawValue: try call.id("zone"))
        let set = try await call.store.zoneSet(of: signed.account)
        guard let zone = set.zones.first(where: { $0.id == id })?.zone, let notice = zone.notice else {
          throw Problem.notFound
        }
        let show = try await call.store.showNotice(
          of: id, on: try await device(call, signed), of: signed.account, cap: notice.cap, at: call.now)
        return .json(.object([("show", .bool(show))]))
      }, body: .json(body),
      answers: [
        .json(
          .object([.needed("show", .boolean, "False if it was already shown within the zone's cap.")]),
          "Counted.")
      ]),
    Route(
      method: .post, path: "/api/v1/zones/{zone}/notice/opened", name: "noticeOpened",
      summary: "Counts an opening of the notice",
      handler: .account { call, signed in
        try await call.store.openNotice(
          of: ZoneID(rawValue: try call.id("zone")), on: try await device(call, signed),
          of: signed.account, at: call.now)
        return .nothing
      }, body: .json(body), answers: [.nothing("Counted.")]),
  ]

  private static func device(_ call: Call, _ signed: Signed) async throws -> DeviceID {
    let id = DeviceID(rawValue: call.json["device_id"]?.string.flatMap { parsedID($0) } ?? 0)
    return try await call.store.device(id, of: signed.account).id
  }

  private static func json(_ count: NoticeCount) -> JSONValue {
    .object([
      ("zone_id", .string(count.zone.description)), ("device_id", .string(count.device.description)),
      ("shown", .integer(Int64(count.shown))), ("opened", .integer(Int64(count.opened))),
      ("last_shown_at", count.lastShownAt.json),
    ])
  }
}
