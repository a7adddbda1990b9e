/// Longitude and latitude in square tiles, counted from 180° W and from the south pole.
struct GridScale: Sendable {
  /// A power of two, 1/4 to 4.
  let tilesPerDegree: Double
  let columns: Int
  let rows: Int
  private let polarLatitude: Double
  /// The greatest distance of a straight piece on the map from the boundary, metres: a decimetre with the
  /// finest tiles, more with larger tiles and longer edges.
  let mostStraying: Double

  /// - Parameters:
  ///   - halvings: of the finest tiles there are, of a quarter of a degree; at most 4.
  ///   - edge: metres, about, of an edge of the outline whose edges are the shortest.
  init(halvings: Int, edge: Double) {
    var tiles = 4.0
    for _ in 0..<halvings { tiles /= 2 }
    tilesPerDegree = tiles
    columns = Int(360 * tiles)
    rows = Int(180 * tiles)
    polarLatitude = 90 - 1e-9 - 1 / tiles
    mostStraying = max(0.4 / tiles, min(edge / 128, Self.side(halvings: halvings) / 1024))
  }

  static let mostHalvings = 4
  /// Metres of a tile, about, after so many halvings.
  static func side(halvings: Int) -> Double { Earth.leastMetresPerDegree / 4 * Double(1 << halvings) }

  /// Tiles from 180° W to a longitude below 180°, to a multiple of 2⁻⁴⁰: 0.13 micrometres at most, rounding by half.
  @inline(__always) func u(_ longitude: Double) -> Double {
    Self.rounded((longitude + 180) * tilesPerDegree)
  }

  /// Tiles from the south pole.
  @inline(__always) func v(_ latitude: Double) -> Double {
    Self.rounded((latitude + 90) * tilesPerDegree)
  }

  private static func rounded(_ tiles: Double) -> Double { (tiles + 4096) - 4096 }

  /// True if a place is in the rows of tiles at the poles, or all but in them. The grid leaves them out:
  /// longitude and latitude are no plane there, and an outline at a pole would be in all tiles of the row.
  @inline(__always) func isPolar(_ p: Coordinate) -> Bool {
    abs(p.latitude.degrees) >= polarLatitude
  }

  /// The whole part of a number from 0 to below 4096, and the rest as a multiple of 2⁻⁴⁰.
  ///
  /// Reads the bits of the number moved up to where its last bit is worth 2⁻⁴⁰: no conversion, no check, and the rest
  /// is never negative and never 1.
  @inline(__always) static func split(_ number: Double) -> (whole: Int, rest: Double) {
    let moved = number + 4096
    let bits = moved.bitPattern
    let whole = Double(bitPattern: bits & ~0xff_ffff_ffff)
    return (Int(truncatingIfNeeded: bits >> 40) & 0xfff, moved - whole)
  }

  /// Degrees from 180° W, below 360: the longitudes so near to 180° E that the sum is 360 lie on it.
  @inline(__always) func east(_ longitude: Double) -> Double {
    let east = longitude + 180
    return east < 360 ? east : 0
  }

  func longitude(_ u: Double) -> Double { u / tilesPerDegree - 180 }
  func latitude(_ v: Double) -> Double { v / tilesPerDegree - 90 }

  /// The column of a tile in the world, for one counted along a line that goes round the earth.
  func wrapped(_ column: Int) -> Int {
    let rest = column % columns
    return rest < 0 ? rest + columns : rest
  }

  /// Metres of a tile at a latitude, and by how many more they are a tile farther north.
  typealias Metres = (metres: Double, change: Double)

  /// For a tile of longitude and for one of latitude.
  func metres(latitude: Double) -> (east: Metres, north: Metres) {
    let angle = Trigonometry.sineAndCosine(ofDegrees: latitude)
    let metres = Earth.scales(sine: angle.sine, cosine: angle.cosine)
    let tile = (Double.pi / 180) / tilesPerDegree
    let bend =
      3 * WGS84.eccentricitySquared * angle.sine * angle.cosine
      / (1 - WGS84.eccentricitySquared * angle.sine * angle.sine)
    return (
      (metres.east * tile, -metres.north * angle.sine * tile * tile),
      (metres.north * tile, metres.north * bend * tile * tile)
    )
  }

  /// The same in the middle of a row of tiles.
  func metres(row: Int) -> (east: Metres, north: Metres) { metres(latitude: latitude(Double(row) + 0.5)) }

  /// Metres that a tile's sides at least have, and at most.
  func size(row: Int) -> TileSize {
    let (south, north) = (latitude(Double(row)), latitude(Double(row + 1)))
    let farthest = max(abs(south), abs(north))
    let nearest = south < 0 && north > 0 ? 0 : min(abs(south), abs(north))
    let degree = 1 / tilesPerDegree
    func east(_ latitude: Double) -> Double {
      let angle = Trigonometry.sineAndCosine(ofDegrees: latitude)
      return Earth.scales(sine: angle.sine, cosine: angle.cosine).east * (Double.pi / 180) * degree
    }
    return TileSize(
      leastEast: max(1, east(farthest)), mostEast: east(nearest) * 1.000_001,
      leastNorth: Earth.leastMetresPerDegree * degree, mostNorth: Earth.mostMetresPerDegree * degree)
  }
}

/// The sides of a tile in metres; its northern and southern side differ.
struct TileSize {
  let leastEast: Double
  let mostEast: Double
  let leastNorth: Double
  let mostNorth: Double
}
