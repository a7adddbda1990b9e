import AlarmEngine
import AlarmService
import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import Server
import Store

/// Devices, for operators of the server.
struct DeviceAdministration: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "device", abstract: "Lists devices, and claims those that belong to nobody.",
    subcommands: [List.self, Claim.self])

  struct List: WaitingCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists an account's devices, or those that report and belong to nobody.")
    @OptionGroup var options: DataOptions
    @Option(
      help: ArgumentHelp("The account's login; without it, unclaimed devices are listed.", valueName: "login")
    )
    var user: String?
    @Flag(help: "Print one JSON object per line.") var json = false

    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      let user = user
      let devices = try await options.work { store in
        guard let user else { return try await store.unclaimedDevices(limit: 10_000) }
        return try await store.devices(of: try await store.account(login: user).id)
      }
      var table = TextTable(widest: 40)
      for device in devices {
        let last = device.lastReceivedAt.map { rfc3339($0) }
        if json {
          var line = JSONLine()
          line.add("id", .string(device.id.description))
          line.add("name", .string(device.name))
          line.add("is_armed", .bool(device.isArmed))
          line.add("last_received_at", last.map { .string($0) } ?? .null)
          try console.print(line.string)
        } else {
          table.add([device.id.description, printable(device.name), last ?? "never reported"])
        }
      }
      for line in table.lines { try console.print(line) }
      return .ok
    }
  }

  struct Claim: WaitingCommand {
    static let configuration = CommandConfiguration(
      abstract:
        "Gives an unclaimed device to an account and prints the token that its app must send from now on.")
    @OptionGroup var options: DataOptions
    @Argument(help: "The device's id.") var device: String
    @Option(help: ArgumentHelp("The new owner's login.", valueName: "login")) var user: String
    @Flag(help: "Create no token: anyone who knows the device's own identifier can report as the device.")
    var withoutPassword = false

    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      let (user, withoutPassword) = (user, withoutPassword)
      let id = try deviceID(device)
      let token = try await options.work { store in
        let account = try await store.account(login: user)
        let token = try await ProximityServer.claim(
          id, for: account.id, withToken: !withoutPassword, store, at: ServerClock.system.now())
        try await store.note(byCommand: "claimDevice", id.description, of: account.id)
        return token
      }
      // On a line of its own, so that a script can read it.
      if let token { try console.print(token) }
      return .ok
    }
  }
}

func deviceID(_ text: String) throws(UsageError) -> DeviceID {
  guard let id = DeviceID(text) else {
    throw UsageError("device \(printable(text)) found, sixteen hexadecimal digits allowed")
  }
  return id
}
