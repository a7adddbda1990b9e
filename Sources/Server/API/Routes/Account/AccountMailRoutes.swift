import AlarmEngine
import AlarmService
import Delivery
import Formats
import HTTPTypes
import Hummingbird
import Logging
import Store

/// The account's own mail address, and the links by which the reader of an address agrees to receive mail.
enum AccountMailRoutes {
  static let table: [Route] = [
    Route(
      method: .put, path: "/api/v1/account/mail", name: "setAccountMail",
      summary: "Sets the address for links to a new password, and mails a link that confirms the address",
      handler: .account(set),
      body: .json(
        .object([
          .needed("address", .optional(.text(3...254)), "The address; null for none."),
          .needed(
            "password", .text(0...200),
            "The account's password; required since mail to the address can reset it."),
        ])), answers: [.json(AccountRoutes.account, "The account.")]),
    Route(
      method: .get, path: "/c/{link}", name: "showConfirmation",
      summary: "Shows a page that asks before an address is confirmed",
      handler: .anyone(show), answers: [.media(["text/html"], "A page.")], isDocumented: false,
      takesFurtherParameters: true),
    Route(
      method: .post, path: "/c/{link}", name: "confirm", summary: "Confirms a mail address",
      handler: .anyone(confirm), answers: [.media(["text/html"], "A page.")], isDocumented: false,
      takesFurtherParameters: true, isCapability: true),
  ]

  private static func set(_ call: Call, _ signed: Signed) async throws -> Response {
    let given = call.json.given("address")?.string
    let address = try given.map { text throws(Problem) in try call.mailAddress(text, at: "/address") }
    try await call.prove(call.json["password"]?.string ?? "", signed)
    if let address, try await call.store.mailAddress(address.text, of: signed.account)?.confirmedAt == nil {
      try await call.askToConfirm(address, for: signed)
    }
    try await call.store.setOwnMailAddress(address?.text, of: signed.account, at: call.now)
    call.parts.core.hub.publish(signed.account)
    let account = try await call.store.account(signed.account)
    return .json(AccountRoutes.json(account, mail: try await call.ownMail(of: signed.account)))
  }

  private static func record(_ call: Call) async throws -> (MailRecord, TokenHash) {
    let link = Secrets.hash(try call.text("link"))
    guard let record = try await found({ try await call.store.confirmation(link, at: call.now) }) else {
      throw Problem(
        .gone, "the link is unknown, used up or too old; ask for a new one where the address is set")
    }
    return (record, link)
  }

  private static func words(_ record: MailRecord, _ call: Call) async throws -> [String] {
    let login = try await call.store.account(record.account).login
    let purpose =
      record.isOwn
      ? "Links for a new password of the account \(login) will go to \(record.address), and its alarms may."
      : "Alarms of the account \(login) will go to \(record.address)."
    return [PlainPage.heading("May \(record.address) be written to?"), PlainPage.paragraph(purpose)]
  }

  private static func show(_ call: Call) async throws -> Response {
    let (record, _) = try await record(call)
    let lines = try await words(record, call) + [PlainPage.button("Yes, confirm it")]
    return .page(PlainPage.markup(title: "Confirm a mail address", lines: lines))
  }

  private static func confirm(_ call: Call) async throws -> Response {
    let (_, link) = try await record(call)
    let record = try await call.store.confirm(by: link, at: call.now)
    call.parts.core.hub.publish(record.account)
    return .page(
      PlainPage.markup(
        title: "Confirmed", lines: [PlainPage.status("\(record.address) is confirmed.")]))
  }
}

extension Call {
  /// The validity of a link that asks an address for confirmation.
  private static let confirmationLifetime = TimeSpan.hours(24 * 7)

  /// The account's own mail address.
  func ownMail(of account: AccountID) async throws -> MailRecord? {
    try await store.mailAddresses(of: account).first(where: \.isOwn)
  }

  /// - Throws: a problem that names the given and the allowed values.
  func mailAddress(_ text: String, at place: String) throws(Problem) -> MailAddress {
    do { return try MailAddress(text, policy: parts.alarms.services.http.policy) } catch {
      throw Problem.invalid(place, "\(text.excerpt(80)) found, \(error.allowed) allowed")
    }
  }

  /// Mails a link that confirms the address, if this server sends mail. It is sent after the answer, so that
  /// a slow or unreachable mail server delays nobody; the link can be requested again.
  /// - Throws: if too many were requested.
  func askToConfirm(_ address: MailAddress, for signed: Signed) async throws {
    guard let client = parts.alarms.services.mail, let base = parts.alarms.linkBase else { return }
    if let seconds = try await parts.accounts.limits.shared.take(
      [(.mail, signed.account.description), (.confirmation, address.text.lowercased())], at: now)
    {
      throw Problem(
        .tooManyRequests, "too many links were sent to this address, or by this account",
        retryAfterSeconds: seconds)
    }
    let secret = Secrets.random()
    try await store.askToConfirm(
      address.text, of: signed.account, by: Secrets.hash(secret), until: now + Self.confirmationLifetime)
    let words = [
      "The account \(signed.login.excerpt(100)) at \(base) wants to send mail to this address.", "",
      "If that is right, confirm it here: \(base)/c/\(secret)", "",
      "If not, do nothing: nothing more will be sent.",
    ]
    let message = MailMessage(
      sharing: [], to: address, subject: "Confirm this mail address", text: words.joined(separator: "\n"),
      date: now, identifier: "confirm-\(MessageID.random())")
    parts.operation.backgroundTasks.run { [logger] in
      let outcome = await client.send(message)
      if !outcome.isDelivered {
        logger.error("no confirmation was mailed", metadata: ["outcome": "\(outcome)"])
      }
    }
  }
}
