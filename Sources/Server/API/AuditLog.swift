import AlarmEngine
import AlarmService
import Formats
import Hummingbird
import Logging
import NIOConcurrencyHelpers
import Store

/// What of an account's requests goes into its audit log: every change, but for what has a history of its own or is daily life.
enum AuditLog {
  /// Zones and reminders have their former versions, alarms their answers, positions their track; the rest changes nothing that
  /// anybody could be held to. An erased account has no log.
  static let quiet: Set<String> = [
    "createZone", "putZone", "deleteZone", "importZones", "mailZone", "createReminder", "putReminder",
    "deleteReminder",
    "createMessage", "putMessage", "deleteMessage", "push", "closeAlarm", "sleepAlarm", "acknowledgeAlarm",
    "noticeShown", "noticeOpened", "testChannel", "askToConfirmChannel", "putSound",
    "deleteSound",
    "beginSecondFactor", "beginLoginIdentity", "beginPasskey", "putSettings", "eraseAccount", "sendSealed",
    "dropSealed",
  ]

  /// Reading that takes everything along.
  private static let read: Set<String> = ["exportAccount"]

  static func notes(_ route: Route) -> Bool {
    read.contains(route.name) || !route.isSafe && !quiet.contains(route.name)
  }

  /// What a request was about, by the name that people know; told by the route that does it.
  final class Subject: Sendable {
    private let box = NIOLockedValueBox<String?>(nil)
    var name: String? { box.withLockedValue { $0 } }
    func isNamed(_ name: String) { box.withLockedValue { $0 = name } }
  }
}

extension Call {
  /// Notes what was just done. It is done: whatever keeps it from being noted is only logged.
  func audit(_ route: Route, _ signed: Signed) async {
    let names = route.pathParameters.compactMap { context.parameters.get($0) }
    let given = (json["login"] ?? json["name"])?.string.flatMap { $0.isEmpty ? nil : $0 }
    let actor: AuditEntry.Actor =
      switch signed.proof {
      case .session: .session(userAgent: request.headers[.userAgent] ?? "")
      case .token(_, let name): .token(name: name)
      }
    await note(
      AuditEntry(
        account: signed.account, at: now, action: route.name,
        subject: subject.name ?? given ?? names.joined(separator: " "), actor: actor, address: origin.address)
    )
  }

  /// Notes in somebody else's log what was just done that concerns them, and by whom.
  func note(
    _ action: String, _ subject: String, inLogOf account: AccountID, by signed: Signed
  ) async {
    await note(
      AuditEntry(
        account: account, at: now, action: action, subject: subject, actor: .person(login: signed.login)))
  }

  /// Signing in, or trying to.
  func auditSignIn(
    _ action: String, of account: AccountID, isRefused: Bool, subject: String = ""
  ) async {
    let agent = request.headers[.userAgent] ?? ""
    await note(
      AuditEntry(
        account: account, at: now, action: action, subject: subject, isRefused: isRefused,
        actor: isRefused ? .stranger(userAgent: agent) : .session(userAgent: agent), address: origin.address))
  }

  private func note(_ entry: AuditEntry) async {
    do { try await store.note(entry) } catch {
      logger.warning(
        "the audit log lacks an entry", metadata: ["action": "\(entry.action)", "error": "\(error)"])
    }
  }
}
