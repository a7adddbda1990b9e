import AlarmEngine
import Geometry

/// Legs of a phone that speeds up by a constant acceleration, as vehicles and people do. It brakes at once, as
/// the legs of a ``Journey`` do.
struct GradualStart {
  /// Metres a second, each second; above zero.
  let acceleration: Double

  /// A run of legs and its length in time.
  struct Run {
    fileprivate(set) var legs: [Journey.Leg] = []
    fileprivate(set) var seconds = 0.0
    /// The speed at its end.
    fileprivate(set) var speed: Speed
  }

  /// A straight way, in steps of one second until the speed is reached.
  ///
  /// - Parameter before: the speed at the beginning.
  func run(
    from place: Coordinate, at before: Speed, to goal: Coordinate, _ speed: Speed, _ motion: Journey.Motion,
    _ surroundings: Journey.Surroundings = .outdoors
  ) -> Run {
    let line = Geodesic(from: place, to: goal)
    let length = line.length.metres
    let most = speed.metresPerSecond
    var run = Run(speed: before)
    var way = 0.0
    func go(to place: Coordinate, _ metres: Double, _ mean: Double, reaching reached: Double) {
      run.legs.append(.go(to: place, .metresPerSecond(mean), motion, surroundings))
      run.seconds += metres / mean
      run.speed = .metresPerSecond(reached)
    }
    while run.speed < speed {
      let reached = min(most, run.speed.metresPerSecond + acceleration)
      let mean = (run.speed.metresPerSecond + reached) / 2
      let step = mean * (reached - run.speed.metresPerSecond) / acceleration
      guard way + step < length else {
        go(to: goal, length - way, mean, reaching: reached)
        return run
      }
      way += step
      go(to: line.point(at: .metres(way)), step, mean, reaching: reached)
    }
    go(to: goal, length - way, most, reaching: most)
    return run
  }

  /// The same legs with gradual starts.
  func legs(_ legs: [Journey.Leg], from origin: Coordinate) -> [Journey.Leg] {
    var (place, speed) = (origin, Speed.zero)
    return legs.flatMap { leg -> [Journey.Leg] in
      switch leg {
      case .stand:
        speed = .zero
        return [leg]
      case .go(let goal, let most, let motion, let surroundings):
        let run = run(from: place, at: speed, to: goal, most, motion, surroundings)
        (place, speed) = (goal, run.speed)
        return run.legs
      }
    }
  }
}
