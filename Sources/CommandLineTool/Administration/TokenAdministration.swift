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
    commandName: "token", abstract: "Lists, creates and revokes tokens of devices and programs.",
    subcommands: [List.self, Create.self, Revoke.self])

  struct List: WaitingCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists an account's tokens, without their secrets.")
    @OptionGroup var options: DataOptions
    @Option(help: ArgumentHelp("The account's login.", valueName: "login")) var user: String

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
    static let configuration = CommandConfiguration(
      abstract: "Creates a token and prints its secret, which is shown only once.")
    @OptionGroup var options: DataOptions
    @Option(help: ArgumentHelp("The account's login.", valueName: "login")) var user: String
    @Option(
      help: ArgumentHelp(
        "Restrict the token to this device. Default: all devices and the API.", valueName: "id"))
    var device: String?
    @Option(help: "A name for the token, shown in the list.") var name = ""
    @Option(help: "report: send positions of phones; read: read from the API; write: everything.")
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
        throw UsageError("--scope \(scope.rawValue) found, report allowed for one device")
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
    static let configuration = CommandConfiguration(abstract: "Revokes a token.")
    @OptionGroup var options: DataOptions
    @Argument(help: "The token's id, as listed.") var token: String
    @Option(help: ArgumentHelp("The account's login.", valueName: "login")) var user: String

    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      let user = user
      guard let id = DeviceTokenID(token) else {
        throw UsageError(
          "token \(printable(token)) is not an id; `proximity token list` shows the ids")
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
