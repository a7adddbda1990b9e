import AlarmEngine
import PhoneHost

/// The power of each state of the phone, from the fall of its battery between two readings.
///
/// The level is the charge at the beginning of a stretch without charging, less the time in each state times its power, with
/// an error by rounding: a linear regression with a constant for each stretch, and no power below zero.
struct EnergyFit {
  let assumed: FitAssumptions
  let battery: Double

  /// The states beside the phone's own consumption, which runs all the time.
  private enum State: Int, CaseIterable {
    case always, bestMoving, bestStill, networkMoving, networkStill, keepAlive
    /// Counted, not timed.
    case networkFix
  }
  private struct Reading {
    let joules: Double
    let exposure: [Double]
  }
  private var stretches: [[Reading]] = []
  /// The spans between readings with some time in the state.
  private var spans = [Int](repeating: 0, count: State.allCases.count)

  init(assumed: FitAssumptions, battery: Double) {
    self.assumed = assumed
    self.battery = battery
  }

  private struct Use {
    var exposure = [Double](repeating: 0, count: State.allCases.count)
    var session: Session?
    var areUpdatesResting = false
    var request: DesiredAccuracy?
    var motion = Motion.unknown
    var speed = 0.0
    var last: Instant?

    private var isMoving: Bool { motion == .unknown ? speed > 0.5 : motion != .still }

    private var state: State? {
      let session = areUpdatesResting ? nil : session?.accuracy
      if session?.isBySatellites ?? false || request?.isBySatellites ?? false {
        return isMoving ? .bestMoving : .bestStill
      }
      guard let session else { return nil }
      return session == .hundredMetres ? isMoving ? .networkMoving : .networkStill : .keepAlive
    }

    mutating func pass(to now: Instant) {
      defer { last = now }
      guard let last, now > last else { return }
      exposure[State.always.rawValue] += (now - last).seconds
      if let state { exposure[state.rawValue] += (now - last).seconds }
    }

    mutating func take(_ note: WatchNote) {
      switch note {
      case .started, .stopped: (session, request, areUpdatesResting) = (nil, nil, false)
      case .session(let wanted, _): (session, areUpdatesResting) = (wanted, false)
      case .sessionEnded: (session, areUpdatesResting) = (nil, false)
      case .requested(let accuracy, _):
        request = accuracy
        if !accuracy.isBySatellites, session == nil { exposure[State.networkFix.rawValue] += 1 }
      case .requestEnded: request = nil
      case .liveUpdates(let areResting): areUpdatesResting = areResting
      case .motion(let told, _): motion = told
      default: break
      }
    }
  }

  mutating func take(_ story: JournalStory) {
    var use = Use()
    var stretch: [Reading] = []
    func joules(_ level: BatteryLevel) -> Double { level.share * battery * 3600 }
    for step in story.steps {
      use.pass(to: step.at)
      switch step.item {
      case .position(let position): if let speed = position.speed { use.speed = speed }
      case .note(.battery(let level)):
        if level.isCharging || (stretch.last.map { $0.joules < joules(level) } ?? false) { close(&stretch) }
        if !level.isCharging { stretch.append(Reading(joules: joules(level), exposure: use.exposure)) }
      case .note(let note): use.take(note)
      }
    }
    close(&stretch)
  }

  private mutating func close(_ stretch: inout [Reading]) {
    defer { stretch = [] }
    guard stretch.count > 2 else { return }
    for (a, b) in zip(stretch, stretch.dropFirst()) {
      for state in spans.indices where b.exposure[state] > a.exposure[state] { spans[state] += 1 }
    }
    stretches.append(stretch)
  }

  // MARK: Regression

  private static let leastSpans = 20

  private func estimates() -> [FitEstimate] {
    var estimates = spans.map { FitEstimate.tooFew($0, needed: Self.leastSpans) }
    let used = spans.indices.filter { spans[$0] >= Self.leastSpans }
    let (columns, target) = centred(used)
    let fit = NonNegativeFit(columns, target, constants: stretches.count)
    for (place, state) in used.enumerated() {
      guard let value = fit.values[place] else {
        estimates[state] = .problem("not separable", spans[state])
        continue
      }
      let margin = 1.96 * fit.errors[place]
      estimates[state] = FitEstimate(
        value: value, interval: max(0, value - margin)...(value + margin), count: spans[state])
    }
    return estimates
  }

  /// Exposures and joules spent, less their means over each stretch.
  private func centred(_ used: [Int]) -> (columns: [[Double]], target: [Double]) {
    var columns = [[Double]](repeating: [], count: used.count)
    var target: [Double] = []
    for stretch in stretches {
      let count = Double(stretch.count)
      let mean = stretch.reduce(0) { $0 + $1.joules } / count
      target += stretch.map { mean - $0.joules }
      for (place, state) in used.enumerated() {
        let mean = stretch.reduce(0) { $0 + $1.exposure[state] } / count
        columns[place] += stretch.map { $0.exposure[state] - mean }
      }
    }
    return (columns, target)
  }

  var rows: [FitRow] {
    let estimates = estimates()
    func row(_ state: State, _ names: [String], _ unit: FitRow.Unit, _ assumption: Double) -> FitRow {
      var estimate = estimates[state.rawValue]
      if unit == .milliwatts {
        estimate.value = estimate.value.map { $0 * 1000 }
        estimate.interval = estimate.interval.map { ($0.lowerBound * 1000)...($0.upperBound * 1000) }
      }
      return FitRow(
        group: "Energy", factor: names.joined(separator: " + "), unit: unit, assumed: assumption,
        fitted: estimate)
    }
    func power(_ state: State, _ names: String...) -> FitRow {
      row(state, names, .milliwatts, names.reduce(0) { $0 + assumed[$1] })
    }
    return [
      power(.always, "baseMilliwatts", "monitoringMilliwatts", "motionMilliwatts"),
      power(.bestMoving, "bestMovingMilliwatts"), power(.bestStill, "bestStillMilliwatts"),
      power(.networkMoving, "networkMovingMilliwatts"), power(.networkStill, "networkStillMilliwatts"),
      power(.keepAlive, "keepAliveMilliwatts"),
      row(
        .networkFix, ["networkFixJoules", "lookupProbability * lookupJoules"], .joules,
        assumed["networkFixJoules"] + assumed["lookupProbability"] * assumed["lookupJoules"]),
    ]
  }
}

/// Least squares with no coefficient below zero.
///
/// Cyclic coordinate descent, which converges since the sum of squares is convex: D. P. Bertsekas, "Nonlinear Programming"
/// (1999), 2.7.
struct NonNegativeFit {
  /// Nil for a column that the others nearly explain.
  private(set) var values: [Double?]
  /// Standard errors.
  private(set) var errors: [Double]

  private static let rounds = 20_000
  /// The least part of a column's square that the others may leave. Sums over days grow alike, so it is small; the error
  /// says how well a column is told from the others.
  private static let leastOwn = 1e-7

  /// - Parameter constants: the number of means that were subtracted before.
  init(_ columns: [[Double]], _ target: [Double], constants: Int) {
    let norms = columns.map { $0.reduce(0) { $0 + $1 * $1 }.squareRoot() }
    let scaled = zip(columns, norms).map { column, norm in column.map { norm > 0 ? $0 / norm : 0 } }
    let own = scaled.indices.map { place in
      let others = scaled.indices.filter { $0 != place }.map { scaled[$0] }
      return Self.residual(scaled[place], after: others)
    }
    let solution = Self.solve(scaled, target)
    var rest = target
    for (place, value) in solution.enumerated() {
      for row in rest.indices { rest[row] -= value * scaled[place][row] }
    }
    let freedom = max(1, target.count - constants - columns.count)
    let deviation = (rest.reduce(0) { $0 + $1 * $1 } / Double(freedom)).squareRoot()
    values = solution.indices.map {
      norms[$0] > 0 && own[$0] >= Self.leastOwn ? solution[$0] / norms[$0] : nil
    }
    errors = own.indices.map { deviation / (max(own[$0], 1e-12).squareRoot() * max(norms[$0], 1e-12)) }
  }

  private static func product(_ a: [Double], _ b: [Double]) -> Double {
    zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }
  }

  private static func solve(_ columns: [[Double]], _ target: [Double]) -> [Double] {
    let matrix = columns.map { a in columns.map { product(a, $0) } }
    let right = columns.map { product($0, target) }
    var values = [Double](repeating: 0, count: columns.count)
    let enough = 1e-12 * (right.map(abs).max() ?? 0)
    for _ in 0..<rounds {
      var moved = 0.0
      for place in values.indices where matrix[place][place] > 0 {
        let gradient = right[place] - product(matrix[place], values)
        let next = max(0, values[place] + gradient / matrix[place][place])
        moved = max(moved, abs(next - values[place]))
        values[place] = next
      }
      if moved <= enough { break }
    }
    return values
  }

  /// The square of a column of length 1 that the others leave, by Gram and Schmidt.
  private static func residual(_ column: [Double], after others: [[Double]]) -> Double {
    var basis: [[Double]] = []
    func rest(_ vector: [Double]) -> [Double] {
      var vector = vector
      for each in basis {
        let part = product(vector, each)
        for row in vector.indices { vector[row] -= part * each[row] }
      }
      return vector
    }
    for other in others {
      let own = rest(other)
      let length = product(own, own).squareRoot()
      if length > 1e-9 { basis.append(own.map { $0 / length }) }
    }
    let own = rest(column)
    return product(own, own)
  }
}
