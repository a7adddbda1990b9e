import Geometry
import TestSupport
import Testing

@Suite("Outline for drawing")
struct OutlineDrawingTests {
  private func shapes(_ random: inout SeededGenerator) -> [Outline] {
    let center = random.coordinate(near: place(random.double(in: -70...70), 179.9), within: 100_000)
    let ring = random.ring(around: center, radius: 30_000, count: 5)
    let path = [center, ring.vertices[0], ring.vertices[2]]
    return [
      Outline(.circle(center: center, radius: .metres(20_000))),
      Outline(.corridor(path: path, halfWidth: .metres(3000), edges: .geodesic)),
      Outline(.corridor(path: path, halfWidth: .metres(3000), edges: .lonLat)),
      Outline(.polygon(Polygon(parts: [.init(outer: ring)], edges: .geodesic))),
      Outline(.polygon(Polygon(parts: [.init(outer: ring)], edges: .lonLat))),
    ]
  }

  @Test(arguments: 0..<10) func `keeps within its tolerance`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for (number, outline) in shapes(&random).enumerated() {
      let isCorridor = number == 1 || number == 2
      for ring in outline.boundary(tolerance: .metres(5)) {
        for (index, a) in ring.enumerated() {
          let b = ring[(index + 1) % ring.count]
          for step in 0..<4 {
            let t = Double(step) / 4
            var east = b.longitude.degrees - a.longitude.degrees
            if abs(east) > 180 { east -= east > 0 ? 360 : -360 }
            let p = Coordinate(
              latitude: .degrees(a.latitude.degrees + t * (b.latitude.degrees - a.latitude.degrees)),
              longitude: .degrees(a.longitude.degrees + t * east))
            let off = outline.signedDistance(from: p).metres
            // The inner sides of a corridor's bends are inside.
            #expect(off <= 5 && (isCorridor || off >= -5), "seed \(seed), shape \(number): \(off)")
          }
        }
      }
    }
  }

  @Test(arguments: 0..<10) func `frame and circle hold the outline`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for outline in shapes(&random) {
      let (bounds, circle) = (outline.bounds, outline.boundingCircle)
      for ring in outline.boundary(tolerance: .metres(5)) {
        for p in ring {
          #expect(p.latitude >= bounds.south && p.latitude <= bounds.north, "seed \(seed)")
          var east = p.longitude.degrees - bounds.west.degrees
          if east < -1e-9 { east += 360 }
          #expect(east <= bounds.width.degrees + 1e-9, "seed \(seed)")
          #expect(p.distance(to: circle.center).metres <= circle.radius.metres + 1e-6, "seed \(seed)")
        }
      }
      #expect(bounds.width.degrees < 10, "seed \(seed)")
    }
  }
}
