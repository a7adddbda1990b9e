import CommandLineSupport
import PhoneSimulator

/// One factor of the simulator: assumed and fitted.
struct FitRow {
  enum Unit: String {
    case seconds = "s"
    case metres = "m"
    case milliwatts = "mW"
    case joules = "J"
    /// 0 to 1, or a number without a unit.
    case number = ""
  }
  let group: String
  /// As in the simulator's catalogues; several joined by " + " where a journal tells only their sum.
  let factor: String
  /// The cases that the observations are of, if not all.
  var part = ""
  let unit: Unit
  /// Nil if the simulator has no such number.
  let assumed: Double?
  let fitted: FitEstimate

  var cells: [String] {
    [
      "  \(factor)\(part.isEmpty ? "" : ", \(part)")", assumed.map(words) ?? "-",
      fitted.value.map(words) ?? fitted.problem ?? "n too small",
      fitted.interval.map { "\(words($0.lowerBound)) to \(words($0.upperBound))" }
        ?? fitted.needed.map { "\($0) needed" } ?? "",
      String(fitted.count),
    ]
  }

  private func words(_ value: Double) -> String {
    let size = abs(value)
    let number = fixedPoint(value, decimals: size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3)
    return unit == .number ? number : "\(number) \(unit.rawValue)"
  }

  var json: JSONLine {
    func number(_ value: Double?) -> JSONLine.Value { value.map { .number($0) } ?? .null }
    var line = JSONLine()
    line.add("group", .string(group))
    line.add("factor", .string(factor))
    line.add("part", part.isEmpty ? .null : .string(part))
    line.add("unit", unit == .number ? .null : .string(unit.rawValue))
    line.add("assumed", number(assumed))
    line.add("fitted", number(fitted.value))
    line.add("low", number(fitted.interval?.lowerBound))
    line.add("high", number(fitted.interval?.upperBound))
    line.add("n", .integer(fitted.count))
    line.add("needed", fitted.needed.map { .integer($0) } ?? .null)
    line.add("problem", fitted.problem.map { .string($0) } ?? .null)
    return line
  }
}

/// All rows, of all journals together.
struct FitReport {
  let rows: [FitRow]

  /// - Parameters:
  ///   - truth: the way of a second phone; nil: each journal's own positions show the way.
  ///   - battery: the phone's battery in watt hours; nil: as the energy profile has it.
  init(_ stories: [JournalStory], truth: WayTrack?, assumed: FitAssumptions, battery: Double?) {
    let ways = stories.map { truth ?? WayTrack($0) }
    var motion = MotionFit()
    var fences = FenceFit(assumed: assumed)
    var starts = FirstFixFit(assumed: assumed)
    var accuracy = AccuracyFit(assumed: assumed)
    var energy = EnergyFit(assumed: assumed, battery: battery ?? assumed.energy.batteryWattHours)
    for (story, way) in zip(stories, ways) {
      motion.take(story, way, hasTruth: truth != nil)
      fences.take(story, way)
      starts.take(story)
      accuracy.take(story, truth: truth)
      energy.take(story)
    }
    rows =
      motion.rows(assumed) + fences.rows(isAndroid: stories.contains(where: \.isAndroid)) + starts.rows
      + accuracy.rows + energy.rows
  }

  var jsonLines: [String] { rows.map { $0.json.string } }

  var lines: [String] {
    var table = TextTable(flushRight: [1, 2, 4], widest: 90)
    table.add(["factor", "assumed", "fitted", "95 %", "n"])
    var group = ""
    for row in rows {
      if row.group != group { table.add([row.group]) }
      group = row.group
      table.add(row.cells)
    }
    return table.lines
  }
}
