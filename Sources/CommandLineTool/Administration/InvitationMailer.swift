import AlarmEngine
import AlarmService
import CommandLineSupport
import Delivery
import Formats
import Foundation
import Server
import Store

/// Mails people their links to a group, one after another.
///
/// A link is stored before its mail is sent, and marked afterwards. A person who has such a link that has not ended
/// is not mailed again, so that a command that was stopped can be repeated. Where it is not known whether the mail
/// server has accepted a mail, the link stays and the person is not mailed again either.
struct InvitationMailer: Sendable {
  let group: PeopleGroup
  let manager: Account
  /// The server's public address.
  let base: String
  let end: Instant
  let makesAccounts: Bool
  let send: @Sendable (MailMessage) async -> DeliveryOutcome
  var now: @Sendable () -> Instant = { ServerClock.system.now() }
  var isStopped: @Sendable () -> Bool = { Interruption.isRequested }

  /// After so many failures in a row that may pass, the mail server is not asked again.
  static let mostFailures = 3

  private struct Counts {
    var mailed = 0
    var earlier = 0
    var failed = 0
    var inRow = 0
  }

  nonisolated(nonsending) func mail(
    _ invitations: [Invitation], _ store: SQLStore, on console: Console
  ) async throws -> ExitStatus {
    let bar = ProgressBar("mailing", in: .mails, on: console)
    var counts = Counts()
    let links = try await store.links(of: group.id, owner: manager.id, at: now())
    let known = Dictionary(
      links.compactMap { link in link.mail.map { ($0.lowercased(), link) } },
      uniquingKeysWith: { first, _ in first })
    let more = invitations.count { known[$0.mail.text.lowercased()] == nil }
    guard links.count + more <= GroupLink.most else {
      throw ReadError(
        "\(links.count) links of the group that have not ended and \(more) more found, at most \(GroupLink.most) allowed"
      )
    }
    if more > 0 { try await store.noteInvitations(more, to: group, makesAccounts: makesAccounts) }
    for (index, invitation) in invitations.enumerated() {
      guard !isStopped() else {
        bar.finish()
        tell(counts, of: invitations.count, on: console)
        console.complain("stopped; the same command mails the others")
        return .interrupted
      }
      if let link = known[invitation.mail.text.lowercased()] {
        if link.mailedAt == nil {
          complain(unsure: invitation, link, &counts, on: console)
        } else {
          counts.earlier += 1
        }
      } else {
        try await invite(invitation, store, &counts, on: console)
      }
      _ = bar.step(done: index + 1, total: invitations.count)
      guard counts.inRow < Self.mostFailures else {
        bar.finish()
        tell(counts, of: invitations.count, on: console)
        console.complain("the mail server failed \(counts.inRow) times in a row; the same command goes on")
        return .tryAgain
      }
    }
    bar.finish()
    tell(counts, of: invitations.count, on: console)
    return counts.failed == 0 ? .ok : .findings
  }

  private nonisolated(nonsending) func invite(
    _ invitation: Invitation, _ store: SQLStore, _ counts: inout Counts, on console: Console
  ) async throws {
    let secret = Secrets.random()
    guard
      let link = GroupLink(
        for: invitation, of: group.id, from: now(), until: end, makesAccounts: makesAccounts, isMailed: true)
    else { throw UsageError("the links have ended meanwhile; choose a later --until") }
    do throws(StoreError) { try await store.create([(link, Secrets.hash(secret))], owner: manager.id) } catch
    {
      // The same command runs twice.
      guard error == .taken else { throw error }
      counts.earlier += 1
      return
    }
    let reason: DeliveryFailure
    var mayPass = false
    switch await send(message(to: invitation, secret, link)) {
    case .delivered:
      try await store.noteMailed(link.id, of: group.id, owner: manager.id, at: now())
      counts.mailed += 1
      counts.inRow = 0
      return
    case .retry(_, let why): (reason, mayPass) = (why, true)
    case .gone(let why), .refused(let why): reason = why
    }
    counts.inRow = mayPass ? counts.inRow + 1 : 0
    guard Self.isCertain(reason) else {
      complain(unsure: invitation, link, &counts, on: console)
      return
    }
    try await store.endLink(link.id, of: group.id, owner: manager.id)
    counts.failed += 1
    console.complain(
      printable("line \(invitation.line): \(invitation.mail) was not mailed: \(reason)"))
  }

  /// True if the mail server has certainly not accepted the mail.
  static func isCertain(_ failure: DeliveryFailure) -> Bool {
    switch failure {
    case .connectionLost, .garbled, .cancelled: false
    case .timedOut(let step): step != "acceptance"
    default: true
    }
  }

  private func complain(
    unsure invitation: Invitation, _ link: GroupLink, _ counts: inout Counts, on console: Console
  ) {
    counts.failed += 1
    console.complain(
      printable(
        "line \(invitation.line): it is not known whether \(invitation.mail) was mailed at "
          + "\(rfc3339(link.createdAt)); to mail again, end the link first by `proximity group end-link "
          + "\(group.id) \(link.id) --user \(manager.login)`"))
  }

  private func tell(_ counts: Counts, of all: Int, on console: Console) {
    console.complain(
      "\(counts.mailed) of \(all) mailed, \(counts.earlier) mailed earlier, \(counts.failed) not mailed or not known"
    )
  }

  private func message(to invitation: Invitation, _ secret: String, _ link: GroupLink) -> MailMessage {
    let person = manager.name.isEmpty ? manager.login : manager.name
    var lines = [
      "Hello \(invitation.name),", "",
      "\(person) invites you to the group \(group.name) of Proximity Alarm at \(base).", "",
      "Open this link until \(rfc3339(end)). It is for you alone:", "\(base)/#/join/\(secret)", "",
    ]
    if makesAccounts { lines += ["If you have no account there, you make one by the link.", ""] }
    lines.append("If you do not know \(person), do nothing: the link ends by itself.")
    return MailMessage(
      sharing: [], to: invitation.mail, subject: "Join the group \(group.name)",
      text: lines.joined(separator: "\n"), date: now(), identifier: "invitation-\(link.id)")
  }
}

extension GroupLink {
  /// A link for one person. Nil if it would have ended already.
  init?(
    for invitation: Invitation, of group: GroupID, from now: Instant, until end: Instant, makesAccounts: Bool,
    isMailed: Bool
  ) {
    self.init(group: group, people: 1, createdAt: now, endsAt: end, makesAccounts: makesAccounts)
    note = invitation.name
    login = invitation.login
    mail = isMailed ? invitation.mail.text : nil
  }
}
