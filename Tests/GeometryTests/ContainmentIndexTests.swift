import Geometry
import TestSupport
import Testing

/// The grid's answers compared with the outlines', one by one: at boundaries, at the edges of maps, and with
/// odd shapes.
@Suite("What contains a fix")
struct ContainmentIndexTests {
  /// Queries each place alone, and all of them together.
  private func expectExact(
    _ entries: [OutlineIndex.Entry], at places: [Coordinate], _ note: Comment,
    location: SourceLocation = #_sourceLocation
  ) {
    let index = ContainmentIndex(entries)
    var hits = ContainmentIndex.Hits()
    index.containing(places, into: &hits)
    var wrong = 0
    for (number, p) in places.enumerated() {
      let inside = entries.indices.filter {
        let entry = entries[$0]
        return entry.inset == .zero
          ? entry.outline.contains(p) : entry.outline.signedDistance(from: p) + entry.inset <= .zero
      }
      var visited: [Int] = []
      index.visitOutlines(containing: p) { visited.append($0) }
      if Array(hits[number]) == inside, index.containing(p) == inside, visited.sorted() == inside { continue }
      wrong += 1
      guard wrong < 4 else { continue }
      Issue.record(
        "\(note): at \(p.latitude.degrees), \(p.longitude.degrees) \(Array(hits[number])), not \(inside)",
        sourceLocation: location)
    }
    #expect(wrong == 0, note, sourceLocation: location)
  }

  private func polygon(_ rings: [[Coordinate]], _ kind: EdgeKind = .geodesic) throws -> Outline {
    let holes = try rings.dropFirst().map { try Ring($0) }
    return Outline(.polygon(Polygon(parts: [.init(outer: try Ring(rings[0]), holes: holes)], edges: kind)))
  }

  private func entry(_ outline: Outline) -> OutlineIndex.Entry { OutlineIndex.Entry(outline: outline) }

  /// Places on the boundary and on both sides of it, at distances from below the precision of degrees to
  /// hundreds of metres.
  private func places(beside outline: Outline, _ random: inout SeededGenerator, count: Int) -> [Coordinate] {
    var places: [Coordinate] = []
    for ring in outline.boundary(tolerance: .metres(100), limit: 40) where ring.count > 1 {
      for _ in 0..<count {
        let index = Int(random.next() % UInt64(ring.count))
        let line = Geodesic(from: ring[index], to: ring[(index + 1) % ring.count])
        let share = random.next() % 4 == 0 ? 0 : random.double(in: 0...1)
        let offset = Trigonometry.exponential(random.double(in: -18...6))
        places.append(ring[index])
        places.append(
          Geodesic.destination(
            from: line.point(at: line.length * share), azimuth: .degrees(random.double(in: -180...180)),
            distance: .metres(offset)))
      }
    }
    return places
  }

  @Test(arguments: 0..<8) func `a ring of any size anywhere is exact beside its boundary`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    let center = random.awkwardCoordinate()
    let kind: EdgeKind = seed % 2 == 0 ? .geodesic : .lonLat
    let entries = try (0..<12).map { number -> OutlineIndex.Entry in
      let size = Trigonometry.exponential(random.double(in: -4...14))
      let near = random.coordinate(near: center, within: 3 * size)
      let outer = random.ring(around: near, radius: size, count: 3 + number * 2)
      let hole = random.ring(around: near, radius: size / 4, count: 5)
      return entry(try polygon(number % 2 == 0 ? [outer.vertices] : [outer.vertices, hole.vertices], kind))
    }
    var fixes = entries.flatMap { places(beside: $0.outline, &random, count: 12) }
    for _ in 0..<100 { fixes.append(random.coordinate(near: center, within: 100_000)) }
    for _ in 0..<40 { fixes.append(random.coordinate()) }
    expectExact(entries, at: fixes, "seed \(seed)")
  }

  @Test(arguments: 0..<6) func `circles and corridors are exact beside their boundaries`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let center = random.awkwardCoordinate()
    let entries = (0..<20).map { number -> OutlineIndex.Entry in
      let place = random.coordinate(near: center, within: 20_000)
      let size = Trigonometry.exponential(random.double(in: -4...(number < 16 ? 10 : 15)))
      let inset = number % 3 == 0 ? random.double(in: -2...2) * size : 0
      if number % 4 != 3 {
        return .init(outline: Outline(.circle(center: place, radius: .metres(size))), inset: .metres(inset))
      }
      let path = (0..<(2 + number % 3)).map { _ in random.coordinate(near: place, within: size * 5) }
      return .init(
        outline: Outline(.corridor(path: path, halfWidth: .metres(size / 3), edges: .geodesic)),
        inset: .metres(inset / 10))
    }
    var fixes = entries.flatMap { places(beside: $0.outline, &random, count: 25) }
    for _ in 0..<100 { fixes.append(random.coordinate(near: center, within: 60_000)) }
    expectExact(entries, at: fixes, "seed \(seed)")
  }

  @Test(arguments: 0..<6) func `dense outlines with insets and parts are exact`(seed: UInt64) {
    var random = SeededGenerator(seed: 100 + seed)
    let center = random.awkwardCoordinate()
    let entries = (0..<60).map { number -> OutlineIndex.Entry in
      let parts = (0..<(1 + number % 3)).map { _ in
        Polygon.Part(
          outer: random.ring(around: random.coordinate(near: center, within: 5000), radius: 2000, count: 8))
      }
      let inset = number % 5 == 0 ? random.double(in: -300...300) : 0
      return .init(
        outline: Outline(.polygon(Polygon(parts: parts, edges: number % 2 == 0 ? .geodesic : .lonLat))),
        inset: .metres(inset))
    }
    var fixes = entries.flatMap { places(beside: $0.outline, &random, count: 4) }
    for _ in 0..<100 { fixes.append(random.coordinate(near: center, within: 8000)) }
    expectExact(entries, at: fixes, "seed \(seed)")
  }

  @Test(arguments: [EdgeKind.geodesic, .lonLat])
  func `parts and holes with edges over half the earth are exact`(kind: EdgeKind) throws {
    var random = SeededGenerator(seed: 77)
    let outline = Outline(try random.wildPolygon(parts: 6, kind))
    var fixes = places(beside: outline, &random, count: 4)
    for _ in 0..<300 { fixes.append(random.anyPlace()) }
    expectExact([entry(outline)], at: fixes, "\(kind)")
  }

  @Test func `slivers, spikes, repeated vertices, straight runs and rings that touch themselves are exact`()
    throws
  {
    let (a, b) = (47.5, 11.0)
    let outlines = [
      // A sliver a centimetre wide, and one without any width.
      [place(a, b), place(a, b + 0.01), place(a + 1e-7, b + 0.01), place(a + 1e-7, b)],
      [place(a, b), place(a + 0.004, b + 0.01), place(a, b), place(a + 0.004, b + 0.01)],
      // A spike.
      [
        place(a, b), place(a, b + 0.01), place(a + 0.01, b + 0.01), place(a + 0.02, b + 0.02),
        place(a + 0.01, b + 0.01), place(a + 0.01, b),
      ],
      // Repeated vertices, and many on one line.
      [
        place(a, b), place(a, b), place(a, b + 0.01), place(a, b + 0.01), place(a, b + 0.01),
        place(a + 0.01, b + 0.01),
      ],
      [
        place(a, b), place(a, b + 0.002), place(a, b + 0.004), place(a, b + 0.01), place(a + 0.01, b + 0.01),
        place(a + 0.005, b + 0.005),
      ],
      // Two squares that share a corner, and a bow tie.
      [
        place(a, b), place(a, b + 0.01), place(a + 0.01, b + 0.01), place(a + 0.01, b + 0.02),
        place(a + 0.02, b + 0.02), place(a + 0.02, b + 0.01), place(a + 0.01, b + 0.01), place(a + 0.01, b),
      ],
      [place(a, b), place(a + 0.01, b + 0.01), place(a + 0.01, b), place(a, b + 0.01)],
      // An area one centimetre wide, and single places.
      [place(a, b), place(a, b + 1e-7), place(a + 1e-7, b + 1e-7)],
      Array(repeating: place(a, b), count: 4),
      Array(repeating: place(a + 0.003, b + 0.003), count: 4),
    ]
    for kind in [EdgeKind.geodesic, .lonLat] {
      let entries = try outlines.map { entry(try polygon([$0], kind)) }
      var random = SeededGenerator(seed: 7)
      var fixes = outlines.flatMap { $0 } + entries.flatMap { places(beside: $0.outline, &random, count: 40) }
      for row in -2...22 {
        for column in -2...22 { fixes.append(place(a + Double(row) / 1000, b + Double(column) / 1000)) }
      }
      expectExact(entries, at: fixes, "edges of kind \(kind)")
    }
  }

  @Test func `poles, the antimeridian, half the earth and all of it are exact`() throws {
    func band(_ latitude: Double, _ count: Int) -> [Coordinate] {
      (0..<count).map { place(latitude + Double($0 % 3), -180 + 360 * Double($0) / Double(count)) }
    }
    let frame = [place(-90, -180), place(-90, 180), place(90, 180), place(90, -180)]
    let entries = try [
      polygon([band(60, 9)]), polygon([band(-85, 7)]), polygon([band(60, 9), band(80, 9)]),
      polygon([band(60, 12)], .lonLat), polygon([frame], .lonLat),
      polygon([[place(-60, -180), place(-60, 180), place(90, 180), place(90, -180)]], .lonLat),
      polygon([[place(10, 170), place(10, -170), place(-10, -170), place(-10, 170)]]),
      polygon([[place(89.99, 0), place(89.995, 120), place(89.99, -120)]]),
      polygon([[place(90, 0), place(90, 120), place(90, -120)]]),
      polygon([[place(-90, 0), place(-90, 120), place(-90, -120)]]),
      polygon([[place(0, 0), place(90, 0), place(0, 90)]]),
      polygon([[place(0, 0), place(0, 120), place(0, -120)]]),
      Outline(.circle(center: place(0, 180), radius: .kilometres(10_000))),
      Outline(.circle(center: place(90, 0), radius: .kilometres(300))),
      Outline(.circle(center: place(-89.9, 30), radius: .kilometres(15))),
    ].map { entry($0) }
    var random = SeededGenerator(seed: 3)
    var fixes = [
      place(90, 0), place(-90, 0), place(90, 180), place(0, 180), place(0, -180), place(89.9999, 77),
    ]
    for latitude in stride(from: -90.0, through: 90, by: 15) {
      for longitude in stride(from: -180.0, through: 180, by: 30) { fixes.append(place(latitude, longitude)) }
    }
    fixes += entries.flatMap { places(beside: $0.outline, &random, count: 12) }
    for _ in 0..<60 { fixes.append(random.coordinate()) }
    expectExact(entries, at: fixes, "all together")
    for number in [0, 4, 7, 8, 9] { expectExact([entries[number]], at: fixes, "alone: \(number)") }
  }

  @Test(arguments: [90.0, -90]) func `a path that only turns about a pole is as wide as it is made`(
    pole: Double
  ) throws {
    let path = [174.5, 174.5, -20].map { place(pole, $0) }
    let outline = Outline(.corridor(path: path, halfWidth: .kilometres(1000), edges: .geodesic))
    #expect(abs(outline.bounds.south.degrees) > 80 && abs(outline.bounds.north.degrees) > 80)
    var fixes = [place(pole, 0)]
    for distance in stride(from: 1.0, through: 20, by: 1) {
      for longitude in [0.0, 90, 180, -168.8] {
        fixes.append(place(pole > 0 ? pole - distance : pole + distance, longitude))
      }
    }
    expectExact([entry(outline)], at: fixes, "as it is")
    expectExact(
      [OutlineIndex.Entry(outline: outline, inset: .kilometres(-432))], at: fixes, "grown by 432 km")
  }

  @Test(arguments: [90.0, -90]) func `many outlines at a pole are exact, and nothing there counts as quiet`(
    pole: Double
  ) throws {
    var random = SeededGenerator(seed: 11)
    func near() -> Coordinate { random.coordinate(near: place(pole, 0), within: 30_000) }
    var entries: [OutlineIndex.Entry] = []
    for number in 0..<120 {
      let center = near()
      let size = Distance.metres(random.double(in: 50...4000))
      let inset = Distance.metres(number % 5 == 0 ? 20 : 0)
      switch number % 3 {
      case 0: entries.append(.init(outline: Outline(.circle(center: center, radius: size)), inset: inset))
      case 1:
        let end = Geodesic.destination(from: center, azimuth: .degrees(40), distance: size)
        let shape = Shape.corridor(path: [center, end], halfWidth: .metres(200), edges: .geodesic)
        entries.append(.init(outline: Outline(shape), inset: inset))
      default:
        let corners = (0..<5).map {
          Geodesic.destination(from: center, azimuth: .degrees(Double($0) * 72 - 180), distance: size)
        }
        entries.append(.init(outline: try polygon([corners]), inset: inset))
      }
    }
    // The row of tiles at the pole ends about 28 km from it.
    var places = (0..<150).map { _ in near() }
    for longitude in stride(from: -180.0, through: 180, by: 7.5) {
      for offset in [0.25 - 1e-9, 0.25, 0.25 + 1e-9, 0.25 + 3e-8] {
        places.append(place(pole > 0 ? pole - offset : pole + offset, longitude))
      }
    }
    places.append(place(pole, 12))
    expectExact(entries, at: places, "at the pole \(pole)")

    let index = ContainmentIndex(entries)
    var presence = Presence(index, devices: 1)
    var changes: [Presence.Change] = []
    for p in places {
      presence.move([0], to: [p], changes: &changes)
      #expect(presence.outlines(of: 0) == index.containing(p))
    }
  }

  /// A boundary belongs to the inside: a fix on the common edge of two outlines is in both.
  @Test func `what lies on a shared border is in both outlines`() throws {
    let west = try polygon([[place(1, 1), place(1, 1.01), place(1.01, 1.01), place(1.01, 1)]], .lonLat)
    let east = try polygon([[place(1, 1.01), place(1, 1.02), place(1.01, 1.02), place(1.01, 1.01)]], .lonLat)
    let index = ContainmentIndex([entry(west), entry(east)])
    #expect(index.containing(place(1.005, 1.01)) == [0, 1])
    #expect(index.containing(place(1, 1.01)) == [0, 1])
    #expect(index.containing(place(1.005, 1.0099)) == [0])
    #expect(index.containing(place(1.005, 1.0101)) == [1])
  }

  /// Checks the grid's own lines, where rounding could lose a place between two cells: squares, a triangle
  /// and circles that lie on them, queried at the corners and the next numbers around them.
  @Test(arguments: [
    place(47.5, 11), place(0, 0), place(-0.25, 179.75), place(-33.25, -180), place(89.5, 60), place(-90, 0),
  ])
  func `corners and sides of the grid are exact`(origin: Coordinate) throws {
    let (a, b) = (origin.latitude.degrees, origin.longitude.degrees)
    func corner(_ row: Double, _ column: Double) -> Coordinate {
      let east = b + column / 8
      return place(max(-90, min(90, a + row / 8)), east > 180 ? east - 360 : east < -180 ? east + 360 : east)
    }
    var entries: [OutlineIndex.Entry] = []
    for kind in [EdgeKind.geodesic, .lonLat] {
      let rings = [
        [corner(0, 0), corner(0, 2), corner(2, 2), corner(2, 0)],
        [corner(2, 0), corner(2, 2), corner(4, 2), corner(4, 0)],
        [corner(0, 2), corner(4, 4), corner(2, -2)],
        [corner(1, 1), corner(1, 1.5), corner(1.5, 1.5), corner(1.5, 1)],
      ]
      for ring in rings { entries.append(entry(try polygon([ring], kind))) }
    }
    for radius in [1, 5000, 13_900.0] {
      entries.append(entry(Outline(.circle(center: corner(2, 2), radius: .metres(radius)))))
    }
    var fixes: [Coordinate] = []
    for row in -3...5 {
      for column in -3...5 {
        let there = corner(Double(row), Double(column))
        let (latitude, longitude) = (there.latitude.degrees, there.longitude.degrees)
        for north in [latitude.nextDown, latitude, latitude.nextUp] where abs(north) <= 90 {
          for east in [longitude.nextDown, longitude, longitude.nextUp] where abs(east) <= 180 {
            fixes.append(place(north, east))
          }
        }
      }
    }
    expectExact(entries, at: fixes, "from \(a), \(b)")
  }

  /// Outlines that share all their borders, as districts do: no place is between two of them, and a place in
  /// two is on the boundary of both.
  @Test(arguments: [2e-7, 1e-4, 0.03, 4], [EdgeKind.geodesic, .lonLat])
  func `a net of outlines leaves nobody out`(step: Double, kind: EdgeKind) throws {
    var random = SeededGenerator(seed: 11)
    let (rows, columns) = (4, 4)
    let corners = (0...rows).map { row in
      (0...columns).map { column in
        place(
          48 + step * (Double(row) + random.double(in: -0.3...0.3)),
          179.99 + step * (Double(column) + random.double(in: -0.3...0.3)))
      }
    }
    var outlines: [Outline] = []
    var fixes: [Coordinate] = []
    for row in 0..<rows {
      for column in 0..<columns {
        let ring = [
          corners[row][column], corners[row][column + 1], corners[row + 1][column + 1],
          corners[row + 1][column],
        ]
        outlines.append(try polygon([ring], kind))
        for (from, to) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
          let line = Geodesic(from: from, to: to)
          for share in [0, 1e-9, 0.25, 0.5, 1 - 1e-9] { fixes.append(line.point(at: line.length * share)) }
        }
      }
    }
    // Well inside the outer corners.
    for _ in 0..<300 {
      fixes.append(
        place(
          48 + step * random.double(in: 0.4...(Double(rows) - 0.4)),
          179.99 + step * random.double(in: 0.4...(Double(columns) - 0.4))))
    }
    let index = ContainmentIndex(outlines.map { entry($0) })
    var shared = 0
    for fix in fixes {
      let found = index.containing(fix)
      if found.count > 1 { shared += 1 }
      for outline in found where found.count > 1 {
        #expect(outlines[outline].signedDistance(from: fix) == .zero)
      }
    }
    for fix in fixes.suffix(300) { #expect(!index.containing(fix).isEmpty) }
    #expect(shared > 16)
    expectExact(outlines.map { entry($0) }, at: fixes, "a net of \(step)°")
  }

  @Test func `a thousand outlines in one place are all found`() {
    let outline = Outline(.circle(center: place(45, 45), radius: .metres(300)))
    let index = ContainmentIndex((0..<1000).map { _ in entry(outline) })
    #expect(index.containing(place(45, 45)) == Array(0..<1000))
    #expect(index.containing(place(45.0026, 45)) == Array(0..<1000))
    #expect(index.containing(place(45.003, 45)).isEmpty)
  }
}
