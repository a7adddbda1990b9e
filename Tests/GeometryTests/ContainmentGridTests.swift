import TestSupport
import Testing

@testable import Geometry

/// The grid's size for any outlines.
@Suite("Size of the grid")
struct ContainmentGridTests {
  @Test(arguments: [EdgeKind.geodesic, .lonLat])
  func `a few edges around the earth take no more cells than a country`(kind: EdgeKind) throws {
    var random = SeededGenerator(seed: 5)
    let index = ContainmentIndex([.init(outline: Outline(try random.wildPolygon(parts: 8, kind)))])
    #expect(index.grid.cells.count < 800_000)
    #expect(index.grid.words.count < 2_000_000)
  }

  /// The size of an outline with its inset counts: a path of some millimetres can be grown halfway round the
  /// earth.
  @Test(arguments: [1e4, 1e5, 1e6, 5e6, 1e7]) func `a small outline that is grown far takes few cells`(
    grown: Double
  ) throws {
    var random = SeededGenerator(seed: UInt64(grown))
    for center in [place(-73, -5), place(52, 179.999), place(89.99, 0)] {
      let places = (0..<3).map { _ in random.coordinate(near: center, within: 0.002) }
      let shapes: [Shape] = [
        .corridor(path: places, halfWidth: .metres(50), edges: .geodesic),
        .polygon(Polygon(parts: [.init(outer: try Ring(places))], edges: .lonLat)),
        .circle(center: center, radius: .metres(0.01)),
      ]
      for shape in shapes {
        let entry = OutlineIndex.Entry(outline: Outline(shape), inset: .metres(-grown))
        let index = ContainmentIndex([entry])
        let grid = index.grid
        #expect(grid.cells.count < 800_000)
        #expect(grid.words.count < 100_000)
        for _ in 0..<40 {
          let p = Geodesic.destination(
            from: center, azimuth: .degrees(random.double(in: -180...180)),
            distance: .metres(grown * random.double(in: 0.99...1.01)))
          let isInside = entry.outline.signedDistance(from: p).metres <= grown
          #expect(index.containing(p) == (isInside ? [0] : []))
        }
      }
    }
  }

  @Test func `short paths all over a country share the cells that one would have`() {
    var random = SeededGenerator(seed: 3)
    let entries = (0..<300).map { _ in
      let start = place(random.double(in: 45...55), random.double(in: 5...15))
      let end = random.coordinate(near: start, within: 300)
      return OutlineIndex.Entry(
        outline: Outline(.corridor(path: [start, end], halfWidth: .metres(20), edges: .geodesic)),
        inset: .metres(random.double(in: -20...10)))
    }
    let index = ContainmentIndex(entries)
    #expect(index.grid.cells.count < 2_500_000)
    for (outline, entry) in entries.enumerated() {
      guard case .corridor(let path, _, _) = entry.outline.shape else { continue }
      for _ in 0..<4 {
        let p = random.coordinate(near: path[0], within: 60)
        let isInside = (entry.outline.signedDistance(from: p) + entry.inset) <= .zero
        #expect(index.containing(p).contains(outline) == isInside)
      }
    }
  }

  @Test func `a single outline as people draw them has cells enough`() {
    let center = Coordinate(latitude: .degrees(52), longitude: .degrees(13))
    let outline = Outline(.circle(center: center, radius: .metres(300)))
    let index = ContainmentIndex([.init(outline: outline)])
    #expect(index.grid.cells.count > 1000)
  }

  @Test func `what covers cells whole is kept once`() throws {
    let entries = try [9, 9.5].map { longitude in
      let circle = Outline(.circle(center: place(50, longitude), radius: .kilometres(50)))
      let ring = try Ring(circle.boundary(tolerance: .metres(0.5), limit: 4000)[0])
      return OutlineIndex.Entry(
        outline: Outline(.polygon(Polygon(parts: [.init(outer: ring)], edges: .lonLat))))
    }
    let grid = ContainmentIndex(entries).grid
    let covered = grid.cells.filter { $0 != 0 && grid.words[Int($0)] == 1 && grid.words[Int($0) + 1] < 2 }
    #expect(covered.count > 3000)
    #expect(Set(covered).count == 2)
  }

  @Test func `more outlines than a half word counts are all found in one cell`() {
    let outline = Outline(.circle(center: place(50, 9), radius: .metres(1)))
    let count = Int(ContainmentGrid.mostCounted) + 2
    let index = ContainmentIndex([OutlineIndex.Entry](repeating: .init(outline: outline), count: count))
    #expect(index.containing(place(50, 9)) == Array(0..<count))
    var hits = ContainmentIndex.Hits()
    index.containing([place(50, 9), place(50, 9.001), place(50, 9)], into: &hits)
    #expect(hits.offsets == [0, count, count, 2 * count])
    #expect(Array(hits[2]) == Array(0..<count))
  }

  /// Pieces of long edges can stray from them by up to kilometres; places that near have to be measured.
  @Test(arguments: 0..<6) func `countries take little, and are exact beside their boundaries`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let kind: EdgeKind = seed % 2 == 0 ? .geodesic : .lonLat
    let outlines = (0..<40).map { number -> Outline in
      let center = place(random.double(in: -84...84), random.double(in: -180...180))
      let radius = Trigonometry.exponential(random.double(in: 11...13.7))
      let ring = random.ring(around: center, radius: radius, count: 4 + number % 5)
      return Outline(.polygon(Polygon(parts: [.init(outer: ring)], edges: kind)))
    }
    let index = ContainmentIndex(outlines.map { OutlineIndex.Entry(outline: $0) })
    #expect(index.grid.size < 400_000)
    var wrong = 0
    for (number, outline) in outlines.enumerated() {
      guard case .polygon(let tree) = outline.extent else { continue }
      for _ in 0..<60 {
        let edge = tree.edge(Int(random.next() % UInt64(tree.edgeCount)))
        let beside = edge.place(at: random.double(in: 0...1), on: edge.track())
        let p = Geodesic.destination(
          from: beside, azimuth: .degrees(random.double(in: -180...180)),
          distance: .metres(Trigonometry.exponential(random.double(in: -12...10))))
        if index.containing(p).contains(number) != outline.contains(p) { wrong += 1 }
      }
    }
    #expect(wrong == 0)
  }

  /// An outline around a pole makes tiles large: far from a tile's centre its metres differ from those of the
  /// circle.
  @Test(arguments: 0..<4) func `circles in large tiles are exact beside their boundaries`(seed: UInt64) throws
  {
    var random = SeededGenerator(seed: seed)
    let outer = try Ring([0, 120, -120].map { place(0, $0) })
    var entries = [
      OutlineIndex.Entry(outline: Outline(.polygon(Polygon(parts: [.init(outer: outer)], edges: .geodesic))))
    ]
    for number in 0..<120 {
      let center = place(random.double(in: -88...88), random.double(in: -180...180))
      let radius =
        number % 3 == 0
        ? 2000 * Double(1 + number % 10) : Trigonometry.exponential(random.double(in: 0...9.9))
      entries.append(.init(outline: Outline(.circle(center: center, radius: .metres(radius)))))
    }
    let index = ContainmentIndex(entries)
    #expect(index.grid.scale.tilesPerDegree < 1)
    var wrong = 0
    for (outline, entry) in entries.enumerated() {
      guard case .circle(let center, let radius) = entry.outline.shape else { continue }
      for _ in 0..<200 {
        let offset = Trigonometry.exponential(random.double(in: -12...1)) * (random.next() % 2 == 0 ? 1 : -1)
        guard offset > -radius.metres else { continue }
        let p = Geodesic.destination(
          from: center, azimuth: .degrees(random.double(in: -180...180)), distance: radius + .metres(offset))
        if index.containing(p).contains(outline) != entry.outline.contains(p) { wrong += 1 }
      }
    }
    #expect(wrong == 0)
  }
}

extension SeededGenerator {
  mutating func anyPlace() -> Coordinate {
    Coordinate(latitude: .degrees(double(in: -90...90)), longitude: .degrees(double(in: -180...180)))
  }

  /// Parts with two holes each, with vertices at random places.
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
