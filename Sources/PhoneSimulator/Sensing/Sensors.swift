import AlarmEngine
import Geometry

/// A position as the phone reports it.
struct PhoneFix {
  let position: Coordinate
  /// Metres.
  let accuracy: Double
  let measuredAt: Instant
  /// Metres per second; negative if the source has none.
  let speed: Double
  /// Degrees clockwise from north; negative if the source has none.
  let course: Double
  let service: Occurrence.Service

  /// The height above sea level and its error, in metres, as the position states them.
  var height: (metres: Double, error: Double)? {
    service == .gnss ? Phone.currentHeight.map { ($0, 5) } : nil
  }
}

/// The output of each source of positions at a moment; a function of seed, journey and time alone.
struct Sensors {
  let journey: Journey
  private let parameters: PhoneParameters
  private let seed: UInt64
  private let satelliteNoise: (east: CorrelatedNoise, north: CorrelatedNoise)
  private let networkNoise: (east: CorrelatedNoise, north: CorrelatedNoise)
  /// The quality of the satellite view, and the values above which the phone reports 10, 30 and 50 m.
  private let view: CorrelatedNoise
  private let viewEdges: (middle: Double, coarse: Double, coarsest: Double)

  init(journey: Journey, parameters: PhoneParameters, seed: UInt64) {
    self.journey = journey
    self.parameters = parameters
    self.seed = seed
    func noise(_ channel: UInt64, _ seconds: Double) -> CorrelatedNoise {
      CorrelatedNoise(seed: seed, channel: channel, correlationSeconds: seconds)
    }
    satelliteNoise = (
      noise(1, parameters.satelliteCorrelationSeconds), noise(2, parameters.satelliteCorrelationSeconds)
    )
    networkNoise = (
      noise(3, parameters.networkCorrelationSeconds), noise(4, parameters.networkCorrelationSeconds)
    )
    view = noise(5, parameters.accuracyCorrelationSeconds)
    func edge(_ share: Double) -> Double {
      share <= 0 ? -.infinity : share >= 1 ? .infinity : NormalDistribution.quantile(share)
    }
    viewEdges = (
      edge(parameters.accuracyShare5), edge(1 - parameters.accuracyShare30 - parameters.accuracyShare50),
      edge(1 - parameters.accuracyShare50)
    )
  }

  func satelliteFix(at time: Instant) -> PhoneFix {
    let second = Self.second(of: time)
    var accuracy = satelliteAccuracy(second)
    let follows = parameters.errorFollowsAccuracy
    var sigma =
      parameters.satelliteSigmaMetres * (1 - follows + follows * accuracy / parameters.accuracyUsualMetres)
    switch journey.surroundings(at: time) {
    case .outdoors, .indoors: break
    case .urbanCanyon:
      sigma *= parameters.canyonFactor
      accuracy *= parameters.canyonAccuracyFactor
    }
    let minute = Int64((Double(second) / 60).rounded(.down))
    if Randomness.uniform(seed: seed, channel: 6, index: minute) < parameters.disturbedShare {
      sigma *= parameters.disturbedFactor
    }
    let speed = journey.speed(at: time).metresPerSecond
    return PhoneFix(
      position: moved(journey.position(at: time), by: sigma, satelliteNoise, second), accuracy: accuracy,
      measuredAt: time, speed: speed, course: journey.course(at: time)?.degrees ?? -1, service: .gnss)
  }

  func wifiFix(at time: Instant) -> PhoneFix {
    networkFix(at: time, sigma: parameters.wifiSigmaMetres, accuracy: parameters.wifiAccuracyMetres, .wifi)
  }

  /// A Wi-Fi position of the given place.
  func wifiFix(of place: Coordinate, at time: Instant) -> PhoneFix {
    PhoneFix(
      position: moved(place, by: parameters.wifiSigmaMetres, networkNoise, Self.second(of: time)),
      accuracy: parameters.wifiAccuracyMetres, measuredAt: time, speed: -1, course: -1, service: .wifi)
  }

  func cellFix(at time: Instant) -> PhoneFix {
    let (least, most) = (parameters.cellAccuracyLeastMetres, parameters.cellAccuracyMostMetres)
    let cell = Self.second(of: time) / 600
    let share = Randomness.uniform(seed: seed, channel: 7, index: cell)
    return cellFix(at: time, accuracy: least + max(0, most - least) * share * share)
  }

  /// A coarse position that reports `accuracy`, with an error to match.
  func cellFix(at time: Instant, accuracy: Double) -> PhoneFix {
    networkFix(at: time, sigma: parameters.cellSigmaMetres * accuracy / 500, accuracy: accuracy, .cell)
  }

  /// The centre of the area that contains the phone; areas are squares of a grid, with corners `radius` from
  /// the centre.
  func reducedFix(at time: Instant, radius: Double) -> PhoneFix {
    let period = 3600 / parameters.reducedUpdatesPerHour
    let measured = (Double(Self.second(of: time)) / period).rounded(.down) * period
    let measuredAt = Instant(millisecondsSince1970: Int64(measured * 1000))
    let position = journey.position(at: measuredAt)
    let side = radius * 2.0.squareRoot() / 111_000
    let latitude = ((position.latitude.degrees / side).rounded(.down) + 0.5) * side
    let width = side / max(0.01, Trigonometry.cosine(Angle.degrees(latitude).radians))
    let longitude = ((position.longitude.degrees / width).rounded(.down) + 0.5) * width
    return PhoneFix(
      position: Coordinate(latitude: .degrees(max(-90, min(90, latitude))), longitude: .degrees(longitude)),
      accuracy: radius, measuredAt: measuredAt, speed: -1, course: -1, service: .reduced)
  }

  private func satelliteAccuracy(_ second: Int64) -> Double {
    let value = view.value(second: second)
    if value < viewEdges.middle { return parameters.accuracyFineMetres }
    if value < viewEdges.coarse { return parameters.accuracyUsualMetres }
    return value < viewEdges.coarsest ? parameters.accuracyPoorMetres : parameters.accuracyWorstMetres
  }

  private func networkFix(
    at time: Instant, sigma: Double, accuracy: Double, _ service: Occurrence.Service
  ) -> PhoneFix {
    PhoneFix(
      position: moved(journey.position(at: time), by: sigma, networkNoise, Self.second(of: time)),
      accuracy: accuracy, measuredAt: time, speed: -1, course: -1, service: service)
  }

  private func moved(
    _ truth: Coordinate, by sigma: Double, _ noise: (east: CorrelatedNoise, north: CorrelatedNoise),
    _ second: Int64
  ) -> Coordinate {
    guard sigma > 0 else { return truth }
    let east = sigma * noise.east.value(second: second)
    let north = sigma * noise.north.value(second: second)
    return Geodesic.destination(
      from: truth, azimuth: .radians(Trigonometry.arctangent(y: east, x: north)),
      distance: .metres((east * east + north * north).squareRoot()))
  }

  private static func second(of time: Instant) -> Int64 {
    Int64((Double(time.millisecondsSince1970) / 1000).rounded(.down))
  }
}
