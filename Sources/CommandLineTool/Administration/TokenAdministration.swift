import AlarmEngine
import AlarmService
import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import Server
import Store

/// Tokens, for operators of the server.
struct TokenAdministration: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Tokens of devices and programs: list, create, revoke.",
    subcommands: [List.self, Create.self, Revoke.self])

  struct List: WaitingCommand {
    static let configuration = CommandConfiguration(abstract: "An account's tokens; never the secrets.")
    @OptionGroup var options: DataOptions
    @Option(help: ArgumentHelp("Whose.", valueName: "login")) var user: String

    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      let user = user
      let tokens = try await options.work { store in
        try await store.tokens(of: try await store.account(login: user).id)
      }
      var table = TextTable(widest: 40)
      for token in tokens {
        table.add([
          token.id.description, printable(token.name),
          token.device.map { "device \($0)" } ?? "all devices", String(describing: token.scope),
          rfc3339(token.createdAt),
        ])
      }
      for line in table.lines { try console.print(line) }
      return .ok
    }
  }

  struct Create: WaitingCommand {
    static let configuration = CommandConfiguration(abstract: "Prints a new token; it is shown only now.")
    @OptionGroup var options: DataOptions
    @Option(help: ArgumentHelp("Whose.", valueName: "login")) var user: String
    @Option(help: ArgumentHelp("For this device only; else for all and for the API.", valueName: "id"))
    var device: String?
    @Option(help: "For the list.") var name = ""
    @Option(help: "report: positions of phones; read: the API, without changing anything; write: all.")
    var scope: Scope?

    enum Scope: String, ExpressibleByArgument, CaseIterable {
      case report, read, write

      var value: TokenScope {
        switch self {
        case .report: .report
        case .read: .read
        case .write: .write
        }
      }
    }

    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      let (user, name, scope) = (user, name, scope)
      if device != nil, let scope, scope != .report {
        throw UsageError("--scope \(scope.rawValue) found, for one device report allowed")
      }
      let device = try device.map { (text) throws(UsageError) in try deviceID(text) }
      let secret = try await options.work { store in
        let account = try await store.account(login: user)
        let secret = try await ProximityServer.newToken(
          store, account: account.id, device: device, name: name, scope: scope?.value ?? .write,
          at: ServerClock.system.now())
        try await store.note(byCommand: "createToken", name, of: account.id)
        return secret
      }
      try console.print(secret)
      return .ok
    }
  }

  struct Revoke: WaitingCommand {
    static let configuration = CommandConfiguration(abstract: "Makes a token worth nothing.")
    @OptionGroup var options: DataOptions
    @Argument(help: "The token's id, as listed.") var token: String
    @Option(help: ArgumentHelp("Whose.", valueName: "login")) var user: String

    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      let user = user
      guard let id = DeviceTokenID(token) else {
        throw UsageError("token \(printable(token)) found, the id that `proximity token list` shows allowed")
      }
      try await options.work { store in
        let account = try await store.account(login: user).id
        let name = try await store.tokens(of: account).first { $0.id == id }?.name ?? ""
        try await store.revoke(id, of: account)
        try await store.note(byCommand: "revokeToken", name.isEmpty ? id.description : name, of: account)
      }
      return .ok
    }
  }
}
