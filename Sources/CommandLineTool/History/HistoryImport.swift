import AlarmEngine
import AlarmService
import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import Store

/// Imports recorded tracks into a device's history.
struct HistoryImport: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Imports past tracks into a device's history; nothing rings.",
    discussion: """
      Reads Google's timeline (a phone's export, Takeout's Records.json), OwnTracks .rec, GPX and all other formats of \
      `proximity replay`, also compressed with gzip. A position less than a second from a stored one is skipped, so a \
      file may be imported twice; repeat the command to continue a stopped import. The server may keep running. Alarms, \
      notices, timers and the device's current position do not change.

      `proximity serve --retention-days N` deletes imported positions N days after their import, whatever their age.

      Exit status: 0 done, 1 done, but part of the input was left out, 3 nothing could be read, 130 stopped by Control-C.
      """)

  @Argument(help: ArgumentHelp("Track files.", valueName: "file"))
  var files: [String]

  @Option(help: ArgumentHelp("The device's name or id.", valueName: "name"))
  var device: String

  @Option(help: ArgumentHelp("The login of the device's owner.", valueName: "login"))
  var user: String

  @Flag(help: "Create the device if the account has none of that name.") var create = false

  @Option(help: ArgumentHelp("The device to import from files with several devices.", valueName: "id"))
  var track: String?

  @Option(
    name: .customLong("track-format"),
    help:
      "The files' format, if it cannot be detected from their content: \(TrackFormat.allCases.map(\.rawValue).joined(separator: ", ")).",
    completion: .list(TrackFormat.allCases.map(\.rawValue)), transform: format(named:))
  var format: TrackFormat?

  @Flag(help: "Print one JSON object per file.") var json = false

  @OptionGroup var options: DataOptions

  nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
    let (device, user, create, track, files, format) = (device, user, create, track, files, format)
    for file in files where !FileManager.default.isReadableFile(atPath: file) {
      throw ReadError("\(printable(file)) cannot be read")
    }
    // Only one import at a time draws.
    nonisolated(unsafe) let console = console
    let outcomes = try await options.work { store in
      let account = try await store.account(login: user).id
      let device = try await Self.device(device, of: account, store, making: create)
      let importer = TrackImporter(store: store, account: account, clock: .system, track: track)
      var outcomes: [Outcome] = []
      for file in files where outcomes.last?.imported.state != .stopped {
        outcomes.append(try await Self.add(file, to: device, by: importer, format, on: console))
      }
      return outcomes
    }
    return try tell(outcomes, on: console)
  }

  private struct Outcome: Sendable {
    let file: String
    let imported: TrackImport
    let issues: [ReadIssue]
  }

  private static func add(
    _ file: String, to device: DeviceID, by importer: TrackImporter, _ format: TrackFormat?,
    on console: Console
  ) async throws -> Outcome {
    let url = URL(fileURLWithPath: file)
    let imported = TrackImport(
      device: device, name: url.lastPathComponent, startedAt: importer.clock.now())
    try await importer.store.create(imported, of: importer.account)
    nonisolated(unsafe) let bar = ProgressBar(
      "Importing \(printable(url.lastPathComponent))", in: .shares, on: console)
    defer { bar.finish() }
    let (done, issues) = try await importer.run(.file(url), into: imported, format: format) { now in
      bar.step(done: Int((now.share ?? 0) * 1000), total: 1000)
    }
    return Outcome(file: file, imported: done, issues: issues)
  }

  private static func device(
    _ given: String, of account: AccountID, _ store: SQLStore, making: Bool
  ) async throws -> DeviceID {
    if let found = try await store.device(ifGiven: given, of: account) { return found }
    guard making else {
      do { return try await store.device(given: given, of: account) } catch let error as UsageError {
        throw UsageError("\(error.description); --create creates one")
      }
    }
    guard (1...200).contains(given.count) else {
      throw UsageError("a device's name of \(given.count) characters found, 1 to 200 allowed")
    }
    let device = Device(account: account, name: given, createdAt: ServerClock.system.now())
    try await store.create(device, identities: [])
    return device.id
  }

  private func tell(_ outcomes: [Outcome], on console: Console) throws -> ExitStatus {
    var status = ExitStatus.ok
    for outcome in outcomes {
      let imported = outcome.imported
      for issue in outcome.issues { console.complain(line(for: issue, in: outcome.file)) }
      if outcome.issues.contains(where: { $0.severity == .error }), status == .ok { status = .findings }
      switch imported.state {
      case .failed:
        console.complain("\(printable(outcome.file)): \(printable(imported.detail))")
        status = .badData
      case .stopped:
        console.complain("stopped; repeat the command to continue")
        status = .interrupted
      case .reading, .done: break
      }
      let first = imported.first.map { rfc3339($0) }
      let last = imported.last.map { rfc3339($0) }
      if json {
        var line = JSONLine()
        line.add("file", .string(outcome.file))
        line.add("fixes_read", .integer(imported.fixesRead))
        line.add("fixes_added", .integer(imported.fixesAdded))
        line.add("first", first.map { .string($0) } ?? .null)
        line.add("last", last.map { .string($0) } ?? .null)
        try console.print(line.string)
      } else {
        let span = first.flatMap { first in last.map { " from \(first) to \($0)" } } ?? ""
        try console.print(
          "\(printable(outcome.file)): \(counted(imported.fixesRead, "position", "positions")) read, "
            + "\(imported.fixesAdded) new\(span)")
      }
    }
    return status
  }
}
