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
      // An azimuth says nothing finer than where it leads: 15 nm.
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

  private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: .degrees(latitude), longitude: .degrees(longitude))
  }

  private func turn(_ a: Double, _ b: Double) -> Double {
    let d = abs(a - b)
    return min(d, 360 - d)
  }
}
