import AlarmEngine
import AlarmService
import Formats
import Hummingbird
import Logging
import NIOConcurrencyHelpers
import Store

/// Decides which requests enter the audit log: every change, except those with a history of their own and
/// those of everyday use.
enum AuditLog {
  /// Zones and reminders keep their earlier versions, alarms their answers, positions their track; the others
  /// change nothing that anybody is accountable for. An erased account has no log.
  static let quiet: Set<String> = [
    "createZone", "putZone", "deleteZone", "importZones", "mailZone", "createReminder", "putReminder",
    "deleteReminder",
    "createMessage", "putMessage", "deleteMessage", "push", "closeAlarm", "sleepAlarm", "acknowledgeAlarm",
    "noticeShown", "noticeOpened", "testChannel", "askToConfirmChannel", "putSound",
    "deleteSound",
    "beginSecondFactor", "beginLoginIdentity", "beginPasskey", "putSettings", "eraseAccount", "sendSealed",
    "dropSealed",
  ]

  /// A read that copies all data of an account.
  private static let read: Set<String> = ["exportAccount"]

  static func notes(_ route: Route) -> Bool {
    read.contains(route.name) || !route.isSafe && !quiet.contains(route.name)
  }

  /// The subject of a request, by the name that people know; set by the route.
  final class Subject: Sendable {
    private let box = NIOLockedValueBox<String?>(nil)
    var name: String? { box.withLockedValue { $0 } }
    func isNamed(_ name: String) { box.withLockedValue { $0 = name } }
  }
}

extension Call {
  /// Logs an action that has been done; an error here is only logged, since the action stands.
  func audit(_ route: Route, _ signed: Signed) async {
    let names = route.pathParameters.compactMap { context.parameters.get($0) }
    let given = (json["login"] ?? json["name"])?.string.flatMap { $0.isEmpty ? nil : $0 }
    let actor: AuditEntry.Actor =
      switch signed.proof {
      case .session, .appSession: .session(userAgent: request.headers[.userAgent] ?? "")
      case .token(_, let name): .token(name: name)
      }
    await note(
      AuditEntry(
        account: signed.account, at: now, action: route.name,
        subject: subject.name ?? given ?? names.joined(separator: " "), actor: actor, address: origin.address)
    )
  }

  /// Logs an action in the audit log of another person whom it concerns, with the person who did it.
  func note(
    _ action: String, _ subject: String, inLogOf account: AccountID, by signed: Signed
  ) async {
    await note(
      AuditEntry(
        account: account, at: now, action: action, subject: subject, actor: .person(login: signed.login)))
  }

  /// Logs a sign-in or an attempt.
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
