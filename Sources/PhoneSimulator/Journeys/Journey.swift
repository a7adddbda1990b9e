import AlarmEngine
import Geometry

/// The true position of the phone at every moment: the ground truth, which an application under test never
/// sees.
///
/// A chain of straight spans at constant speed. The phone stands still before the start and after the end.
public struct Journey: Sendable {
  public enum Motion: UInt8, Sendable, CaseIterable { case still, walking, cycling, vehicle }
  public enum Surroundings: UInt8, Sendable, CaseIterable { case outdoors, urbanCanyon, indoors }

  /// The beginning of a span.
  struct Vertex: Sendable {
    let time: Instant
    let position: Coordinate
    /// The motion until the next vertex.
    let motion: Motion
    let surroundings: Surroundings
    /// Metres from the journey's start.
    let travelled: Double
  }

  /// At least one; times strictly ascending.
  let vertices: [Vertex]
  /// The highest speed within each block of spans, metres per second.
  let blockSpeeds: [Double]
  static let blockLength = 64

  public var start: Instant { vertices[0].time }
  public var end: Instant { vertices[vertices.count - 1].time }
  /// Length of the way, from start to end.
  public var length: Distance { .metres(vertices[vertices.count - 1].travelled) }

  /// A step of a scripted journey.
  public enum Leg: Sendable {
    case stand(TimeSpan, Surroundings = .outdoors)
    /// Along the geodesic at a constant speed above zero.
    case go(to: Coordinate, Speed, Motion, Surroundings = .outdoors)
  }

  /// A scripted journey.
  public init(from origin: Coordinate, at start: Instant, legs: [Leg]) {
    var points: [Point] = []
    var (place, time) = (origin, start)
    for leg in legs {
      switch leg {
      case .stand(let span, let surroundings):
        precondition(span > .zero, "a stay lasts longer than zero")
        points.append(Point(time: time, position: place, motion: .still, surroundings: surroundings))
        time = time + span
      case .go(let goal, let speed, let motion, let surroundings):
        precondition(speed.metresPerSecond > 0, "a leg is travelled at a speed above zero")
        let line = Geodesic(from: place, to: goal)
        let pieces = max(1, Int((line.length.metres / Self.pieceMetres).rounded(.up)))
        for piece in 0..<pieces {
          let way = Double(piece) * line.length.metres / Double(pieces)
          points.append(
            Point(
              time: time + .seconds(way / speed.metresPerSecond),
              position: piece == 0 ? place : line.point(at: .metres(way)), motion: motion,
              surroundings: surroundings))
        }
        time = time + .seconds(line.length.metres / speed.metresPerSecond)
        place = goal
      }
    }
    points.append(Point(time: time, position: place, motion: .still, surroundings: .outdoors))
    self.init(points: points)
  }

  /// Long legs are cut, so that a straight line in latitude and longitude stays close to the geodesic.
  private static let pieceMetres = 1000.0

  struct Point: Sendable {
    var time: Instant
    var position: Coordinate
    var motion: Motion
    var surroundings: Surroundings
  }

  /// - Precondition: not empty, times not descending. The last of several points at one time is used.
  init(points: [Point]) {
    precondition(!points.isEmpty, "a journey has a place to start from")
    var vertices: [Vertex] = []
    vertices.reserveCapacity(points.count)
    for point in points {
      if let last = vertices.last, last.time >= point.time { vertices.removeLast() }
      let travelled =
        vertices.last.map { $0.travelled + $0.position.distance(to: point.position).metres } ?? 0
      vertices.append(
        Vertex(
          time: point.time, position: point.position, motion: point.motion, surroundings: point.surroundings,
          travelled: travelled))
    }
    self.vertices = vertices
    blockSpeeds = stride(from: 0, to: vertices.count, by: Self.blockLength).map { first in
      var highest = 0.0
      for place in first..<min(first + Self.blockLength, vertices.count - 1) {
        highest = max(highest, Self.speed(from: vertices[place], to: vertices[place + 1]))
      }
      return highest
    }
  }

  static func speed(from a: Vertex, to b: Vertex) -> Double {
    (b.travelled - a.travelled) / (b.time - a.time).seconds
  }
}

extension Journey {
  /// The span that holds `time`; nil before the start.
  func span(at time: Instant) -> Int? {
    var (low, high) = (0, vertices.count)
    while low < high {
      let middle = (low + high) / 2
      if vertices[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }

  public func position(at time: Instant) -> Coordinate {
    guard let place = span(at: time) else { return vertices[0].position }
    return position(in: place, at: time)
  }

  func position(in place: Int, at time: Instant) -> Coordinate {
    let a = vertices[place]
    guard place + 1 < vertices.count else { return a.position }
    let b = vertices[place + 1]
    guard a.position != b.position else { return a.position }
    let share = (time - a.time).seconds / (b.time - a.time).seconds
    var east = b.position.longitude.degrees - a.position.longitude.degrees
    if east > 180 { east -= 360 } else if east < -180 { east += 360 }
    return Coordinate(
      latitude: .degrees(
        a.position.latitude.degrees
          + share * (b.position.latitude.degrees - a.position.latitude.degrees)),
      longitude: .degrees(a.position.longitude.degrees + share * east))
  }

  /// Speed over the ground; zero before the start and after the end.
  public func speed(at time: Instant) -> Speed {
    guard let place = span(at: time), place + 1 < vertices.count else { return .metresPerSecond(0) }
    return .metresPerSecond(Self.speed(from: vertices[place], to: vertices[place + 1]))
  }

  /// Clockwise from north, 0° to 360°; nil while standing.
  public func course(at time: Instant) -> Angle? {
    guard let place = span(at: time), place + 1 < vertices.count,
      vertices[place].travelled < vertices[place + 1].travelled
    else { return nil }
    let azimuth = Geodesic(from: vertices[place].position, to: vertices[place + 1].position).azimuthAtStart
    return azimuth.degrees < 0 ? .degrees(azimuth.degrees + 360) : azimuth
  }

  public func motion(at time: Instant) -> Motion { span(at: time).map { vertices[$0].motion } ?? .still }

  public func surroundings(at time: Instant) -> Surroundings {
    vertices[span(at: time) ?? 0].surroundings
  }

  /// The next time at which motion or surroundings differ from those at `time`.
  func nextChange(after time: Instant) -> Instant? {
    let (motion, surroundings) = (motion(at: time), surroundings(at: time))
    for vertex in vertices[((span(at: time) ?? -1) + 1)...]
    where vertex.motion != motion || vertex.surroundings != surroundings { return vertex.time }
    return nil
  }

  /// The time at which `metres` from the start have been travelled; nil if never.
  func time(travelled metres: Double) -> Instant? {
    var (low, high) = (0, vertices.count)
    while low < high {
      let middle = (low + high) / 2
      if vertices[middle].travelled < metres { low = middle + 1 } else { high = middle }
    }
    guard low < vertices.count else { return nil }
    guard low > 0 else { return start }
    let (a, b) = (vertices[low - 1], vertices[low])
    let share = (metres - a.travelled) / (b.travelled - a.travelled)
    return a.time + .seconds(share * (b.time - a.time).seconds)
  }

  /// Metres from the start up to `time`.
  func travelled(at time: Instant) -> Double {
    guard let place = span(at: time) else { return 0 }
    let a = vertices[place]
    guard place + 1 < vertices.count else { return a.travelled }
    let b = vertices[place + 1]
    return a.travelled + (b.travelled - a.travelled) * (time - a.time).seconds / (b.time - a.time).seconds
  }
}
