import AlarmEngine
import AlarmService
import CommandLineSupport
import Delivery
import Formats
import Foundation
import Server
import Store

/// Links for the people of a table, one for each.
extension GroupAdministration.Invite {
  /// The server's address if nothing names another one.
  static let local = "http://127.0.0.1:8080"

  /// The public address that the command line or else the settings name.
  func base(or settings: ServerSettings?) -> String? {
    let named = publicUrl ?? settings?.publicURL?.absoluteString
    return named.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
  }

  /// The server's settings, from the environment and the file that --config names.
  private func settings() throws -> ServerSettings {
    var values = ServerSettings.Values()
    do {
      try values.add(environment: ProcessInfo.processInfo.environment)
      if let config {
        guard let bytes = FileManager.default.contents(atPath: config) else {
          throw UsageError("--config \(printable(config)) cannot be read")
        }
        try values.add(file: Array(bytes), name: config)
      }
      return try ServerSettings(values)
    } catch let refusal as ServerSettings.Refusal { throw UsageError(printable(refusal.description)) }
  }

  nonisolated(nonsending) func invite(
    all path: String, to id: GroupID, _ now: Instant, until end: Instant, on console: Console
  ) async throws -> ExitStatus {
    let invitations = try InvitationList.read(path, makesAccounts: newAccounts, on: console)
    let settings = try settings()
    if prints {
      let links = try await printed(invitations, to: id, now, until: end)
      let base = base(or: settings) ?? Self.local
      try console.print("name,mail,link")
      for (invitation, secret) in zip(invitations, links) {
        try console.print(
          "\(HistoryTable.field(invitation.name)),\(invitation.mail),\(base)/#/join/\(secret)")
      }
      return .ok
    }
    guard let server = settings.mail else {
      throw UsageError(
        "no mail server found in the settings; name it by --config or PROXIMITY_SMTP_HOST, or print the links by --print"
      )
    }
    guard let base = base(or: settings) else {
      throw UsageError(
        "no public address found, to which the links in the mails lead; name it by --public-url or public_url in --config"
      )
    }
    let client = SMTPClient(server: server, trustRoots: settings.trustRoots)
    let (user, makesAccounts) = (user, newAccounts)
    // Nothing else uses the console meanwhile.
    nonisolated(unsafe) let console = console
    return try await options.work { store in
      let manager = try await store.account(login: user)
      let mailer = InvitationMailer(
        group: try await store.group(id, of: manager.id, at: now), manager: manager, base: base, end: end,
        makesAccounts: makesAccounts, send: { await client.send($0) })
      return try await mailer.mail(invitations, store, on: console)
    }
  }

  /// Makes all links or none.
  /// - Returns: their secrets.
  private func printed(
    _ invitations: [Invitation], to id: GroupID, _ now: Instant, until end: Instant
  ) async throws -> [String] {
    let (user, makesAccounts) = (user, newAccounts)
    return try await options.work { store in
      let account = try await store.account(login: user).id
      let group = try await store.group(id, of: account, at: now)
      let secrets = invitations.map { _ in Secrets.random() }
      let links = zip(invitations, secrets).compactMap { invitation, secret in
        GroupLink(
          for: invitation, of: id, from: now, until: end, makesAccounts: makesAccounts, isMailed: false
        ).map { ($0, Secrets.hash(secret)) }
      }
      try await store.create(links, owner: account)
      try await store.noteInvitations(links.count, to: group, makesAccounts: makesAccounts)
      return secrets
    }
  }
}

extension SQLStore {
  /// Logs the making of links for as many people in the manager's audit log.
  func noteInvitations(
    _ people: Int, to group: PeopleGroup, makesAccounts: Bool
  ) async throws(StoreError) {
    try await note(
      byCommand: makesAccounts ? "makeAccountLink" : "makeGroupLink", "\(group.name) · \(people)",
      of: group.owner)
  }
}
