import AlarmEngine
import Geometry
import PhoneHost

/// The accuracies that positions state, by source, and with a second phone's way their errors.
///
/// Positions that follow each other are alike. One in each span of the assumed correlation counts.
struct AccuracyFit {
  let assumed: FitAssumptions
  private var satellites = FitSample()
  private var wifi = FitSample()
  private var cell = FitSample()
  private var satelliteErrors = FitSample()
  private var wifiErrors = FitSample()

  init(assumed: FitAssumptions) { self.assumed = assumed }

  /// Coarser positions by the network come from cells.
  private static let coarsestWifi = 200.0

  mutating func take(_ story: JournalStory, truth: WayTrack?) {
    var last: [PositionSource: Instant] = [:]
    for (_, position) in story.positions where position.source != .mixed {
      guard let accuracy = position.accuracy else { continue }
      let name =
        position.source == .satellites ? "accuracyCorrelationSeconds" : "networkCorrelationSeconds"
      if let last = last[position.source], (position.measuredAt - last).seconds < assumed[name] { continue }
      last[position.source] = position.measuredAt
      let error = truth?.place(at: position.measuredAt).map { $0.distance(to: position.place).metres }
      if position.source == .satellites {
        satellites.add(accuracy)
        if let error, bucket(accuracy) == 1 { satelliteErrors.add(error) }
      } else if accuracy < Self.coarsestWifi {
        wifi.add(accuracy)
        if let error { wifiErrors.add(error) }
      } else {
        cell.add(accuracy)
      }
    }
  }

  private static let levels = [
    "accuracyFineMetres", "accuracyUsualMetres", "accuracyPoorMetres", "accuracyWorstMetres",
  ]

  /// The assumed level that is nearest by its ratio: 0 the best, 3 the worst.
  private func bucket(_ accuracy: Double) -> Int {
    let values = Self.levels.map { assumed[$0] }
    return zip(values, values.dropFirst()).prefix { accuracy > ($0 * $1).squareRoot() }.count
  }

  private func values(_ level: Int) -> FitSample {
    var sample = FitSample()
    for value in satellites.values where bucket(value) == level { sample.add(value) }
    return sample
  }

  private func share(_ level: Int) -> FitShare {
    var share = FitShare()
    for value in satellites.values { share.add(bucket(value) == level) }
    return share
  }

  /// The deviation for each axis of which half of all errors are within `median`: the median of a Rayleigh distribution is
  /// the root of 2 ln 2 deviations.
  private static func deviation(_ median: FitEstimate) -> FitEstimate {
    let factor = 1.177_41
    var estimate = median
    estimate.value = median.value.map { $0 / factor }
    estimate.interval = median.interval.map { ($0.lowerBound / factor)...($0.upperBound / factor) }
    return estimate
  }

  var rows: [FitRow] {
    func row(_ name: String, _ unit: FitRow.Unit, _ estimate: FitEstimate, part: String = "") -> FitRow {
      FitRow(
        group: "Accuracy", factor: name, part: part, unit: unit, assumed: assumed[name], fitted: estimate)
    }
    return Self.levels.enumerated().map { row($1, .metres, values($0).quantile(0.5)) } + [
      row("accuracyShare5", .number, share(0).estimate), row("accuracyShare30", .number, share(2).estimate),
      row("accuracyShare50", .number, share(3).estimate),
      row("satelliteSigmaMetres", .metres, Self.deviation(satelliteErrors.quantile(0.5))),
      row("wifiAccuracyMetres", .metres, wifi.quantile(0.5)),
      row("wifiSigmaMetres", .metres, Self.deviation(wifiErrors.quantile(0.5))),
      row("cellAccuracyLeastMetres", .metres, cell.quantile(0.05), part: "95 in 100 above"),
      row("cellAccuracyMostMetres", .metres, cell.quantile(0.95), part: "95 in 100 below"),
    ]
  }
}
