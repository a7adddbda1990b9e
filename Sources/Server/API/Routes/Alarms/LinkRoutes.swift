import AlarmEngine
import AlarmService
import Delivery
import Foundation
import HTTPTypes
import Hummingbird
import Store

/// Links in messages that act without a sign-in. Opening the link only shows a page; pressing its button
/// acts, since mail programs and chats follow links by themselves.
enum LinkRoutes {
  static let table: [Route] = [
    Route(
      method: .get, path: "/l/{link}", name: "showLink",
      summary: "Shows a page that asks before a link of a message acts",
      handler: .anyone(show), answers: [.media(["text/html"], "A page.")], isDocumented: false,
      takesFurtherParameters: true),
    Route(
      method: .post, path: "/l/{link}", name: "followLink",
      summary: "Carries out the action of a link of a message",
      handler: .anyone(act), answers: [.media(["text/html"], "A page.")], isDocumented: false,
      takesFurtherParameters: true, isCapability: true),
  ]

  private static func alarm(_ link: AlarmLink, _ call: Call) async throws -> AlarmRecord {
    try await call.store.alarm(link.alarm, of: AccountID(rawValue: link.account))
  }

  private static func answer(_ purpose: AlarmLink.Purpose) -> AlarmAnswer? {
    switch purpose {
    case .open: nil
    case .close: .close
    case .sleep: .sleep
    case .acknowledge: .acknowledge
    case .forToday: .today
    }
  }

  private static func show(_ call: Call) async throws -> Response {
    let link = try call.link(LinkSigner.checkAlarm)
    let alarm = try await alarm(link, call)
    guard let answer = answer(link.purpose) else {
      return .page(LinkPage.markup(alarm: alarm, note: ""))
    }
    guard alarm.isOpen else { return .page(LinkPage.markup(alarm: alarm, note: LinkPage.over)) }
    return .page(LinkPage.markup(alarm: alarm, answer: answer, note: ""))
  }

  private static func act(_ call: Call) async throws -> Response {
    let link = try call.link(LinkSigner.checkAlarm)
    let alarm = try await alarm(link, call)
    guard let answer = answer(link.purpose) else {
      return .page(LinkPage.markup(alarm: alarm, note: ""))
    }
    let channel = ChannelID(rawValue: link.channel)
    let answered = try await AlarmRoutes.carryOut(answer, alarm, call, by: "channel \(channel)")
    let note = alarm.isOpen ? "\(LinkPage.label(answer)): done." : LinkPage.over
    return .page(LinkPage.markup(alarm: answered, note: note))
  }
}

extension Call {
  /// Returns the signed link in the address.
  /// - Throws: if it is no link of this server, or has expired.
  func link<Link>(
    _ check: (LinkSigner) -> (String, Instant) throws(LinkSigner.Refusal) -> Link
  ) throws -> Link {
    let token = try text("link")
    do throws(LinkSigner.Refusal) { return try check(parts.alarms.links)(token, now) } catch {
      switch error {
      case .malformed, .forged: throw Problem(.notFound, "no link of this server")
      case .expired: throw Problem(.gone, "the link is too old")
      }
    }
  }
}
