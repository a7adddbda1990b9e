import AlarmEngine
import AlarmService
import Delivery
import Formats
import HTTPTypes
import Hummingbird
import PAD
import Store

/// Sends a zone by mail (S125-S130): a text, and the zone as a PAD file that opens in the app or is read by
/// `proximity zones receive`.
enum ZoneMailRoutes {
  static let table: [Route] = [
    Route(
      method: .post, path: "/api/v1/zones/{zone}/mail", name: "mailZone",
      summary: "Mails a zone, own or followed, at once and returns the delivery result",
      handler: .account(send),
      body: .json(
        .object([
          .needed("to", .text(3...254), "One mail address."),
          .allowed("message", .text(0...4000), "Text to include in the mail."),
        ])),
      answers: [.json(DeliveryOutcome.schema, "The delivery result.")])
  ]

  private static func send(_ call: Call, _ signed: Signed) async throws -> Response {
    let id = ZoneID(rawValue: try call.id("zone"))
    let set = try await call.store.zoneSet(of: signed.account)
    guard let zone = set.zones.first(where: { $0.id == id })?.zone else { throw Problem.notFound }
    let text = call.json["to"]?.string ?? ""
    let recipient = try call.mailAddress(text, at: "/to")
    // A server that sends mail without a limit would soon be refused everywhere.
    if let seconds = try await call.parts.accounts.limits.shared.take(
      [(.mail, signed.account.description)], at: call.now)
    {
      throw Problem(.tooManyRequests, "too many mails of this account", retryAfterSeconds: seconds)
    }
    guard let client = call.parts.alarms.services.mail else {
      let missing = DeliveryFailure.misconfigured("this server has no mail server")
      return .json(
        DeliveryOutcome.refused(reason: missing).json(of: .mail, call.parts.alarms.services.http.policy))
    }
    let message = MailMessage(
      sharing: [.init(name: zone.name.string, pad: PADWriter.write([zone]).bytes)], to: recipient,
      subject: "Zone: \(zone.name.string.excerpt(100))",
      text: words(zone, from: signed.login, message: call.json["message"]?.string ?? ""), date: call.now,
      identifier: "zone-\(call.newID(MessageID.self, for: signed, "mail"))")
    return .json(await client.send(message).json(of: .mail, call.parts.alarms.services.http.policy))
  }

  private static func words(_ zone: Zone, from login: String, message: String) -> String {
    var lines = ["\(login.excerpt(100)) sends you the zone \(zone.name.string.excerpt(100))."]
    if !message.isEmpty { lines += ["", message] }
    lines += [
      "", "The zone is attached. Open the file with Proximity Alarm to add it; it rings only once you do.",
    ]
    return lines.joined(separator: "\n")
  }
}
