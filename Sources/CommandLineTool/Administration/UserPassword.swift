import AlarmEngine
import AlarmService
import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import Server
import Store

/// Sets a new password of an account, for a person who has forgotten it.
struct UserPassword: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "password",
    abstract: "Sets an account's password, or prints a link for setting it.",
    discussion: """
      On a terminal the command asks for the password twice and does not show it; otherwise it reads the first line of \
      standard input. All sessions of the account end. --link changes nothing by itself: the printed link sets a password, \
      once and within an hour.
      """)

  @OptionGroup var options: DataOptions
  @Argument(help: "The account's login.") var login: String
  @Flag(help: "Print a link instead of asking for a password.") var link = false
  @Option(help: ArgumentHelp("The server's public address, for --link.", valueName: "url"))
  var publicUrl = "http://127.0.0.1:8080"
  @Flag(
    help:
      "Also revoke tokens that are not limited to one device. A phone that uses one can no longer report."
  )
  var revokeTokens = false

  nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
    let (login, revokeTokens, now) = (login, revokeTokens, ServerClock.system.now())
    guard !(link && revokeTokens) else {
      throw UsageError(
        "--revoke-tokens with --link found; the person who opens the link decides about tokens")
    }
    // First, so that nobody types a password for an account that does not exist.
    let account = try await options.work { store in try await store.account(login: login).id }
    if link {
      let secret = try await options.work { store in
        let secret = try await ProximityServer.newResetSecret(store, of: account, at: now)
        try await store.note(byCommand: "askForPasswordReset", of: account)
        return secret
      }
      try console.print("\(publicUrl)/#reset=\(secret)")
      return .ok
    }
    let password = try Self.password(of: login)
    let hash = try await PasswordHasher().hash(password)
    try await options.work { store in
      try await store.setPassword(
        hash: hash, of: account, keeping: nil, revokingTokens: revokeTokens, at: now)
      try await store.note(byCommand: "setPassword", of: account)
    }
    console.complain("the password of \(printable(login)) is set; its sessions have ended")
    return .ok
  }

  /// The lengths that the API accepts.
  private static let allowed = 8...200

  private static func password(of login: String) throws -> String {
    let isTerminal = isatty(STDIN_FILENO) == 1
    let first: String?
    if isTerminal {
      first = hiddenLine("new password of \(printable(login)): ")
      guard hiddenLine("once more: ") == first else {
        throw UsageError("the two passwords differ")
      }
    } else {
      first = readLine(strippingNewline: true)
    }
    guard let first, !first.isEmpty else { throw UsageError("no password found on standard input") }
    // The length is counted as in the API.
    let length = first.unicodeScalars.count
    guard allowed.contains(length) else {
      throw UsageError(
        "a password of \(length) characters found, \(allowed.lowerBound) to \(allowed.upperBound) allowed")
    }
    return first
  }

  /// Asks on the terminal without echo. The echo is restored afterwards, even after an interruption.
  private static func hiddenLine(_ prompt: String) -> String? {
    guard let typed = getpass(prompt) else { return nil }
    let line = String(cString: typed)
    memset(typed, 0, strlen(typed))
    return line
  }
}
