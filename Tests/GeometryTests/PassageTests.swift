import Geometry
import TestSupport
import Testing

@Suite("Passage")
struct PassageTests {
  @Test(arguments: 0..<24) func `finds what dense samples find`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let center = random.awkwardCoordinate()
    let radius = [100.0, 3000, 80_000][Int(seed % 3)]
    let ring = random.ring(around: center, radius: radius, count: 6)
    let outline = Outline(.polygon(Polygon(parts: [.init(outer: ring)], edges: .geodesic)))
    let level = Distance.metres(radius * random.double(in: -0.1...0.2))
    let way = Geodesic(
      from: random.coordinate(near: center, within: 2 * radius),
      to: random.coordinate(near: center, within: 2 * radius))
    let passage = outline.passage(from: way.start, to: way.end, level: level)

    let line = way.line
    let count = 200
    var heights: [Double] = []
    for step in 0...count {
      let place = line.point(at: way.length * (Double(step) / Double(count)))
      heights.append((outline.signedDistance(from: place) - level).metres)
    }
    // The number of crossings between two samples is odd if they differ, else even.
    let step = way.length.metres / Double(count)
    for index in 1...count {
      let inStep = passage.crossings.filter {
        $0.along.metres > Double(index - 1) * step && $0.along.metres <= Double(index) * step
      }
      let differs = (heights[index - 1] <= 0) != (heights[index] <= 0)
      let isClear = abs(heights[index - 1]) > 0.01 && abs(heights[index]) > 0.01
      if isClear { #expect((inStep.count % 2 == 1) == differs, "seed \(seed), step \(index)") }
    }
    for (index, crossing) in passage.crossings.enumerated() {
      let there = outline.signedDistance(from: line.point(at: crossing.along)) - level
      #expect(abs(there.metres) < 0.002, "seed \(seed)")
      if index > 0 {
        #expect(crossing.inward != passage.crossings[index - 1].inward, "seed \(seed)")
        #expect(crossing.along > passage.crossings[index - 1].along, "seed \(seed)")
      }
    }
    let least = heights.min()! + level.metres
    #expect(passage.closest.metres <= least + max(0.01, abs(least) / 500), "seed \(seed)")
    let there = outline.signedDistance(from: line.point(at: passage.closestAt))
    #expect(abs((there - passage.closest).metres) < 1e-6, "seed \(seed)")
  }

  @Test func `a second in a small zone between two fixes is seen`() {
    let zone = Outline(.circle(center: place(52, 13), radius: .metres(30)))
    let a = Geodesic.destination(from: place(52, 13), azimuth: .degrees(-90), distance: .metres(300))
    let b = Geodesic.destination(from: place(52, 13), azimuth: .degrees(89.9), distance: .metres(300))
    let passage = zone.passage(from: a, to: b, level: .zero)
    #expect(passage.crossings.map(\.inward) == [true, false])
    #expect(abs(passage.crossings[0].along.metres - 270) < 0.01)
    #expect(abs(passage.closest.metres + 30) < 0.3)
  }

  @Test func `standing still crosses nothing`() {
    let zone = Outline(.circle(center: place(52, 13), radius: .metres(30)))
    let passage = zone.passage(from: place(52, 13), to: place(52, 13), level: .zero)
    #expect(passage.crossings.isEmpty)
    #expect(passage.closest == .metres(-30))
    #expect(passage.closestAt == .zero)
  }

  @Test func `a touch of the border by a hair is seen`() {
    let zone = Outline(.circle(center: place(0, 0), radius: .metres(1000)))
    // Passes 2 cm deep: inside for 12.6 m of a way of 3 km.
    let north = Geodesic.destination(from: place(0, 0), azimuth: .degrees(0), distance: .metres(999.98))
    let a = Geodesic.destination(from: north, azimuth: .degrees(90), distance: .metres(1490))
    let b = Geodesic.destination(from: north, azimuth: .degrees(-90), distance: .metres(1510))
    #expect(zone.passage(from: a, to: b, level: .zero).crossings.count == 2)
  }
}
