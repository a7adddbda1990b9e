import AlarmEngine
import ArgumentParser
import CommandLineSupport
import Foundation
import PhoneSimulator

/// Searches for journeys that break a promise of the certified policy.
struct Adversary: ConsoleCommand {
  static let configuration = CommandConfiguration(
    abstract: "Searches for journeys on which an alarm comes later than promised.",
    discussion: """
      Each seed is half a day of short and long legs with stops of 3 s to 25 min, and up to 25 zones of all triggers \
      just beside the stops and across the way. The phone keeps every premise of a promise, each close to its limit \
      (docs/watching.md), so each broken promise is a fault of the product. With --measured the phone is the one of \
      `simulate`, which breaks premises as phones do: promises that were broken while a premise was false are counted \
      by that premise.

      Prints a table by host and trigger, and each broken promise with the command that repeats it alone. Exit status \
      1 if a promise was broken although its premises held.
      """)

  @Option(help: "The first random seed.")
  var seed: UInt64 = 1

  @Option(help: "Number of consecutive seeds, 1 to 100000.")
  var seeds = 20

  @Option(help: "Run only on this host: H1 or H2 (iOS).")
  var host: String?

  @Flag(help: "Use the measured phone, which also breaks premises.")
  var measured = false

  private static let hosts: [Capabilities.Host] = [.timed, .suspended]

  func validate() throws {
    guard (1...100_000).contains(seeds) else {
      throw ValidationError("--seeds \(seeds) found, 1 to 100000 allowed")
    }
    guard seed <= UInt64.max - UInt64(seeds) else {
      throw ValidationError("--seed \(seed) found, at most \(UInt64.max - UInt64(seeds)) allowed")
    }
    _ = try chosenHosts()
  }

  private func chosenHosts() throws -> [Capabilities.Host] {
    guard let host else { return Self.hosts }
    guard let found = Self.hosts.first(where: { $0.symbol == host }) else {
      throw Simulate.unknown("--host", host, Self.hosts.map(\.symbol))
    }
    return [found]
  }

  func run(on console: Console) throws -> ExitStatus {
    let hosts = try chosenHosts()
    let jobs = (0..<UInt64(seeds)).flatMap { offset in
      hosts.map { AdversaryTrial.Job(seed: seed + offset, host: $0, isMeasured: measured) }
    }
    let progress = ProgressBar("Searching", in: .runs, on: console)
    let trials: [AdversaryTrial]
    do {
      defer { progress.finish() }
      trials = try inParallel(
        jobs, telling: { progress.step(done: $0, total: jobs.count) }, work: { AdversaryTrial($0) })
    }
    let table = AdversaryTable(trials.flatMap(\.found), hosts)
    for line in table.lines { try console.print(line) }
    return table.broken.isEmpty ? .ok : .findings
  }
}
