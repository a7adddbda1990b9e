import Testing

@testable import StreetMap

@Suite("Coastline")
struct CoastlineTests {
  typealias Point = ExtractGeometry.Point
  private static let bounds = Coastline.Bounds(west: 0, south: 0, east: 10, north: 10)

  private func sea(_ lines: [[(Double, Double)]]) -> [[[Point]]] {
    var coast = Coastline(within: Self.bounds)
    for line in lines { coast.add(line.map { Point($0.0, $0.1) }) }
    return coast.sea().polygons
  }

  private func area(_ polygons: [[[Point]]]) -> Double {
    polygons.reduce(0) { sum, polygon in
      sum
        + polygon.enumerated().reduce(0) {
          $0 + ($1.offset == 0 ? 1 : -1) * abs(ExtractGeometry.doubleArea($1.element)) / 2
        }
    }
  }

  @Test func `without a coast there is no sea`() throws {
    #expect(sea([]).isEmpty)
    // A coast outside of the rectangle has no effect.
    #expect(sea([[(-5, -5), (-5, 15)]]).isEmpty)
  }

  @Test func `a coast across has its water at the right, whatever pieces it is in`() throws {
    // Northwards: the sea is in the east.
    let whole: [(Double, Double)] = [(4, -1), (4, 5), (5, 5), (5, 11)]
    #expect(area(sea([whole])) == 55)
    #expect(area(sea([Array(whole[2...]), Array(whole[...2])])) == 55)
    #expect(area(sea([whole.reversed()])) == 45)
  }

  @Test func `a bay that begins and ends at one edge`() throws {
    // In from the south going north, and out again: land in between, sea around.
    #expect(area(sea([[(6, -1), (6, 3), (4, 3), (4, -1)]])) == 100 - 6)
    #expect(area(sea([[(4, -1), (4, 3), (6, 3), (6, -1)]])) == 6)
  }

  @Test func `two coasts: a strait between, or two bays`() throws {
    let west: [(Double, Double)] = [(3, -1), (3, 11)]
    let east: [(Double, Double)] = [(7, 11), (7, -1)]
    #expect(area(sea([west, east])) == 40)
    #expect(area(sea([west.reversed(), east.reversed()])) == 60)
  }

  @Test func `islands are land, lakes of the sea are water`() throws {
    let island: [(Double, Double)] = [(4, 4), (6, 4), (6, 6), (4, 6), (4, 4)]
    #expect(area(sea([island])) == 96)
    #expect(area(sea([island.reversed()])) == 4)
    // In pieces, in any order.
    #expect(area(sea([Array(island[2...]), Array(island[...2])])) == 96)
    let polygons = sea([[(3, -1), (3, 11)], island])
    #expect(polygons.count == 1 && polygons[0].count == 2)
    #expect(area(polygons) == 66)
  }

  @Test func `an island over the edge is cut`() throws {
    let island: [(Double, Double)] = [(8, 4), (12, 4), (12, 6), (8, 6), (8, 4)]
    for start in 0..<4 {
      let ring = Array(island[start..<4] + island[0...start])
      #expect(area(sea([ring])) == 96)
    }
  }

  @Test func `a coast that is cut shortly before the edge goes straight out`() throws {
    #expect(area(sea([[(4, 0.4), (4, 9.6)]])) == 60)
    #expect(area(sea([[(0.5, 4), (9.5, 4)]])) == 40)
  }

  @Test func `a coast that ends within goes on to the next one, or straight out, and is counted`() {
    #expect(area(sea([[(4, 0.4), (4, 5)], [(4, 6), (4, 11)]])) == 60)
    // Around an island.
    #expect(area(sea([[(4, 4), (6, 4), (6, 6)], [(4, 6), (4, 5)]])) == 96)
    // The nearest edge is the western one.
    #expect(area(sea([[(4, -1), (4, 5)]])) == 100 - 20)
    var coast = Coastline(within: Self.bounds)
    coast.add([Point(4, 0.5), Point(4, 5)])
    #expect(coast.sea().gaps == 2)
  }

  @Test func `an end just within, of a coast that goes out at once, is left out`() {
    // Out to the south next to the place where it would have come in, and in again farther east.
    #expect(area(sea([[(4, 0.1), (3.9, 0.1), (3.9, -1), (5, -1), (5, 11)]])) == 50)
    #expect(area(sea([[(5, -1), (5, 11), (6, 11), (6, 9.9), (6.1, 9.9)]])) == 50)
  }

  /// Random islands that do not touch: the sea is the rest, wherever the rectangle cuts them.
  @Test(arguments: UInt64(0)..<50) func `the sea is what islands leave`(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    var lines: [[(Double, Double)]] = []
    var land = 0.0
    for column in stride(from: -2.0, to: 12, by: 4) {
      for row in stride(from: -2.0, to: 12, by: 4) {
        let (w, e) = (column + 0.2 + random.next(), column + 2.2 + random.next())
        let (s, n) = (row + 0.2 + random.next(), row + 2.2 + random.next())
        var ring = [(w, s), (e, s), (e, n), (w, n)]
        let turn = Int(random.next() * 4)
        ring = Array(ring[turn...] + ring[..<turn])
        lines.append(ring + [ring[0]])
        land += max(0, min(10, e) - max(0, w)) * max(0, min(10, n) - max(0, s))
      }
    }
    #expect(abs(area(sea(lines)) - (100 - land)) < 1e-9)
  }

  private struct SplitMix {
    var state: UInt64
    mutating func next() -> Double {
      state &+= 0x9e37_79b9_7f4a_7c15
      var z = state
      z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
      z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
      return Double((z ^ (z >> 31)) >> 11) * 0x1p-53
    }
  }
}
