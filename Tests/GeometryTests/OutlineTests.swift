import Geometry
import TestSupport
import Testing

func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
  Coordinate(latitude: .degrees(latitude), longitude: .degrees(longitude))
}

func polygon(_ places: [(Double, Double)], _ edges: EdgeKind = .geodesic) throws -> Outline {
  Outline(.polygon(Polygon(parts: [.init(outer: try Ring(places.map { place($0.0, $0.1) }))], edges: edges)))
}

func metres(_ outline: Outline, _ latitude: Double, _ longitude: Double) -> Double {
  outline.signedDistance(from: place(latitude, longitude)).metres
}

@Suite("Outline")
struct OutlineTests {
  @Test func `measures to the zone of the documents`() throws {
    let zone = try polygon([(10.5, 123.4), (10.5, 124.4), (10.6, 124.4), (10.6, 123.4)])
    #expect(abs(metres(zone, 10.6, 124.41) - 1094.32) < 0.005)
    #expect(metres(zone, 10.5, 123.4) == 0)
    #expect(zone.contains(place(10.5, 123.4)))
    #expect(!zone.contains(place(10.6, 124.41)))
  }

  @Test(arguments: 0..<40) func `agrees with the slow witness`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let center = random.awkwardCoordinate()
    let radius = [20, 500, 10_000, 100_000, 1_000_000][Int(seed % 5)] * random.double(in: 0.5...1)
    let edges: EdgeKind = seed % 2 == 0 ? .geodesic : .lonLat
    var parts = [Polygon.Part(outer: random.ring(around: center, radius: radius, count: 3 + Int(seed % 7)))]
    if seed % 3 == 0 {
      parts[0] = .init(
        outer: parts[0].outer, holes: [random.ring(around: center, radius: radius * 0.3, count: 4)])
    }
    if seed % 4 == 0 {
      parts.append(
        .init(
          outer: random.ring(
            around: random.coordinate(near: center, within: radius), radius: radius, count: 5)))
    }
    let polygon = Polygon(parts: parts, edges: edges)
    let outline = Outline(.polygon(polygon))
    let witness = SlowOutline(polygon)
    for _ in 0..<4 {
      let p = random.coordinate(near: center, within: 1.5 * radius)
      let expected = witness.signedDistance(from: p)
      let allowed = abs(expected) < 10_000 ? 1e-6 : 1e-3
      let found = outline.signedDistance(from: p).metres
      #expect(abs(found - expected) < allowed, "seed \(seed): \(found) for \(expected) at \(p)")
      #expect(outline.contains(p) == (found <= 0))
    }
  }

  @Test(arguments: 0..<20) func `changes by no more than one moves`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let center = random.awkwardCoordinate()
    let radius = [200.0, 20_000, 2_000_000][Int(seed % 3)]
    let edges: EdgeKind = seed % 2 == 0 ? .geodesic : .lonLat
    let parts = (0..<4).map { _ in
      let place = random.coordinate(near: center, within: radius)
      return Polygon.Part(
        outer: random.ring(around: place, radius: radius, count: 6),
        holes: [random.ring(around: place, radius: radius / 3, count: 5)])
    }
    let outline = Outline(.polygon(Polygon(parts: parts, edges: edges)))
    for _ in 0..<60 {
      let p = random.coordinate(near: center, within: 2 * radius)
      let q = random.coordinate(near: p, within: radius * random.double(in: 0...1))
      let change = abs((outline.signedDistance(from: p) - outline.signedDistance(from: q)).metres)
      #expect(change <= p.distance(to: q).metres + 2e-6, "seed \(seed): \(p), \(q)")
    }
  }

  @Test(arguments: [EdgeKind.geodesic, .lonLat])
  func `vertices and the middles of edges are on the boundary`(edges: EdgeKind) throws {
    let places = [(52.1, 13.2), (52.3, 13.3), (52.2, 13.7), (52.0, 13.4)]
    let outline = try polygon(places, edges)
    for (index, a) in places.enumerated() {
      #expect(metres(outline, a.0, a.1) == 0)
      #expect(outline.contains(place(a.0, a.1)))
      let b = places[(index + 1) % places.count]
      let middle =
        edges == .geodesic
        ? Geodesic(from: place(a.0, a.1), to: place(b.0, b.1)).point(
          at: place(a.0, a.1).distance(to: place(b.0, b.1)) * 0.5)
        : place((a.0 + b.0) / 2, (a.1 + b.1) / 2)
      #expect(outline.signedDistance(from: middle) == .zero)
    }
  }

  @Test func `an edge of longitude and latitude keeps to its parallel, a geodesic doesn't`() throws {
    let places = [(50.0, 10.0), (50.0, 20.0), (40.0, 20.0), (40.0, 10.0)]
    #expect(try polygon(places, .lonLat).signedDistance(from: place(50, 15)) == .zero)
    let edge = Geodesic(from: place(50, 10), to: place(50, 20))
    let sagitta = place(50, 15).distance(to: edge.point(at: edge.length * 0.5)).metres
    #expect(sagitta > 10_000)
    #expect(abs(metres(try polygon(places, .geodesic), 50, 15) + sagitta) < 1e-6)
  }

  @Test(arguments: [EdgeKind.geodesic, .lonLat])
  func `the antimeridian is an ordinary place`(edges: EdgeKind) throws {
    let over = try polygon([(-17, 179), (-17, -179), (-16, -179), (-16, 179)], edges)
    let here = try polygon([(-17, 9), (-17, 11), (-16, 11), (-16, 9)], edges)
    for (latitude, longitude) in [(-16.5, 10.0), (-16.5, 9.999), (-16.2, 10.7), (-16.5, 12.0), (-20.0, 10.0)]
    {
      let east = longitude + 170
      #expect(
        abs(metres(over, latitude, east > 180 ? east - 360 : east) - metres(here, latitude, longitude)) < 1e-7
      )
    }
    #expect(metres(over, -16.5, 180) == metres(over, -16.5, -180))
    #expect(!over.contains(place(-16.5, 0)))
  }

  @Test func `a ring around a pole holds the pole`() throws {
    let south = try polygon([(-70, 0), (-70, 90), (-70, 180), (-70, -90)], .lonLat)
    #expect(
      south.contains(place(-90, 17)) && south.contains(place(-71, 45)) && !south.contains(place(-69, 45)))
    #expect(!south.contains(place(90, 0)))
    #expect(abs(metres(south, -90, 0) + place(-90, 0).distance(to: place(-70, 3)).metres) < 1e-6)
    // Antarctica as files write it: along the antimeridian to the pole and back, which bounds nothing.
    let written = try polygon(
      [(-70, -180), (-70, -90), (-70, 0), (-70, 90), (-70, 180), (-90, 180), (-90, -180)], .lonLat)
    for (latitude, longitude) in [(-90.0, 0.0), (-80, 180), (-80, -180), (-69, 180), (-71, 33), (10, 10)] {
      #expect(abs(metres(written, latitude, longitude) - metres(south, latitude, longitude)) < 1e-6)
    }
    // All of the earth north of 30° S, which is the greater side, as the line along the pole shows.
    let greater = try polygon(
      [(-30, -180), (-30, -60), (-30, 60), (-30, 180), (90, 180), (90, -180)], .lonLat)
    #expect(
      greater.contains(place(90, 0)) && greater.contains(place(0, 7)) && !greater.contains(place(-31, 7)))
  }

  @Test func `a geodesic ring through a pole holds what lies between its meridians`() throws {
    let wedge = try polygon([(80, 0), (90, 0), (80, 120)])
    #expect(
      wedge.contains(place(85, 60)) && !wedge.contains(place(85, 121)) && !wedge.contains(place(85, -60)))
    #expect(metres(wedge, 90, 45) == 0)
    let half = try polygon([(80, 15), (80, -165), (80, -75)])
    #expect(half.contains(place(85, -75)) && !half.contains(place(85, 100)))
    #expect(abs(metres(half, 85, 15)) < 1e-6)
  }

  @Test func `the frame of a map holds the earth, a band of it only itself`() throws {
    let world = try polygon([(-90, -180), (-90, 180), (90, 180), (90, -180)], .lonLat)
    for (latitude, longitude) in [(0.0, 0.0), (90, 0), (-90, 0), (0, 180), (0, -180), (51, -3)] {
      #expect(world.contains(place(latitude, longitude)))
      #expect(metres(world, latitude, longitude) < -20_000_000)
    }
    let band = try polygon([(-60, -180), (-60, 180), (60, 180), (60, -180)], .lonLat)
    #expect(band.contains(place(0, 180)) && band.contains(place(59, 1)) && !band.contains(place(61, 1)))
    #expect(abs(metres(band, 0, 180) + place(0, 0).distance(to: place(60, 0)).metres) < 1e-6)
    #expect(world.bounds.width == .degrees(360) && band.bounds.width == .degrees(360))
  }

  @Test(arguments: [EdgeKind.geodesic, .lonLat])
  func `spikes, keyholes and repeated vertices change nothing`(edges: EdgeKind) throws {
    let plain = try polygon([(0, 0), (0, 1), (1, 1), (1, 0)], edges)
    let spiked = try polygon(
      [(0, 0), (0, 0), (0, 1), (0.5, 3), (0, 1), (1, 1), (1, 1), (1, 0), (0.4, 0.4), (1, 0)], edges)
    for (latitude, longitude) in [(0.5, 0.5), (0.4, 0.4), (0.7, 0.2), (0.3, 2.0), (0.5, 3.0), (2.0, 2.0)] {
      #expect(metres(spiked, latitude, longitude) == metres(plain, latitude, longitude))
    }
    let hole = try Ring([place(0.4, 0.4), place(0.4, 0.6), place(0.6, 0.6), place(0.6, 0.4)])
    let square = try Ring([place(0, 0), place(0, 1), place(1, 1), place(1, 0)])
    let holed = Outline(.polygon(Polygon(parts: [.init(outer: square, holes: [hole])], edges: edges)))
    let keyhole = try polygon(
      [(0, 0), (0.4, 0.4), (0.6, 0.4), (0.6, 0.6), (0.4, 0.6), (0.4, 0.4), (0, 0), (0, 1), (1, 1), (1, 0)],
      edges)
    for (latitude, longitude) in [(0.2, 0.2), (0.5, 0.5), (0.3, 0.7), (0.45, 0.41), (2, 2)] {
      #expect(metres(keyhole, latitude, longitude) == metres(holed, latitude, longitude))
    }
  }

  @Test func `what has no area is its lines`() throws {
    for places in [
      [(1.0, 1.0), (1, 1), (1, 1), (1, 1)], [(1, 1), (1, 2), (1, 1), (1, 2)], [(90, 0), (90, 10), (90, 50)],
    ] {
      let outline = try polygon(places, .lonLat)
      #expect(metres(outline, places[0].0, places[0].1) == 0)
      #expect(metres(outline, 3, 3) > 0)
    }
  }

  @Test func `a ring needs three vertices, and a closing one is dropped`() throws {
    let corners = [place(1, 1), place(1, 2), place(2, 2)]
    #expect(try Ring(corners + [corners[0]]) == Ring(corners))
    #expect(throws: ShapeError.tooFewVertices(given: 2)) { try Ring([corners[0], corners[1], corners[0]]) }
  }

  @Test func `a ring that crosses itself is inside where it is odd`() throws {
    let hourglass = try polygon([(0, 0), (1, 1), (0, 1), (1, 0)])
    #expect(hourglass.contains(place(0.5, 0.2)) && hourglass.contains(place(0.5, 0.8)))
    #expect(!hourglass.contains(place(0.2, 0.5)) && !hourglass.contains(place(0.9, 0.5)))
  }

  @Test func `a corridor is measured from its path, a circle from its centre`() {
    let path = [place(0, 0), place(0, 1), place(1, 1)]
    let corridor = Outline(.corridor(path: path, halfWidth: .metres(500), edges: .geodesic))
    #expect(metres(corridor, 0, 0.5) == -500)
    #expect(abs(metres(corridor, -1, 1) - place(-1, 1).distance(to: place(0, 1)).metres + 500) < 1e-6)
    let circle = Outline(.circle(center: place(89.999, 0), radius: .metres(500)))
    #expect(circle.contains(place(90, 0)) && circle.contains(place(89.999, 180)))
    #expect(
      abs(metres(circle, 89.999, 180) - (2 * place(90, 0).distance(to: place(89.999, 0)).metres - 500)) < 1e-6
    )
  }

  @Test(arguments: [EdgeKind.geodesic, .lonLat])
  func `a path that stays or goes to and fro is measured as the lines that it has`(edges: EdgeKind) throws {
    let (a, b, c) = (place(0, 0), place(0, 1), place(1, 1))
    let plain = Outline(.corridor(path: [a, b, c], halfWidth: .metres(500), edges: edges))
    let walks = [
      [a, a, a, b, b, c, c], [a, b, a, b, c, b, a, b, c],
      Array(repeating: a, count: 5_000) + Array(repeating: b, count: 5_000) + [c],
    ]
    for walk in walks {
      let outline = Outline(.corridor(path: walk, halfWidth: .metres(500), edges: edges))
      for (latitude, longitude) in [(0.0, 0.0), (0, 1), (0.5, 1.001), (-1, -1), (1, 1), (2, 0.5)] {
        #expect(metres(outline, latitude, longitude) == metres(plain, latitude, longitude))
      }
    }
    for count in [4, 10_000] {
      let still = Outline(
        .corridor(path: Array(repeating: a, count: count), halfWidth: .metres(5), edges: edges))
      #expect(metres(still, 0, 0) == -5)
      #expect(abs(metres(still, 1, 0) - place(1, 0).distance(to: a).metres + 5) < 1e-6)
      let flat = try polygon(Array(repeating: (0, 0), count: count), edges)
      #expect(metres(flat, 0, 0) == 0 && metres(flat, 1, 0) > 110_000)
    }
  }
}
