import AlarmEngine
import Geometry

/// Zones and people in a square with sides of 60 km, in Berlin or around the north pole.
struct City {
  private let zoneCount: Int
  private let isPolar: Bool
  private var random = SplitMix(state: 20_26)

  init(zones: Int, isPolar: Bool) {
    zoneCount = zones
    self.isPolar = isPolar
  }

  /// Half of the side, metres.
  private static let half = 30_000.0

  /// Circles, polygons and paths, 30 to 250 m large, a quarter with an inset or an alert distance.
  mutating func zones() throws -> [Zone] {
    try (0..<zoneCount).map { number in
      let center = place()
      let size = 30 + 220 * random.fraction()
      let outline: ZoneOutline
      switch number % 8 {
      case 0..<4: outline = .locations([center])
      case 4..<7:
        let corners = 3 + Int(random.fraction() * 20)
        outline = .locations(
          (0..<corners).map {
            Geodesic.destination(
              from: center, azimuth: .degrees(360 * Double($0) / Double(corners) - 180),
              distance: .metres(size * (0.4 + 0.6 * random.fraction())))
          })
      default:
        outline = .path([center, .destination(from: center, random.fraction() * 360 - 180, 3 * size)])
      }
      let draft = ZoneDraft(
        id: ZoneID(rawValue: UInt64(number + 1)), name: Text("\(number)"), size: .metres(size),
        inset: .metres(number % 16 == 3 ? 5 : 0), alertDistance: .metres(number % 16 == 5 ? 50 : 0),
        outline: outline)
      return try Zone(draft)
    }
  }

  private mutating func place() -> Coordinate {
    let (east, north) = (
      (random.fraction() * 2 - 1) * Self.half, (random.fraction() * 2 - 1) * Self.half
    )
    let middle = Coordinate(latitude: .degrees(isPolar ? 90 : 52.5), longitude: .degrees(13.4))
    let distance = (east * east + north * north).squareRoot()
    return .destination(
      from: middle, Trigonometry.arctangent(y: east, x: north) * (180 / Double.pi), distance)
  }

  /// A device that walks or drives, with equal chances.
  /// - Parameters:
  ///   - asPeopleDo: nine of ten devices rest, wherever they are.
  ///   - isFar: the device starts 300 km east of the square, far from all zones.
  mutating func walker(asPeopleDo: Bool, isFar: Bool) -> Walker {
    let rests = asPeopleDo && random.fraction() < 0.9
    let speed =
      rests ? 0 : random.fraction() < 0.5 ? 0.8 + 1.2 * random.fraction() : 4 + 29 * random.fraction()
    return Walker(
      position: isFar ? .destination(from: place(), 90, 10 * Self.half) : place(),
      heading: random.fraction() * 360 - 180, speed: speed,
      random: SplitMix(state: UInt64(random.fraction() * 1e15)))
  }

  struct Walker {
    var position: Coordinate
    var heading: Double
    let speed: Double
    fileprivate var random: SplitMix

    mutating func fix(second: Int) -> Fix {
      heading += 10 * (random.fraction() - 0.5)
      if heading > 180 { heading -= 360 } else if heading < -180 { heading += 360 }
      position = .destination(from: position, heading, speed)
      let noise = Coordinate.destination(
        from: position, random.fraction() * 360 - 180, 3 * random.fraction())
      return Fix(
        position: noise, accuracy: .radius(.metres(4 + 8 * random.fraction())),
        measuredAt: Instant(millisecondsSince1970: 1_750_000_000_000 + Int64(second) * 1000))
    }
  }
}

/// SplitMix64 (S. Vigna, 2015): the same numbers on every platform.
struct SplitMix {
  private var state: UInt64

  init(state: UInt64) { self.state = state }

  mutating func fraction() -> Double {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return Double((z ^ (z >> 31)) >> 11) * 0x1p-53
  }
}

extension Coordinate {
  fileprivate static func destination(from: Self, _ azimuth: Double, _ metres: Double) -> Self {
    Geodesic.destination(from: from, azimuth: .degrees(azimuth), distance: .metres(metres))
  }
}
