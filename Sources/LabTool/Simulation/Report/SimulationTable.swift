import CommandLineSupport
import PhoneSimulator

/// The printed output of `simulate`: the visits caught, their cost, the comparison of policies, and notes.
struct SimulationTable {
  private let run: SimulationRun
  private let rows: [SimulationRun.Line]
  private let comparisons: [PolicyComparison]

  init(_ run: SimulationRun) {
    self.run = run
    comparisons = PolicyComparison.all(in: run)
    let isMany = Set(run.lines.map(\.subject.scenario)).count > 1
    rows = run.lines + (isMany ? run.overall : [])
  }

  var lines: [String] { tables + [""] + notes }
  var tables: [String] {
    caught + (warned.isEmpty ? [] : [""] + warned) + [""] + cost
      + (comparisons.isEmpty ? [] : [""] + compared)
  }

  /// Scenario, policy and host, with the profile if there are several.
  private func subject(_ line: SimulationRun.Line) -> [String] {
    [line.subject.scenario, line.subject.policy, line.subject.host]
      + (hasProfiles ? [line.subject.profile] : [])
  }
  private var hasProfiles: Bool { run.setting.profiles.count > 1 }
  private var subjectTitles: [String] { ["scenario", "policy", "host"] + (hasProfiles ? ["profile"] : []) }
  private func table(_ titles: [String]) -> TextTable {
    let first = subjectTitles.count
    var table = TextTable(flushRight: Set(first..<first + titles.count - 1))
    table.add(subjectTitles + titles)
    return table
  }

  private var caught: [String] {
    var table = table([
      "visits", "recall", "95 %", "<60 s", ">=60 s", "precision", "certain", "late", "p95", "mean",
      "walk m", "drive m", "broken",
    ])
    for line in rows {
      let metrics = line.metrics
      table.add(
        subject(line) + [
          String(metrics.all.visits), Self.number(metrics.all.recall, 3), Self.range(line.recall, 3),
          Self.number(metrics.short.recall, 3), Self.number(metrics.long.recall, 3),
          Self.number(metrics.precision, 3), Self.number(metrics.precisionOfCertain, 3),
          Self.number(metrics.delay.lateness(quantile: 0.5), 1),
          Self.number(metrics.delay.lateness(quantile: 0.95), 1),
          Self.number(metrics.restrictedMeanLateness, 1),
          Self.number(metrics.walking.depth(quantile: 0.95), 0),
          Self.number(metrics.driving.depth(quantile: 0.95), 0), Self.broken(metrics),
        ])
    }
    return table.lines
  }

  /// The table of zones that ring a given time before entry; empty if there are none.
  private var warned: [String] {
    let rows = rows.filter { $0.metrics.lead.alarms > 0 || $0.metrics.lead.entries > 0 }
    guard !rows.isEmpty else { return [] }
    var table = table(["lead alarms", "false", "lead entries", "unwarned", "median lead"])
    for line in rows {
      let lead = line.metrics.lead
      table.add(
        subject(line) + [
          String(lead.alarms), Self.number(lead.falseShare, 3), String(lead.entries),
          Self.number(lead.unwarnedShare, 3), Self.number(lead.median, 2),
        ])
    }
    return table.lines
  }

  private var cost: [String] {
    var table = table([
      "J/day", "95 %", "of on", "of paused", "of 12 Wh", "of LB", "fixes/day", "of safe", "wakes/day",
      "session h", "GPS s",
    ])
    for line in rows {
      let metrics = line.metrics
      table.add(
        subject(line) + [
          Self.number(metrics.joulesPerDay, 0), Self.range(line.joules, 0), percentage(metrics.energyRatio),
          percentage(metrics.pausedRatio), percentage(metrics.joulesPerDay / EvaluationMetrics.battery),
          Self.number(metrics.leastRatio, 2), Self.number(metrics.fixesPerDay, 0),
          Self.number(metrics.fixesRatio, 2), Self.number(metrics.wakesPerDay, 0),
          Self.number(metrics.sessionHoursPerDay, 2), Self.number(metrics.satelliteSecondsPerDay, 0),
        ])
    }
    return table.lines
  }

  private var compared: [String] {
    var table = TextTable(flushRight: [4, 5, 6])
    table.add(
      ["certified against", "host", "profile", "metric", "difference", "95 %", "p (Holm)", ""])
    for one in comparisons {
      let decimals = one.metric == .recall ? 3 : 0
      table.add([
        "\(one.number) \(one.rival)", one.host, one.profile, one.metric == .recall ? "recall" : "J/day",
        Self.number(one.difference.value, decimals), Self.range(one.difference.interval, decimals),
        Self.number(one.corrected, 4),
        one.isShown ? "better" : one.corrected < 0.05 ? "worse" : "no clear difference",
      ])
    }
    return table.lines
  }

  /// The meaning of the numbers, and their basis.
  var notes: [String] {
    var notes = [
      "late, p95, mean: seconds from entry to alarm; the mean counts a missed visit as 300 s. walk m, drive m: "
        + "depth inside at the alarm, 95 %. certain: precision without alarms marked only as possible.",
      "of on, of paused: energy over that of a session at best accuracy all day, and of one that the platform pauses. "
        + "of LB: energy of positions over the least that any schedule needs. of safe: fixes over the safe period's.",
    ]
    if !warned.isEmpty {
      notes.append(
        "lead alarms: alarms of zones that ring a given time before entry, counted only here. false: no entry "
          + "followed within four times that time. unwarned: entries without an alarm before. median lead: actual "
          + "over requested time.")
    }
    let padded = Set(run.courses.filter { $0.course.padding > 0 }.map(\.course.name))
    if !padded.isEmpty {
      let hours = run.courses.map { $0.course.padding / 3600 }.reduce(0, +) / Double(run.courses.count)
      notes.append(
        "\(counted(padded.count, "track is", "tracks are")) extended with rest indoors to whole days, "
          + "\(fixedPoint(hours, decimals: 1)) h each on average; loggers record only movement.")
    }
    let persons = Set(run.courses.map(\.course.person)).count
    notes.append(
      persons > 1
        ? "95 %: \(persons) persons or tracks resampled 10,000 times, the same samples for every policy."
        : "A single person or track has no interval; name more seeds or tracks.")
    if let certified = run.overall.first(where: { $0.subject.policy == "certified" }) {
      let visits = certified.metrics.all.visits
      let steps = [0.99, 0.995, 0.999].map { recall in
        "\(ZeroMisses.visits(toShow: recall)) for \(fixedPoint(recall, decimals: 3))"
      }
      notes.append(
        "Visits without a miss that show a recall (one-sided 95 %): \(steps.joined(separator: ", ")). \(counted(visits, "visit", "visits")), all "
          + "caught, would show \(fixedPoint(ZeroMisses.recall(shownBy: visits), decimals: 3)).")
    }
    return notes
  }

  /// A dash for a number without a value.
  static func number(_ value: Double, _ decimals: Int) -> String {
    value.isFinite ? fixedPoint(value, decimals: decimals) : "-"
  }
  static func range(_ range: ClosedRange<Double>?, _ decimals: Int) -> String {
    range.map { "\(number($0.lowerBound, decimals)) to \(number($0.upperBound, decimals))" } ?? "-"
  }
  private static func broken(_ metrics: EvaluationMetrics) -> String {
    guard metrics.excusedViolations > 0 else { return String(metrics.violations) }
    let reasons = metrics.excuses.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    return "\(metrics.violations) (and excused: \(reasons.joined(separator: ", ")))"
  }
}
