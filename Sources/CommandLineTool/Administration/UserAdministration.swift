import AlarmEngine
import AlarmService
import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import Server
import Store

/// Accounts, for operators of the server.
struct UserAdministration: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "user",
    abstract: "Manages accounts, their passwords, sign-in methods, private mode and log.",
    subcommands: [
      List.self, Invite.self, UserPassword.self, UserSignIns.self, UserPrivate.self, Disable.self,
      Enable.self, UserLog.self, Erase.self,
    ])

  struct List: WaitingCommand {
    static let configuration = CommandConfiguration(abstract: "Lists all accounts.")
    @OptionGroup var options: DataOptions
    @Flag(help: "Print one JSON object per line.") var json = false

    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      let accounts = try await options.work { try await allAccounts($0) }
      var table = TextTable(widest: 40)
      for account in accounts {
        if json {
          var line = JSONLine()
          line.add("id", .string(account.id.description))
          line.add("login", .string(account.login))
          line.add("name", .string(account.name))
          line.add("is_administrator", .bool(account.isAdministrator))
          line.add("is_disabled", .bool(account.isDisabled))
          line.add("is_private", .bool(account.isPrivate))
          line.add("created_at", .string(rfc3339(account.createdAt)))
          try console.print(line.string)
        } else {
          let role = account.isAdministrator ? "administrator" : "user"
          table.add([
            printable(account.login), printable(account.name), account.isDisabled ? "disabled" : role,
            rfc3339(account.createdAt),
          ])
        }
      }
      for line in table.lines { try console.print(line) }
      return .ok
    }
  }

  struct Invite: WaitingCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints an invitation link for one account, valid for a day.")
    @OptionGroup var options: DataOptions
    @Flag(help: "The account may administer the server.") var administrator = false
    @Option(help: ArgumentHelp("The server's public address.", valueName: "url"))
    var publicUrl = "http://127.0.0.1:8080"

    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      let (administrator, now) = (administrator, ServerClock.system.now())
      let secret = try await options.work {
        try await ProximityServer.newSetUpSecret($0, isAdministrator: administrator, at: now)
      }
      try console.print("\(publicUrl)/#setup=\(secret)")
      return .ok
    }
  }

  struct Disable: WaitingCommand {
    static let configuration = CommandConfiguration(
      abstract: "Disables an account: no sign-in and no reports until it is enabled.")
    @OptionGroup var options: DataOptions
    @Argument(help: "The account's login.") var login: String
    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      try await set(disabled: true, login, options)
    }
  }

  struct Enable: WaitingCommand {
    static let configuration = CommandConfiguration(abstract: "Enables a disabled account again.")
    @OptionGroup var options: DataOptions
    @Argument(help: "The account's login.") var login: String
    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      try await set(disabled: false, login, options)
    }
  }

  struct Erase: WaitingCommand {
    static let configuration = CommandConfiguration(
      abstract: "Erases an account and all its data. This cannot be undone.")
    @OptionGroup var options: DataOptions
    @Argument(help: "The account's login.") var login: String
    @Option(help: ArgumentHelp("The login again, as confirmation.", valueName: "login")) var confirm: String

    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      guard confirm == login else {
        throw UsageError("--confirm \(printable(confirm)) found, \(printable(login)) allowed")
      }
      let login = login
      try await options.work { store in
        let account = try await store.account(login: login)
        while !(try await store.erase(account.id, limit: 1000)) {}
      }
      return .ok
    }
  }

  private static func set(
    disabled: Bool, _ login: String, _ options: DataOptions
  ) async throws -> ExitStatus {
    try await options.work { store in
      var account = try await store.account(login: login)
      account.isDisabled = disabled
      _ = try await store.save(account, over: account.revision, at: ServerClock.system.now())
      try await store.note(byCommand: disabled ? "disableAccount" : "enableAccount", of: account.id)
    }
    return .ok
  }
}

/// All accounts, in the order of their ids.
func allAccounts(_ store: SQLStore) async throws(StoreError) -> [Account] {
  var all: [Account] = []
  while true {
    let page = try await store.accounts(after: all.last?.id, limit: 1000)
    all += page
    if page.count < 1000 { return all }
  }
}
