import AlarmEngine
import AlarmService
import Delivery
import HTTPTypes
import Hummingbird
import Store

/// The link of a notice in a message: shows it without signing in; pressing the button counts as opened (S188).
enum NoticeLinkRoutes {
  static let table: [Route] = [
    Route(
      method: .get, path: "/n/{link}", name: "showNotice", summary: "Shows the notice of a zone",
      handler: .anyone { call in
        let (_, zone, notice) = try await find(call)
        return .page(NoticePage.markup(notice: notice, zone: zone.name.string, isOpened: false))
      }, answers: [.media(["text/html"], "A page.")], isDocumented: false, takesFurtherParameters: true),
    Route(
      method: .post, path: "/n/{link}", name: "openNotice", summary: "Counts an opening of the notice",
      handler: .anyone { call in
        let (link, zone, notice) = try await find(call)
        let account = AccountID(rawValue: link.account)
        try await call.store.openNotice(of: link.zone, on: link.device, of: account, at: call.now)
        call.parts.core.hub.publish(account)
        return .page(NoticePage.markup(notice: notice, zone: zone.name.string, isOpened: true))
      }, answers: [.media(["text/html"], "A page.")], isDocumented: false,
      takesFurtherParameters: true, isCapability: true),
  ]

  /// The current notice; that of a deleted zone is no longer shown.
  private static func find(_ call: Call) async throws -> (NoticeLink, Zone, Notice) {
    let link = try call.link(LinkSigner.checkNotice)
    let set = try await call.store.zoneSet(of: AccountID(rawValue: link.account))
    guard let zone = set.zones.first(where: { $0.id == link.zone })?.zone, let notice = zone.notice
    else {
      throw Problem(.gone, "the zone no longer shows this notice")
    }
    return (link, zone, notice)
  }
}
