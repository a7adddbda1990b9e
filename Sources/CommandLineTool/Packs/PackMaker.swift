import AlarmEngine
import AlarmService
import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import PAD
import Packs

/// Signs the zones of files as a pack.
struct PackMaker: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "make", abstract: "Signs the zones of files as one pack.",
    discussion: """
      Any web server can serve the pack, and it can be passed on as a file: followers verify that it is yours and \
      unchanged. Messages of zones, which name your contacts, are left out.

      --after makes a new version of an earlier pack, with the same id, name and texts. With --changes it contains only the \
      differences, for followers who have the earlier version.

      If `proximity pack change-key` made the key, followers of the earlier keys accept it without any action. If the \
      earlier key is lost, --key-lost signs with another one: followers keep their zones, are told, and have to follow again.

      Exit status: 0 done, 1 done, but part of the input was left out, 3 nothing to sign.
      """)

  @OptionGroup var files: ZoneFileOptions
  @Option(help: ArgumentHelp("The file made by `proximity pack key`.", valueName: "file")) var key: String
  @Option(name: .shortAndLong, help: "The pack to write.") var output: String
  @Option(help: ArgumentHelp("The pack published before.", valueName: "pack")) var after: String?
  @Flag(help: "Write only the changes since the pack of --after.") var changes = false
  @Flag(help: "Sign with a key that is no successor of the earlier pack's key.") var keyLost = false
  @Option(help: "The pack's name.") var name: String?
  @Option(help: "A description of the zones' purpose.") var about: String?
  @Option(help: "The publisher's name.") var publisher: String?
  @Option(help: "Days until the next pack is due; followers are told when it is late.") var days = 30

  func validate() throws {
    guard (1...3650).contains(days) else { throw ValidationError("--days \(days) found, 1 to 3650 allowed") }
    if changes, after == nil { throw ValidationError("--changes found without --after") }
    if keyLost, after == nil {
      throw ValidationError("--key-lost found without --after")
    }
    if keyLost, changes { throw ValidationError("--key-lost found with --changes, one of them allowed") }
    if after == nil, name?.isEmpty ?? true { throw ValidationError("--name or --after is missing") }
    for (option, text, most) in [
      ("name", name, ZonePack.maximumNameBytes), ("about", about, ZonePack.maximumAboutBytes),
      ("publisher", publisher, ZonePack.maximumNameBytes),
    ] {
      let length = text?.utf8.count ?? 0
      guard length <= most else {
        throw ValidationError("--\(option) of \(length) bytes found, \(most) allowed")
      }
    }
  }

  func run(on console: Console) throws -> ExitStatus {
    let key = try PackFile.key(key)
    let before = try after.map { try earlier($0, than: key) }
    var zones: [ZoneID: Zone] = [:]
    var hasFindings = false
    for path in files.files {
      let file = try files.read(path, on: console)
      for issue in file.issues { console.complain(line(for: issue, in: path)) }
      if file.issues.contains(where: { $0.severity == .error }) { hasFindings = true }
      for zone in file.zones {
        guard zones.updateValue(zone, forKey: zone.id) != nil else { continue }
        hasFindings = true
        console.complain(
          "error: zone \(displayName(zone.name)) has the same id as another; the later one is used")
      }
    }
    guard !zones.isEmpty else { throw ReadError("\(files.files.joined(separator: ", ")): no zone found") }
    let entries = zones.values.map { ZonePack.Entry(publishing: $0) }.sorted { $0.id < $1.id }
    let now = ServerClock.system.now()
    let head = ZonePack.Head(
      publicKey: key.publicKey, collection: before?.head.collection ?? .random(in: .min ... .max),
      version: PackVersion(after: before?.head.version, at: now), madeAt: now,
      renewBy: now + .hours(24 * Double(days)), name: name ?? before?.head.name ?? "",
      about: about ?? before?.head.about ?? "", publisher: publisher ?? before?.head.publisher ?? "")
    let bytes: [UInt8]
    do throws(PackError) {
      if changes, let before {
        let (changed, removed) = ZonePack.changes(from: before.entries, to: entries)
        bytes = try key.seal(
          head, since: before.head.version, changed: changed, removed: removed, of: entries)
      } else {
        bytes = try key.seal(head, whole: entries)
      }
    } catch { throw ReadError(error.message) }
    do { try Data(bytes).write(to: URL(fileURLWithPath: output), options: .atomic) } catch {
      throw OutputError.file(output, after: error)
    }
    try console.print(
      "\(InputFiles.name(output)): version \(head.version), \(counted(entries.count, "zone", "zones"))")
    return hasFindings ? .findings : .ok
  }

  /// The previously published pack, signed by this key or by one that has named it as its successor.
  private func earlier(_ path: String, than key: PackKey) throws -> HeldPack {
    let held = try PackFile.held(path)
    guard keyLost || key.follows(held.head.publicKey) else {
      let error = PackError.otherKey(found: key.publicKey, expected: held.head.publicKey)
      throw ReadError(
        "\(InputFiles.name(path)): \(error.message); `proximity pack change-key` creates a successor, --key-lost signs without one"
      )
    }
    return held
  }
}
