import AlarmEngine
import AlarmService
import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import Geometry
import Server
import Store

/// Alarms about the distance between two devices, for operators of the server. They are set by the devices'
/// owners.
struct CompanionAdministration: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "companion",
    abstract: "Lists, edits, explains and ends alarms about the distance between two phones.",
    subcommands: [List.self, Edit.self, Explained.self, End.self])

  /// - Throws: `UsageError`.
  fileprivate static func id(_ text: String) throws -> CompanionID {
    guard let id = CompanionID(text) else {
      throw UsageError("\(printable(text)) is not an alarm's id; `proximity companion list` shows the ids")
    }
    return id
  }

  struct List: WaitingCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the alarms that an account has set, and those of others about its phones.")
    @OptionGroup var options: DataOptions
    @Option(help: ArgumentHelp("The account's login.", valueName: "login")) var user: String
    @Flag(help: "Print one JSON object per line.") var json = false

    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      let user = user
      let (own, about) = try await options.work { store in
        let account = try await store.account(login: user).id
        return (try await store.companions(of: account), try await store.companions(about: account))
      }
      var table = TextTable(widest: 40)
      for (companion, watcher) in own.map({ ($0, nil as String?) })
        + about.map({ ($0.companion, $0.watcherLogin) })
      {
        let when = companion.rules.trigger == .within ? "within" : "apart"
        let state = companion.end.map { "\($0)" } ?? "watching"
        if json {
          var line = JSONLine()
          line.add("id", .string(companion.id.description))
          line.add("device_id", .string(companion.device.description))
          line.add("name", .string(companion.name))
          line.add("when", .string(when))
          line.add("distance_m", .number(companion.rules.distance.metres))
          line.add("state", .string(state))
          line.add("watcher", watcher.map { .string($0) } ?? .null)
          try console.print(line.string)
        } else {
          table.add([
            companion.id.description, printable(companion.name), when,
            "\(Int(companion.rules.distance.metres.rounded())) m", state,
            watcher.map { "set by \(printable($0))" } ?? "",
          ])
        }
      }
      for line in table.lines { try console.print(line) }
      return .ok
    }
  }

  /// The names of the API.
  enum When: String, ExpressibleByArgument, CaseIterable {
    case within, apart
    var trigger: CompanionTrigger { self == .within ? .within : .apart }
  }
  enum Sureness: String, ExpressibleByArgument, CaseIterable {
    case safety, normal, relaxed
    var assurance: Assurance {
      switch self {
      case .safety: .safety
      case .normal: .normal
      case .relaxed: .relaxed
      }
    }
  }

  struct Edit: WaitingCommand {
    static let configuration = CommandConfiguration(
      abstract: "Changes one of an account's alarms. Options left out keep their values.",
      discussion: """
        A new --when, --distance or --assurance restarts the alarm: it stops ringing by the earlier condition, and rings at \
        once if the new one is already met.
        """)
    @OptionGroup var options: DataOptions
    @Argument(help: "The alarm's id, as listed.") var companion: String
    @Option(help: ArgumentHelp("The account's login.", valueName: "login")) var user: String
    @Option(help: "Name of the person to meet.") var name: String?
    @Option(help: "Ring when the two phones come within the distance or move apart: within or apart.")
    var when: When?
    @Option(help: ArgumentHelp("The distance between the two phones.", valueName: "metres")) var distance:
      Double?
    @Option(help: "The assurance, as for zones: safety, normal or relaxed.") var assurance: Sureness?
    @Option(help: ArgumentHelp("Maximum age of a position; older ones are not used.", valueName: "seconds"))
    var lostAfter: Double?

    func validate() throws {
      if let name, !(1...200).contains(name.count) {
        throw ValidationError("--name of \(name.count) characters found, 1 to 200 allowed")
      }
      let distances = CompanionRules.allowedDistance
      if let distance, !distance.isFinite || !distances.contains(.metres(distance)) {
        throw ValidationError(
          "--distance \(distance) found, \(Int(distances.lowerBound.metres)) to \(Int(distances.upperBound.metres)) metres allowed"
        )
      }
      let horizons = CompanionRules.allowedHorizon
      if let lostAfter, !lostAfter.isFinite || !horizons.contains(.seconds(lostAfter)) {
        throw ValidationError(
          "--lost-after \(lostAfter) found, \(Int(horizons.lowerBound.seconds)) to \(Int(horizons.upperBound.seconds)) seconds allowed"
        )
      }
      guard name != nil || when != nil || distance != nil || assurance != nil || lostAfter != nil else {
        throw ValidationError(
          "nothing to change: give --name, --when, --distance, --assurance or --lost-after")
      }
    }

    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      let (user, id) = (user, try CompanionAdministration.id(companion))
      let (name, when, assurance) = (name, when?.trigger, assurance?.assurance)
      let (distance, lostAfter) = (distance, lostAfter)
      try await options.work { store in
        let account = try await store.account(login: user).id
        guard let before = try await store.companions(of: account).first(where: { $0.id == id }) else {
          throw StoreError.notFound
        }
        let rules = try CompanionRules(
          companion: id, device: before.device, trigger: when ?? before.rules.trigger,
          distance: distance.map { .metres($0) } ?? before.rules.distance,
          assurance: assurance ?? before.rules.assurance,
          horizon: lostAfter.map { .seconds($0) } ?? before.rules.horizon)
        let edited = try await store.edit(
          rules, name: name ?? before.name, of: account, at: ServerClock.system.now())
        try await store.note(byCommand: "putCompanion", edited.name, of: account)
        if let target = edited.target, let owner = try? await store.device(target).account, owner != account {
          try await store.note(byCommand: "putCompanion", user, of: owner)
        }
      }
      return .ok
    }
  }

  struct Explained: WaitingCommand {
    static let configuration = CommandConfiguration(
      commandName: "explain",
      abstract:
        "Explains why one of an account's alarms rang or did not ring at a time, by its current rules.",
      discussion: "Exit status: 0 done, 1 the alarm was not watching at that time or has ended.")
    @OptionGroup var options: DataOptions
    @Argument(help: "The alarm's id, as listed.") var companion: String
    @Option(help: ArgumentHelp("The account's login.", valueName: "login")) var user: String
    @Option(help: ArgumentHelp("The time: RFC 3339 or Unix seconds. Default: now.", valueName: "time"))
    var at: String?
    @Flag(help: "Print one JSON object.") var json = false

    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      let (user, id, now) = (user, try CompanionAdministration.id(companion), ServerClock.system.now())
      var time = now
      if let at {
        guard let typed = instant(typed: at) else {
          throw UsageError(
            "--at \(printable(at)) found, a time such as 2026-03-29T17:52:03Z or Unix seconds allowed")
        }
        time = typed
      }
      let asked = time
      let past = try await options.work { store in
        try await CompanionPast.read(
          id, of: try await store.account(login: user).id, at: asked, now: now, store)
      }
      guard let past else {
        console.complain("the alarm has ended; data of the other phone is no longer shown")
        return .findings
      }
      let answer = past.explained()
      if json {
        try console.print(answer.json(of: past.companion).text)
      } else {
        for line in answer.lines(of: past.companion) { try console.print(printable(line)) }
      }
      return answer.isWatching ? .ok : .findings
    }
  }

  struct End: WaitingCommand {
    static let configuration = CommandConfiguration(
      abstract: "Deletes an account's own alarm, or ends another account's alarm about one of its phones.")
    @OptionGroup var options: DataOptions
    @Argument(help: "The alarm's id, as listed.") var companion: String
    @Option(help: ArgumentHelp("The account's login.", valueName: "login")) var user: String

    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      let user = user
      let id = try CompanionAdministration.id(companion)
      try await options.work { store in
        let account = try await store.account(login: user).id
        let ended = try await store.end(id, by: account, at: ServerClock.system.now())
        for each in Set([account, ended.companion.account]).sorted() {
          try await store.note(
            byCommand: "endCompanion", each == account ? ended.companion.name : user, of: each)
        }
      }
      return .ok
    }
  }
}
