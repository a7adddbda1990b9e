import Foundation
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

/// 40 seeds of 50 hours each. `make server-simulation` runs more: `SEED=17` runs that seed alone,
/// `SIMULATED_SEEDS` sets the number of seeds, `SIMULATED_HOURS` the hours of each; `SIMULATION_TELLS=1`
/// prints the events.
@Suite("A simulated server", .serialized)
struct ServerSimulationTests {
  /// True if each event is written to standard error as it happens.
  static let tells = ProcessInfo.processInfo.environment["SIMULATION_TELLS"] != nil

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  @Test
  func `whatever happens in whatever order, every alarm rings, repeats and ends as it should`() async {
    let hours = Double(Self.number("SIMULATED_HOURS") ?? 50)
    let count = Self.number("SIMULATED_SEEDS") ?? 40
    let seeds = Self.number("SEED").map { [UInt64($0)] } ?? (1...UInt64(max(1, count))).map { $0 }
    let start = ContinuousClock.now
    var reports: [ServerSimulation.Report] = []
    await withTaskGroup(of: Result<ServerSimulation.Report, any Error>.self) { group in
      var rest = seeds[...]
      func next() {
        guard let seed = rest.popFirst() else { return }
        group.addTask {
          await Result { try await ServerSimulation(seed: seed).run(hours: hours) }
        }
      }
      for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { next() }
      while let result = await group.next() {
        switch result {
        case .success(let report): reports.append(report)
        case .failure(let error): Issue.record("\(error)")
        }
        next()
      }
    }
    #expect(reports.count == seeds.count)
    func sum(_ value: (ServerSimulation.Report) -> Int) -> Int { reports.map(value).reduce(0, +) }
    // In several seeds two processes decided about one device at once, and one process was killed.
    if reports.count > 10 { #expect(sum(\.conflicts) > 0 && sum(\.kills) > 0) }
    let text =
      "\(reports.map(\.hours).reduce(0, +)) hours of \(reports.count) servers: \(sum(\.operations)) things happened, "
      + "\(sum(\.alarms)) alarms, \(sum(\.deliveries)) deliveries, \(sum(\.conflicts)) conflicts, \(sum(\.kills)) kills, \((ContinuousClock.now - start).inSeconds) s\n"
    FileHandle.standardError.write(Data(text.utf8))
  }
}
