import AlarmEngine
import CommandLineSupport
import PhoneSimulator
import StreetMap

/// The trials shown on a map: the worst visits, the worst false alarms, and for comparison a successful one.
/// Each is run again, alone, with a journal.
struct SimulationScenes {
  /// The reason why a trial is shown.
  enum Reason: Hashable {
    case visit(GroundTruth.Visit)
    case falseAlarm(Matching.FalseAlarm)
  }
  struct Key: Hashable {
    let entry: Int
    let reason: Reason
  }

  private(set) var scenes: [SimulationScene] = []
  private var places: [Key: Int] = [:]

  private static let mostVisits = 12
  private static let mostFalse = 6

  /// - Throws: `CancellationError`.
  init(
    _ run: SimulationRun, streets: TileArchive? = nil, command: (SimulationRun.Entry) -> String
  ) throws {
    let worst = WorstCases(run)
    var chosen = worst.listedVisits.prefix(Self.mostVisits).map {
      Key(entry: $0.entry, reason: .visit($0.outcome.visit))
    }
    chosen += worst.listedFalseAlarms.prefix(Self.mostFalse).map {
      Key(entry: $0.entry, reason: .falseAlarm($0.alarm))
    }
    chosen += Self.exemplary(run)
    // A trial with several cases is run only once.
    var order: [Int] = []
    for key in chosen where !order.contains(key.entry) { order.append(key.entry) }
    let runs = order.map { entry in (entry, chosen.filter { $0.entry == entry }.map(\.reason)) }
    let drawn = try inParallel(
      runs, telling: { _ in !Interruption.isRequested },
      work: { job in
        SimulationScene.scenes(of: run.entries[job.0], in: run, showing: job.1, streets: streets)
      })
    for (job, found) in zip(runs, drawn) {
      for (reason, scene) in zip(job.1, found) {
        guard var scene, places[Key(entry: job.0, reason: reason)] == nil else { continue }
        scene.command = command(run.entries[job.0])
        places[Key(entry: job.0, reason: reason)] = scenes.count
        scenes.append(scene)
      }
    }
  }

  /// The scene's number on the page.
  func place(entry: Int, visit: GroundTruth.Visit) -> Int? {
    places[Key(entry: entry, reason: .visit(visit))]
  }
  func place(entry: Int, alarm: Matching.FalseAlarm) -> Int? {
    places[Key(entry: entry, reason: .falseAlarm(alarm))]
  }

  /// The first visit that the certified policy caught, on each host.
  private static func exemplary(_ run: SimulationRun) -> [Key] {
    ["H1", "H2"].compactMap { host in
      for (index, entry) in run.entries.enumerated()
      where entry.subject.policy == "certified" && entry.subject.host == host {
        if let outcome = entry.result.matching.outcomes.first(where: \.isCaught) {
          return Key(entry: index, reason: .visit(outcome.visit))
        }
      }
      return nil
    }
  }
}

/// The worst visits and false alarms, the worst first.
struct WorstCases {
  struct Visit {
    let late: Double
    let entry: Int
    let outcome: Matching.Outcome
  }
  struct FalseAlarm {
    let entry: Int
    let alarm: Matching.FalseAlarm
  }
  let visits: [Visit]
  let falseAlarms: [FalseAlarm]
  let listedVisits: [Visit]
  let listedFalseAlarms: [FalseAlarm]

  init(_ run: SimulationRun) {
    var visits: [Visit] = []
    var alarms: [FalseAlarm] = []
    for (index, entry) in run.entries.enumerated() where entry.subject.host != "-" {
      for outcome in entry.result.matching.outcomes {
        let late = outcome.isCaught ? max(0, outcome.lateness ?? 0) : EvaluationMetrics.lateCap
        if late > 0 { visits.append(Visit(late: late, entry: index, outcome: outcome)) }
      }
      alarms += entry.result.matching.falseAlarms.map { FalseAlarm(entry: index, alarm: $0) }
    }
    // Among equal cases those of the certified policy come first, since it can be improved here.
    let isOurs = run.entries.map { $0.subject.policy == "certified" }
    self.visits = Self.sorted(visits) { ($0.late, isOurs[$0.entry]) }
    falseAlarms = Self.sorted(alarms) { ($0.alarm.distance, isOurs[$0.entry]) }
    listedVisits = Self.listed(self.visits, in: run) { $0.entry }
    listedFalseAlarms = Self.listed(falseAlarms, in: run) { $0.entry }
  }

  /// The cases listed for people: only a few of one policy on a host, more of the certified one; the worst of
  /// all still come first.
  private static func listed<Case>(
    _ cases: [Case], in run: SimulationRun, entry: (Case) -> Int
  ) -> [Case] {
    var counts: [String: Int] = [:]
    return cases.filter { item in
      let subject = run.entries[entry(item)].subject
      let side = "\(subject.policy) \(subject.host)"
      counts[side, default: 0] += 1
      return counts[side, default: 0] <= (subject.policy == "certified" ? mostOfOurs : mostOfOthers)
    }
  }
  private static let mostOfOurs = 8
  private static let mostOfOthers = 1

  private static func sorted<Case>(_ cases: [Case], by badness: (Case) -> (Double, Bool)) -> [Case] {
    cases.indices.sorted { a, b in
      let (x, y) = (badness(cases[a]), badness(cases[b]))
      if x.0 != y.0 { return x.0 > y.0 }
      return x.1 == y.1 ? a < b : x.1
    }.map { cases[$0] }
  }
}
