import Foundation
import Geometry
import TestSupport
import Testing

@Suite("Geodesic")
struct GeodesicTests {
  @Test func `solves the inverse problem as GeographicLib does`() {
    for line in GeodesicOracle.inverse.split(separator: "\n") {
      let words = line.split(separator: " ")
      let n = words.dropFirst().map { Double($0)! }
      let a = place(n[0], n[1])
      let b = place(n[2], n[3])
      let g = Geodesic(from: a, to: b)
      #expect(abs(g.length.metres - n[4]) < 1e-8, "\(line): \(g.length.metres)")
      #expect(abs(g.reducedLength.metres - n[7]) < 1e-7, "\(line): m12 \(g.reducedLength.metres)")
      #expect(abs(a.distance(to: b).metres - n[4]) < 1e-8)
      guard words[0] != "antipodes" || n[7] > 1000, words[0] != "one-point" else { continue }
      // An azimuth is exact if its destination is within 15 nm.
      let leeway = 1e-12 + 15e-9 / max(abs(n[7]), 1e-9) * 180 / .pi
      #expect(turn(g.azimuthAtStart.degrees, n[5]) < leeway, "\(line): azimuth \(g.azimuthAtStart)")
      #expect(turn(g.azimuthAtEnd.degrees, n[6]) < leeway, "\(line): azimuth \(g.azimuthAtEnd)")
      #expect(abs(g.scaleAtEnd - n[8]) < 1e-11, "\(line): M12 \(g.scaleAtEnd)")
      #expect(abs(g.scaleAtStart - n[9]) < 1e-11, "\(line): M21 \(g.scaleAtStart)")
    }
  }

  @Test func `solves the direct problem as GeographicLib does`() {
    for line in GeodesicOracle.direct.split(separator: "\n") {
      let n = line.split(separator: " ").map { Double($0)! }
      let ready = GeodesicLine(from: place(n[0], n[1]), azimuth: .degrees(n[2]))
      let p = ready.position(at: .metres(n[3]))
      let miss = p.coordinate.ecef.squaredDistance(to: place(n[4], n[5]).ecef).squareRoot()
      #expect(miss < 1.5e-8, "\(line): \(p.coordinate), off by \(miss) m")
      #expect(ready.point(at: .metres(n[3])) == p.coordinate)
      if abs(n[4]) < 89.999 { #expect(turn(p.azimuth.degrees, n[6]) < 1e-11, "\(line): \(p.azimuth)") }
      #expect(abs(p.reducedLength.metres - n[7]) < 1e-7, "\(line): m12 \(p.reducedLength)")
      #expect(abs(p.scale - n[8]) < 1e-11, "\(line): M12 \(p.scale)")
      #expect(abs(p.scaleAtStart - n[9]) < 1e-11, "\(line): M21 \(p.scaleAtStart)")
    }
  }

  @Test func `is as long both ways, to the bit`() {
    forPairs(seed: 11) { a, b, message in
      let there = Geodesic(from: a, to: b)
      let back = Geodesic(from: b, to: a)
      #expect(there.length == back.length, message)
      #expect(there.reducedLength == back.reducedLength, message)
      #expect(there.scaleAtEnd == back.scaleAtStart, message)
      #expect(there.length == a.distance(to: b), message)
    }
  }

  @Test func `ends where it should, and comes back from there`() {
    forPairs(seed: 12) { a, b, message in
      let g = Geodesic(from: a, to: b)
      #expect(g.point(at: g.length).ecef.squaredDistance(to: b.ecef) < 2.25e-16, message)
      #expect(g.point(at: .zero).ecef.squaredDistance(to: a.ecef) < 1e-16, message)
      let back = Geodesic.destination(from: b, azimuth: g.azimuthAtEnd, distance: -g.length)
      #expect(back.ecef.squaredDistance(to: a.ecef) < 2.25e-16, message)
    }
  }

  @Test func `is never shorter than the chord nor longer than half way round`() {
    forPairs(seed: 13) { a, b, message in
      let length = a.distance(to: b).metres
      #expect(length >= a.ecef.squaredDistance(to: b.ecef).squareRoot() - 1e-8, message)
      #expect(length <= 20_003_931.4586255, message)
    }
  }

  @Test func `keeps the triangle inequality`() {
    var generator = SeededGenerator(seed: 14)
    for _ in 0..<300 {
      let points = (0..<3).map { _ in
        place(generator.double(in: -90...90), generator.double(in: -180...180))
      }
      let direct = points[0].distance(to: points[2]).metres
      let detour = points[0].distance(to: points[1]).metres + points[1].distance(to: points[2]).metres
      #expect(direct <= detour + 1e-8, "seed 14: \(points)")
    }
  }

  @Test func `of one point is nothing, northward`() {
    for point in [place(0, 0), place(51.5, -0.1), place(-33, 151), place(90, 0), place(-90, 12)] {
      let g = Geodesic(from: point, to: point)
      #expect(g.length == .zero)
      #expect(g.azimuthAtStart == .degrees(0) && g.azimuthAtEnd == .degrees(0))
      #expect(g.scaleAtEnd == 1 && g.scaleAtStart == 1)
    }
    #expect(place(20, 180).distance(to: place(20, -180)) == .zero)
    #expect(place(90, 30).distance(to: place(90, -120)) == .zero)
  }

  @Test func `takes any distance without trapping`() {
    for metres in [1e9, -1e12, 1e200, 1.7e308] {
      let p = Geodesic.destination(from: place(10, 20), azimuth: .degrees(30), distance: .metres(metres))
      #expect(abs(p.latitude.degrees) <= 90 && abs(p.longitude.degrees) <= 180, "\(metres) m: \(p)")
    }
  }

  @Test func `answers from a prepared line with the bits of a fresh one`() {
    let line = GeodesicLine(from: place(48, 11), azimuth: .degrees(77))
    for metres in stride(from: -5e5, through: 5e5, by: 12_345.678) {
      let fresh = Geodesic.destination(
        from: place(48, 11), azimuth: .degrees(77), distance: .metres(metres))
      #expect(line.point(at: .metres(metres)) == fresh, "\(metres) m")
    }
  }

  @Test func `keeps its bits`() {
    // The same in a debug build, a release build and WebAssembly (node 20); the browser relies on it.
    #expect(BitDigest.ofGeodesics() == 17_228_213_434_158_447_315)
  }

  /// Points anywhere, near each other, and near antipodes.
  private func forPairs(seed: UInt64, _ check: (Coordinate, Coordinate, Comment) -> Void) {
    var generator = SeededGenerator(seed: seed)
    for i in 0..<600 {
      let latitude = generator.double(in: -90...90)
      let longitude = generator.double(in: -180...180)
      let size = pow(10, generator.double(in: -9...1))
      let a = place(latitude, longitude)
      let b =
        switch i % 3 {
        case 0: place(generator.double(in: -90...90), generator.double(in: -180...180))
        case 1:
          place(
            max(-90, min(90, latitude + size * generator.double(in: -1...1))),
            longitude + size * generator.double(in: -1...1))
        default:
          place(
            max(-90, min(90, -latitude + size * generator.double(in: -1...1))),
            longitude + 180 + size * generator.double(in: -1...1))
        }
      check(a, b, "seed \(seed), pair \(i): \(a) to \(b)")
    }
  }

  private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: .degrees(latitude), longitude: .degrees(longitude))
  }

  private func turn(_ a: Double, _ b: Double) -> Double {
    let d = abs(a - b)
    return min(d, 360 - d)
  }
}
