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

  @Test func `what covers cells whole is kept once`() throws {
    let entries = try [9, 9.5].map { longitude in
      let circle = Outline(.circle(center: place(50, longitude), radius: .kilometres(50)))
      let ring = try Ring(circle.boundary(tolerance: .metres(0.5), limit: 4000)[0])
      return ZoneIndex.Entry(
        outline: Outline(.polygon(Polygon(parts: [.init(outer: ring)], edges: .lonLat))))
    }
    let grid = ZoneIndex(entries).base.grid
    let covered = grid.cells.filter { $0 != 0 && grid.words[Int($0)] == 1 && grid.words[Int($0) + 1] < 2 }
    #expect(covered.count > 3000)
    #expect(Set(covered).count == 2)
  }

  @Test func `more zones than a half word counts are all found in one cell`() {
    let outline = Outline(.circle(center: place(50, 9), radius: .metres(1)))
    let count = Int(ZoneGrid.mostCounted) + 2
    let index = ZoneIndex([ZoneIndex.Entry](repeating: .init(outline: outline), count: count))
    #expect(index.containing(place(50, 9)) == Array(0..<count))
    var hits = ZoneIndex.Hits()
    index.containing([place(50, 9), place(50, 9.001), place(50, 9)], into: &hits)
    #expect(hits.offsets == [0, count, count, 2 * count])
    #expect(Array(hits[2]) == Array(0..<count))
  }

  /// A zone around a pole makes the tiles large: far from a tile's middle its metres are not those of the circle.
  @Test(arguments: 0..<4) func `circles in large tiles are exact beside their boundaries`(seed: UInt64) throws
  {
    var random = SeededGenerator(seed: seed)
    let outer = try Ring([0, 120, -120].map { place(0, $0) })
    var entries = [
      ZoneIndex.Entry(outline: Outline(.polygon(Polygon(parts: [.init(outer: outer)], edges: .geodesic))))
    ]
    for number in 0..<120 {
      let center = place(random.double(in: -88...88), random.double(in: -180...180))
      let radius =
        number % 3 == 0
        ? 2000 * Double(1 + number % 10) : Trigonometry.exponential(random.double(in: 0...9.9))
      entries.append(.init(outline: Outline(.circle(center: center, radius: .metres(radius)))))
    }
    let index = ZoneIndex(entries)
    #expect(index.base.grid.scale.tilesPerDegree < 1)
    var wrong = 0
    for (zone, entry) in entries.enumerated() {
      guard case .circle(let center, let radius) = entry.outline.shape else { continue }
      for _ in 0..<200 {
        let offset = Trigonometry.exponential(random.double(in: -12...1)) * (random.next() % 2 == 0 ? 1 : -1)
        guard offset > -radius.metres else { continue }
        let p = Geodesic.destination(
          from: center, azimuth: .degrees(random.double(in: -180...180)), distance: radius + .metres(offset))
        if index.containing(p).contains(zone) != entry.outline.contains(p) { wrong += 1 }
      }
    }
    #expect(wrong == 0)
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
