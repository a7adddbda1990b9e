import AlarmService
import ArgumentParser
import CommandLineSupport
import Formats
import Store

/// Turns private mode of an account on or off, for operators of the server.
struct UserPrivate: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "private",
    abstract:
      "Turns private mode on or off. A server stores no position, zone or other place of a private account.")

  enum Switch: String, ExpressibleByArgument { case on, off }

  @OptionGroup var options: DataOptions
  @Argument(help: "The account's login.") var login: String
  @Argument(help: "on or off.") var mode: Switch
  @Flag(
    help: ArgumentHelp(
      "Permanently erase all places of the account that the server stores.",
      discussion: "Without this flag, nothing changes if there are any."))
  var erase = false
  @Flag(help: "Print one JSON object.") var json = false

  nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
    let (login, mode, erase) = (login, mode, erase)
    let outcome: Result<StoredPlaces, PrivateMode.PlacesStored> = try await options.work { store in
      let account = try await store.account(login: login).id
      let now = ServerClock.system.now()
      guard mode == .on else {
        try await store.setPrivate(false, account, at: now)
        try await store.note(byCommand: "putPrivate", mode.rawValue, of: account)
        return .success(StoredPlaces())
      }
      do {
        let erased = try await PrivateMode.turnOn(for: account, erasing: erase, store, at: now)
        try await store.note(byCommand: "putPrivate", mode.rawValue, of: account)
        return .success(erased)
      } catch let refusal as PrivateMode.PlacesStored { return .failure(refusal) }
    }
    switch outcome {
    case .failure(let refusal):
      let found = "the server stores \(refusal.stored.words) of \(printable(login))"
      console.complain("\(found); --erase erases them permanently. Nothing was changed")
      return .findings
    case .success(let erased):
      if json {
        var line = JSONLine()
        line.add("login", .string(login))
        line.add("is_private", .bool(mode == .on))
        line.add("erased_positions", .integer(erased.positions))
        line.add("erased_zones", .integer(erased.zones))
        line.add("erased_alarms", .integer(erased.alarms))
        line.add("erased", .integer(erased.total))
        try console.print(line.string)
      } else {
        let name = printable(login)
        try console.print(
          mode == .on ? "\(name) is private; erased: \(erased.words)" : "\(name) is not private")
      }
      return .ok
    }
  }
}
