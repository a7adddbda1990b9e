import TestSupport
import Testing

@testable import Geometry

/// How much a grid takes for what is drawn, whatever is drawn.
@Suite("Size of the grid")
struct ZoneGridSizeTests {
  @Test(arguments: [EdgeKind.geodesic, .lonLat])
  func `a few edges around the earth take no more cells than a country`(kind: EdgeKind) throws {
    var random = SeededGenerator(seed: 5)
    let index = ZoneIndex([.init(outline: Outline(try random.wildPolygon(parts: 8, kind)))])
    #expect(index.base.grid.cells.count < 800_000)
    #expect(index.base.grid.words.count < 2_000_000)
  }

  @Test func `a single zone as people draw them has cells enough`() {
    let center = Coordinate(latitude: .degrees(52), longitude: .degrees(13))
    let outline = Outline(.circle(center: center, radius: .metres(300)))
    let index = ZoneIndex([.init(outline: outline)])
    #expect(index.base.grid.cells.count > 1000)
  }
}

extension SeededGenerator {
  mutating func anyPlace() -> Coordinate {
    Coordinate(latitude: .degrees(double(in: -90...90)), longitude: .degrees(double(in: -180...180)))
  }

  /// Parts with two holes each, all of them with vertices anywhere.
  mutating func wildPolygon(parts: Int, _ kind: EdgeKind) throws -> Shape {
    var made: [Polygon.Part] = []
    for _ in 0..<parts {
      var rings: [Ring] = []
      for _ in 0..<3 { rings.append(try Ring((0..<9).map { _ in anyPlace() })) }
      made.append(.init(outer: rings[0], holes: Array(rings.dropFirst())))
    }
    return .polygon(Polygon(parts: made, edges: kind))
  }
}
