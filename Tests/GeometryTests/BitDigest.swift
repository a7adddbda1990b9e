import Geometry
import TestSupport

/// The bits of many results in one number, to compare builds and machines.
///
/// No Foundation, so that it also compiles with Embedded Swift.
enum BitDigest {
  static func ofTrigonometry() -> UInt64 {
    var generator = SeededGenerator(seed: 754)
    var digest = Digest()
    for i in 0..<2000 {
      let wide = Double(bitPattern: generator.next())
      let x = i % 4 == 0 ? wide : generator.double(in: -20...20)
      let y = generator.double(in: -20...20)
      let both = Trigonometry.sineAndCosine(x)
      digest.add(both.sine)
      digest.add(both.cosine)
      digest.add(Trigonometry.tangent(x))
      digest.add(Trigonometry.arctangent(x))
      digest.add(Trigonometry.arctangent(y: y, x: x))
      digest.add(Trigonometry.arcsine(y / 20))
      digest.add(Trigonometry.arccosine(y / 20))
      digest.add(Trigonometry.exponential(x))
      digest.add(Trigonometry.naturalLogarithm(x))
      digest.add(Trigonometry.hypotenuse(x, y))
      digest.add(Trigonometry.normalCumulative(y / 2))
      let degrees = Trigonometry.sineAndCosine(ofDegrees: x * 30)
      digest.add(degrees.sine)
      digest.add(degrees.cosine)
      digest.add(Trigonometry.arctangentInDegrees(y: y, x: x))
    }
    return digest.value
  }

  static func ofGeodesics() -> UInt64 {
    var generator = SeededGenerator(seed: 84)
    var digest = Digest()
    for i in 0..<1000 {
      let a = place(
        generator.double(in: -90...90), generator.double(in: -180...180))
      let b =
        i % 3 == 0
        ? place(-a.latitude.degrees * 0.999, a.longitude.degrees + 180)
        : place(generator.double(in: -90...90), generator.double(in: -180...180))
      let g = Geodesic(from: a, to: b)
      digest.add(g.length.metres)
      digest.add(g.azimuthAtStart.degrees)
      digest.add(g.azimuthAtEnd.degrees)
      digest.add(g.reducedLength.metres)
      let p = g.line.position(at: .metres(g.length.metres / 3))
      digest.add(p.coordinate.latitude.degrees)
      digest.add(p.coordinate.longitude.degrees)
      digest.add(p.azimuth.degrees)
      digest.add(p.scale)
      digest.add(b.ecef.squaredDistance(to: a.ecef))
    }
    return digest.value
  }

  private static func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: .degrees(latitude), longitude: .degrees(longitude))
  }

  /// FNV-1a over the bytes; all NaNs are equal.
  private struct Digest {
    var value: UInt64 = 0xcbf2_9ce4_8422_2325
    mutating func add(_ x: Double) {
      var bits = x.isNaN ? 0x7ff8_0000_0000_0000 : x.bitPattern
      for _ in 0..<8 {
        value = (value ^ (bits & 0xff)) &* 0x100_0000_01b3
        bits >>= 8
      }
    }
  }
}
