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
    abstract: "Alarms about the distance between two phones: list, edit, explain, end.",
    subcommands: [List.self, Edit.self, Explained.self, End.self])

  /// - Throws: `UsageError`.
  fileprivate static func id(_ text: String) throws -> CompanionID {
    guard let id = CompanionID(text) else {
      throw UsageError("\(printable(text)) found, the id that `proximity companion list` shows allowed")
    }
    return id
  }

  struct List: WaitingCommand {
    static let configuration = CommandConfiguration(
      abstract: "The alarms that an account has set, and those of others about its phones.")
    @OptionGroup var options: DataOptions
    @Option(help: ArgumentHelp("Whose.", valueName: "login")) var user: String
    @Flag(help: "Print one JSON object a line.") var json = false

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
        let when = companion.trigger == .within ? "within" : "apart"
        let state = companion.end.map { "\($0)" } ?? "watching"
        if json {
          var line = JSONLine()
          line.add("id", .string(companion.id.description))
          line.add("device_id", .string(companion.device.description))
          line.add("name", .string(companion.name))
          line.add("when", .string(when))
          line.add("distance_m", .number(companion.distance.metres))
          line.add("state", .string(state))
          line.add("watcher", watcher.map { .string($0) } ?? .null)
          try console.print(line.string)
        } else {
          table.add([
            companion.id.description, printable(companion.name), when,
            "\(Int(companion.distance.metres.rounded())) m", state,
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
      abstract: "Changes one of an account's alarms; what is left out stays.",
      discussion: """
        With another --when, --distance or --assurance it begins anew: what rings by the earlier ends, and it rings at once \
        where the two are as it asks.
        """)
    @OptionGroup var options: DataOptions
    @Argument(help: "Its id, as listed.") var companion: String
    @Option(help: ArgumentHelp("Whose.", valueName: "login")) var user: String
    @Option(help: "Who is met.") var name: String?
    @Option(help: "When it rings: within or apart.") var when: When?
    @Option(help: ArgumentHelp("Between the two.", valueName: "metres")) var distance: Double?
    @Option(help: "As of a zone: safety, normal or relaxed.") var assurance: Sureness?
    @Option(help: ArgumentHelp("A position that is older says nothing.", valueName: "seconds"))
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
          "nothing to change found, --name, --when, --distance, --assurance or --lost-after allowed")
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
        let edited = try await store.edit(
          id, of: account,
          to: CompanionEdit(
            name: name ?? before.name, trigger: when ?? before.trigger,
            distance: distance.map { .metres($0) } ?? before.distance,
            assurance: assurance ?? before.assurance,
            horizon: lostAfter.map { .seconds($0) } ?? before.horizon), at: ServerClock.system.now())
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
        "Says why one of an account's alarms rang at a time, or did not, by the rules that it has now.",
      discussion: "Exit status: 0 done, 1 the alarm did not watch at that time, or has ended.")
    @OptionGroup var options: DataOptions
    @Argument(help: "Its id, as listed.") var companion: String
    @Option(help: ArgumentHelp("Whose.", valueName: "login")) var user: String
    @Option(help: ArgumentHelp("The time: RFC 3339 or Unix seconds; now, if left out.", valueName: "time"))
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
        console.complain("the alarm has ended: nothing of the other phone is shown any more")
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
      abstract: "Deletes an account's own alarm, or refuses somebody else's about one of its phones.")
    @OptionGroup var options: DataOptions
    @Argument(help: "Its id, as listed.") var companion: String
    @Option(help: ArgumentHelp("Whose.", valueName: "login")) var user: String

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
