import Geometry
import TestSupport
import Testing

/// The expected area is written by hand as one part.
@Suite("Joined parts")
struct JoinedPartsTests {
  typealias Place = (latitude: Double, longitude: Double)

  private static func ring(_ places: [Place], around longitude: Double = 0) throws -> Ring {
    try Ring(
      places.map {
        Coordinate(
          latitude: .degrees($0.latitude), longitude: .degrees(wrapped($0.longitude + longitude)))
      })
  }
  private static func wrapped(_ longitude: Double) -> Double {
    longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
  }
  private static func box(_ south: Double, _ west: Double, _ north: Double, _ east: Double) -> [Place] {
    [(south, west), (south, east), (north, east), (north, west)]
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    var edges = EdgeKind.lonLat
    let parts: [[[Place]]]
    /// The same area as one part.
    let whole: [[Place]]
    var testDescription: String { name }
  }

  private static let cases = [
    Case(
      name: "two lots", parts: [[box(0, -0.01, 0.02, 0)], [box(0, 0, 0.02, 0.01)]],
      whole: [box(0, -0.01, 0.02, 0.01)]),
    Case(
      name: "two lots, geodesic", edges: .geodesic,
      parts: [[box(0, -0.01, 0.02, 0)], [box(0, 0, 0.02, 0.01)]],
      whole: [[(0, -0.01), (0, 0), (0, 0.01), (0.02, 0.01), (0.02, 0), (0.02, -0.01)]]),
    Case(
      name: "both the same way round",
      parts: [[box(0, -0.01, 0.02, 0).reversed()], [box(0, 0, 0.02, 0.01)]],
      whole: [box(0, -0.01, 0.02, 0.01)]),
    Case(
      name: "four in a row",
      parts: (0..<4).map { [box(0, Double($0) / 128, 0.02, Double($0 + 1) / 128)] },
      whole: [box(0, 0, 0.02, 4 / 128)]),
    Case(
      name: "nine around each other",
      parts: (0..<9).map { lot in
        let (south, west) = (Double(lot / 3) / 256, Double(lot % 3) / 256)
        return [box(south, west, south + 1 / 256, west + 1 / 256)]
      },
      whole: [box(0, 0, 3 / 256, 3 / 256)]),
    Case(
      name: "four around one point, of triangles",
      parts: [
        [[(0, 0), (0, 0.02), (0.01, 0.01)]], [[(0, 0.02), (0.02, 0.02), (0.01, 0.01)]],
        [[(0.02, 0.02), (0.02, 0), (0.01, 0.01)]], [[(0.02, 0), (0, 0), (0.01, 0.01)]],
      ], whole: [box(0, 0, 0.02, 0.02)]),
    Case(
      name: "half an edge",
      parts: [[box(0, 0, 0.02, 0.01)], [box(0.005, 0.01, 0.015, 0.02)]],
      whole: [
        [
          (0, 0), (0, 0.01), (0.005, 0.01), (0.005, 0.02), (0.015, 0.02), (0.015, 0.01), (0.02, 0.01),
          (0.02, 0),
        ]
      ]),
    Case(
      name: "half a slanting edge",
      parts: [
        [[(0, 0), (0.02, 0.02), (0.02, 0)]], [[(0, 0), (0, 0.01), (0.01, 0.01)]],
        [[(0.02, 0.02), (0.01, 0.01), (0.01, 0.02)]],
      ],
      whole: [[(0, 0), (0, 0.01), (0.01, 0.01), (0.01, 0.02), (0.02, 0.02), (0.02, 0)]]),
    Case(
      name: "half a meridian, geodesic", edges: .geodesic,
      parts: [[box(0, 0, 0.02, 0.01)], [box(0, 0.01, 0.01, 0.02)], [box(0.01, 0.01, 0.02, 0.02)]],
      whole: [[(0, 0), (0, 0.01), (0, 0.02), (0.01, 0.02), (0.02, 0.02), (0.02, 0.01), (0.02, 0)]]),
    Case(
      name: "a filled hole",
      parts: [[box(0, 0, 0.03, 0.03), box(0.01, 0.01, 0.02, 0.02)], [box(0.01, 0.01, 0.02, 0.02)]],
      whole: [box(0, 0, 0.03, 0.03)]),
    Case(
      name: "a hole filled by half",
      parts: [[box(0, 0, 0.03, 0.03), box(0.01, 0.01, 0.02, 0.02)], [box(0.01, 0.01, 0.02, 0.015)]],
      whole: [box(0, 0, 0.03, 0.03), box(0.01, 0.015, 0.02, 0.02)]),
    Case(
      name: "a ring of lots around a yard",
      parts: [
        [box(0, 0, 0.01, 0.03)], [box(0.01, 0.02, 0.02, 0.03)], [box(0.02, 0, 0.03, 0.03)],
        [box(0.01, 0, 0.02, 0.01)],
      ], whole: [box(0, 0, 0.03, 0.03), box(0.01, 0.01, 0.02, 0.02)]),
  ]

  /// The meridian of 180 degrees cuts the first lot from the others, with either sign.
  @Test(arguments: cases, [0.0, 11.5, 180, -180])
  func `are measured as the one area that they are`(each: Case, longitude: Double) throws {
    func part(_ rings: [[Place]]) throws -> Polygon.Part {
      let rings = try rings.map { try Self.ring($0, around: longitude) }
      return Polygon.Part(outer: rings[0], holes: Array(rings.dropFirst()))
    }
    let split = Outline(.polygon(Polygon(parts: try each.parts.map(part), edges: each.edges)))
    let whole = Outline(.polygon(Polygon(parts: [try part(each.whole)], edges: each.edges)))
    var random = SeededGenerator(seed: UInt64(each.parts.count))
    for number in 0..<400 {
      // Every second place is on the grid of the lots' corners and edges.
      let fine = Double(Int.random(in: -10...40, using: &random)) / (number % 4 == 0 ? 1000 : 1024)
      let place = Coordinate(
        latitude: .degrees(
          number % 2 == 0 ? fine : Double.random(in: -0.01...0.04, using: &random)),
        longitude: .degrees(
          Self.wrapped(longitude + Double(Int.random(in: -20...80, using: &random)) / 2048)))
      let (mine, its) = (split.signedDistance(from: place).metres, whole.signedDistance(from: place).metres)
      #expect(abs(mine - its) < 1e-6, "\(place): \(mine), not \(its)")
    }
    let (mine, its) = (split.deepestPoint(), whole.deepestPoint())
    #expect(abs(mine.depth.metres - its.depth.metres) < its.depth.metres * 0.02)
    #expect(!split.deepestPoint().isEmptied(by: its.depth * 0.9))
  }

  @Test func `on either sign of 180 degrees are joined`() throws {
    // Cut as RFC 7946 demands: one part ends at 180, the other begins at -180.
    let east = try Ring([
      place(-16.8, 179.99), place(-16.8, 180), place(-16.78, 180), place(-16.78, 179.99),
    ])
    let west = try Ring([
      place(-16.8, -180), place(-16.8, -179.99), place(-16.78, -179.99), place(-16.79, -180),
    ])
    let outline = Outline(.polygon(Polygon(parts: [.init(outer: east), .init(outer: west)], edges: .lonLat)))
    let whole = Outline(
      .polygon(
        Polygon(
          parts: [
            .init(
              outer: try Ring([
                place(-16.8, 179.99), place(-16.8, -179.99), place(-16.78, -179.99), place(-16.79, 180),
                place(-16.78, 180), place(-16.78, 179.99),
              ]))
          ], edges: .lonLat)))
    for longitude in [180.0, -180, 179.9999, -179.9999, 179.995] {
      for latitude in [-16.7999, -16.795, -16.79, -16.785] {
        let p = place(latitude, longitude)
        #expect(abs((outline.signedDistance(from: p) - whole.signedDistance(from: p)).metres) < 1e-6, "\(p)")
      }
    }
    #expect(outline.signedDistance(from: place(-16.795, 180)).metres < -500)
  }

  @Test func `that overlap, touch in a corner or leave a gap are measured alone`() throws {
    func depth(_ parts: [[Place]], at place: Coordinate) throws -> Double {
      let parts = try parts.map { Polygon.Part(outer: try Self.ring($0)) }
      return -Outline(.polygon(Polygon(parts: parts, edges: .lonLat))).signedDistance(from: place).metres
    }
    let first = Self.box(0, 0, 0.02, 0.01)
    let p = place(0.01, 0.009)
    let alone = try depth([first], at: p)
    for others in [
      // The same part twice, an edge on one side, a corner, a gap of a tenth of a millimetre.
      [first], [Self.box(0, 0.005, 0.02, 0.01)], [Self.box(0.02, 0.01, 0.04, 0.02)],
      [Self.box(0, 0.010_000_001, 0.02, 0.02)],
      // Three at one edge, two of them on one side.
      [Self.box(0, 0.01, 0.02, 0.02), Self.box(0, 0.01, 0.02, 0.015)],
    ] {
      #expect(try depth([first] + others, at: p) == alone, "\(others)")
    }
  }

  private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: .degrees(latitude), longitude: .degrees(longitude))
  }
}
