import AlarmEngine
import AlarmService
import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import Server
import Store

/// Prints the audit log of an account.
struct UserLog: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Prints an account's log: each action with its actor and address, newest first.")
  @OptionGroup var options: DataOptions
  @Argument(help: "The account's login.") var login: String
  @Option(help: "Maximum number of entries.") var limit = 100
  @Flag(help: "Print one JSON object per line.") var json = false

  nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
    guard (1...AuditEntry.most).contains(limit) else {
      throw UsageError("--limit \(limit) found, 1 to \(AuditEntry.most) allowed")
    }
    let (login, limit) = (login, limit)
    let entries = try await options.work { store in
      try await store.auditLog(of: try await store.account(login: login).id, before: nil, limit: limit)
    }
    var table = TextTable(widest: 60)
    for entry in entries {
      let (by, name) = entry.actor.words
      if json {
        var line = JSONLine()
        line.add("at", .string(rfc3339(entry.at)))
        line.add("action", .string(entry.action))
        line.add("subject", .string(entry.subject))
        line.add("is_refused", .bool(entry.isRefused))
        line.add("by", .string(by))
        line.add("by_name", .string(name))
        line.add("address", .string(entry.address))
        try console.print(line.string)
      } else {
        table.add([
          rfc3339(entry.at), entry.action + (entry.isRefused ? " refused" : ""), printable(entry.subject),
          printable(name.isEmpty ? by : "\(by) \(name)"), printable(entry.address),
        ])
      }
    }
    for line in table.lines { try console.print(line) }
    return .ok
  }
}

extension SQLStore {
  /// Logs a command's action in the account's audit log.
  /// - Parameter action: the API's name of the same action, if there is one.
  func note(byCommand action: String, _ subject: String = "", of account: AccountID) async throws(StoreError)
  {
    try await note(
      AuditEntry(
        account: account, at: ServerClock.system.now(), action: action, subject: subject, actor: .commandLine)
    )
  }
}
