import AlarmEngine
import AlarmService
import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import Store

/// Lists the ways to sign in to an account besides its password, and removes one of them.
struct UserSignIns: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign-ins",
    abstract:
      "Lists or removes an account's sign-in methods besides its password: codes, passkeys, linked logins.",
    discussion: """
      --end codes removes the authenticator app and the recovery codes, so that the password alone signs in again. \
      --end passkeys removes all passkeys. --end ID removes one passkey or one linked login, by its id as listed. \
      Sessions stay open; `proximity user password` ends them.
      """)
  @OptionGroup var options: DataOptions
  @Argument(help: "The account's login.") var login: String
  @Option(
    help: ArgumentHelp("The sign-in method to remove: codes, passkeys or an id as listed.", valueName: "what")
  )
  var end: String?
  @Flag(help: "Print one JSON object per line.") var json = false

  nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
    let login = login
    if let end {
      try await options.work { try await Self.end(end, of: try await $0.account(login: login).id, in: $0) }
      return .ok
    }
    let ways = try await options.work {
      try await Self.ways(of: try await $0.account(login: login).id, in: $0)
    }
    var table = TextTable(widest: 60)
    for way in ways {
      if json {
        var line = JSONLine()
        line.add("kind", .string(way.kind.rawValue))
        line.add("id", way.id.map { .string($0) } ?? .null)
        line.add("name", .string(way.name))
        line.add("at", .string(way.place))
        line.add("since", .string(rfc3339(way.since)))
        line.add("last_used_at", way.lastUsedAt.map { .string(rfc3339($0)) } ?? .null)
        try console.print(line.string)
      } else {
        table.add([
          way.id ?? way.kind.rawValue, way.kind.words, printable(way.name), printable(way.place),
          rfc3339(way.since), way.lastUsedAt.map { "used \(rfc3339($0))" } ?? "",
        ])
      }
    }
    for line in table.lines { try console.print(line) }
    return .ok
  }

  private struct Way {
    enum Kind: String {
      case codes, passkey, identity

      var words: String {
        switch self {
        case .codes: "authenticator codes"
        case .passkey: "passkey"
        case .identity: "linked login"
        }
      }
    }
    let kind: Kind
    /// Nil for codes, of which an account has only one kind.
    var id: String?
    var name = ""
    /// The page of a passkey, or the provider of a login.
    var place = ""
    let since: Instant
    var lastUsedAt: Instant?
  }

  private static func ways(of account: AccountID, in store: SQLStore) async throws -> [Way] {
    var ways: [Way] = []
    let factor = try await found { try await store.secondFactor(of: account) }
    if let since = factor?.confirmedAt { ways.append(Way(kind: .codes, since: since)) }
    ways += try await store.passkeys(of: account).map { passkey in
      Way(
        kind: .passkey, id: passkey.id.description, name: passkey.name, place: passkey.relyingParty,
        since: passkey.createdAt, lastUsedAt: passkey.lastUsedAt)
    }
    ways += try await store.loginIdentities(of: account).map { identity in
      Way(
        kind: .identity, id: identity.id.description, name: identity.name, place: identity.issuer,
        since: identity.boundAt, lastUsedAt: identity.lastUsedAt)
    }
    return ways
  }

  private static func end(_ what: String, of account: AccountID, in store: SQLStore) async throws {
    switch what {
    case "codes":
      try await store.removeSecondFactor(of: account)
      try await store.note(byCommand: "endSecondFactor", of: account)
    case "passkeys":
      try await store.removePasskeys(of: account)
      try await store.note(byCommand: "endPasskeys", of: account)
    default:
      if let passkey = try await store.passkeys(of: account).first(where: { $0.id.description == what }) {
        try await store.remove(passkey.id, of: account)
        try await store.note(byCommand: "deletePasskey", passkey.name, of: account)
      } else if let identity = try await store.loginIdentities(of: account).first(where: {
        $0.id.description == what
      }) {
        try await store.unbind(identity.id, of: account)
        try await store.note(byCommand: "endLoginIdentity", identity.name, of: account)
      } else {
        throw UsageError(
          "--end \(printable(what)) found, codes, passkeys or an id that `proximity user sign-ins` lists allowed"
        )
      }
    }
  }
}
