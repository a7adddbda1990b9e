import AlarmEngine
import AlarmService
import ArgumentParser
import CommandLineSupport
import Delivery
import Formats
import Foundation
import PAD
import Packs

/// Reports the signer of a pack, and its content.
struct PackCheck: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Verifies a whole pack and prints its publisher and key.",
    discussion: """
      Exit status: 0 valid, 1 out of date or with unreadable zones, 3 refused.

      --json prints one object: {"pack","name","about","publisher","key","version","made_at","renew_by","zones","unreadable",
      "earlier_keys"}. earlier_keys are the keys that led to this one, the earliest first.
      """)

  @Argument(help: "The pack.") var file: String
  // One key in 64 begins with a hyphen.
  @Option(
    parsing: .unconditional,
    help:
      "The public key to accept: the one that signed the pack, or an earlier one that led to it. Default: any key."
  ) var key: String?
  @Option(help: ArgumentHelp("The earlier pack to which this pack's changes are applied.", valueName: "pack"))
  var after: String?
  @Option(
    name: .shortAndLong, help: ArgumentHelp("Write the pack's zones to this file, as PAD.", valueName: "file")
  )
  var output: String?
  @Flag(help: "Print one JSON object.") var json = false

  func run(on console: Console) throws -> ExitStatus {
    let key = try key.map { try PackFile.publicKey($0) }
    let held = try held(signedBy: key)
    var unreadable: [ZoneID] = []
    for entry in held.entries {
      do throws(PackError) { _ = try entry.zone() } catch {
        unreadable.append(entry.id)
        console.complain("warning: \(InputFiles.name(file)): \(error.message)")
      }
    }
    let head = held.head
    let isLate = head.renewBy < ServerClock.system.now()
    if isLate {
      console.complain("warning: \(InputFiles.name(file)): out of date since \(rfc3339(head.renewBy))")
    }
    if let output {
      let pad = held.entries.flatMap(\.pad)
      do { try Data(pad).write(to: URL(fileURLWithPath: output), options: .atomic) } catch {
        throw OutputError.file(output, after: error)
      }
    }
    if json {
      try console.print(jsonLine(held, unreadable).string)
    } else {
      let name = printable(head.name)
      try console.print(
        "\(name): version \(head.version), \(counted(held.entries.count, "zone", "zones")), made \(rfc3339(head.madeAt))"
      )
      if !head.publisher.isEmpty { try console.print("published by \(printable(head.publisher))") }
      try console.print("signed by the key \(Base64URL.encode(head.publicKey))")
      for change in head.keyChanges.reversed() {
        try console.print(
          "earlier key \(Base64URL.encode(change.old)), replaced on \(rfc3339(change.changedAt))")
      }
    }
    return isLate || !unreadable.isEmpty ? .findings : .ok
  }

  private func held(signedBy key: [UInt8]?) throws -> HeldPack {
    guard let after else { return try PackFile.held(file, signedBy: key) }
    var held = try PackFile.held(after, signedBy: key)
    let bytes = try PackFile.bytes(file)
    do throws(PackError) { try held.take(bytes) } catch {
      throw ReadError("\(InputFiles.name(file)): \(error.message)")
    }
    return held
  }

  private func jsonLine(_ held: HeldPack, _ unreadable: [ZoneID]) -> JSONLine {
    let head = held.head
    var line = JSONLine()
    line.add("pack", .string(file))
    line.add("name", .string(head.name))
    line.add("about", .string(head.about))
    line.add("publisher", .string(head.publisher))
    line.add("key", .string(Base64URL.encode(head.publicKey)))
    line.add("version", .integer(Int(head.version.number)))
    line.add("made_at", .string(rfc3339(head.madeAt)))
    line.add("renew_by", .string(rfc3339(head.renewBy)))
    line.add("zones", .integer(held.entries.count))
    line.add("unreadable", .integer(unreadable.count))
    line.add("earlier_keys", .strings(head.keyChanges.map { Base64URL.encode($0.old) }))
    return line
  }
}
