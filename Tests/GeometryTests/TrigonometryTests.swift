import Foundation
import TestSupport
import Testing

@testable import Geometry

/// Our functions compared with the C library's.
@Suite("Trigonometry")
struct TrigonometryTests {
  @Test(arguments: OneArgument.all)
  func `is at most one step from the C library`(_ function: OneArgument) {
    for (kind, points) in Points.all {
      var generator = SeededGenerator(seed: 1993)
      var worst: (steps: UInt64, at: Double) = (0, 0)
      for _ in 0..<2000 {
        let x = points(&generator)
        let apart = steps(function.ours(x), function.theirs(x))
        if apart > worst.steps { worst = (apart, x) }
      }
      #expect(
        worst.steps <= 1,
        "\(function) of \(kind), seed 1993: \(worst.steps) ulp at \(worst.at), \(function.ours(worst.at))")
    }
    for x in Points.hard {
      let (a, b) = (function.ours(x), function.theirs(x))
      #expect(steps(a, b) <= 1, "\(function)(\(x)) = \(a), C \(b)")
    }
  }

  @Test(arguments: TwoArguments.all)
  func `of two numbers is at most one step from the C library`(_ function: TwoArguments) {
    for (kind, points) in Points.all {
      var generator = SeededGenerator(seed: 2013)
      var worst: (steps: UInt64, y: Double, x: Double) = (0, 0, 0)
      for _ in 0..<2000 {
        let (y, x) = (points(&generator), points(&generator))
        let apart = steps(function.ours(y, x), function.theirs(y, x))
        if apart > worst.steps { worst = (apart, y, x) }
      }
      #expect(
        worst.steps <= 1, "\(function) of \(kind), seed 2013: \(worst.steps) ulp at \(worst.y), \(worst.x)")
    }
    for y in Points.hard {
      for x in Points.hard {
        let (a, b) = (function.ours(y, x), function.theirs(y, x))
        #expect(steps(a, b) <= 1, "\(function)(\(y), \(x)) = \(a), C \(b)")
      }
    }
  }

  @Test func `reduces the double closest to a multiple of π/2 better than the C library`() {
    // J.-M. Muller, "Elementary Functions" (2nd ed., 2006), table 11.1; digits from a 2000-bit computation.
    let x = 6_381_956_970_095_103 * 0x1p797
    #expect(steps(Trigonometry.cosine(x), -4.687165924254627611122583e-19) <= 1)
    #expect(Trigonometry.sine(x) == 1)
  }

  @Test func `gives both sine and cosine with the bits of each`() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<2000 {
      let x = Points.anyBits(&generator)
      let both = Trigonometry.sineAndCosine(x)
      #expect(steps(both.sine, Trigonometry.sine(x)) == 0, "\(x)")
      #expect(steps(both.cosine, Trigonometry.cosine(x)) == 0, "\(x)")
    }
  }

  @Test func `is exact at right angles in degrees`() {
    for turns in [-1e13, -3, -1, 0, 1, 7, 1e9] {
      let whole = turns * 360
      let expected: [(Double, Double, Double)] = [(0, 0, 1), (90, 1, 0), (180, 0, -1), (270, -1, 0)]
      for (degrees, sine, cosine) in expected {
        let got = Trigonometry.sineAndCosine(ofDegrees: whole + degrees)
        #expect(got.sine == sine && got.cosine == cosine, "\(whole + degrees)°: \(got)")
      }
    }
    #expect(Trigonometry.sineAndCosine(ofDegrees: 30).sine == 0.5)
    #expect(Trigonometry.sineAndCosine(ofDegrees: -300).cosine == 0.5)
    #expect(Trigonometry.sineAndCosine(ofDegrees: -0.0).sine.sign == .minus)
    #expect(Trigonometry.sineAndCosine(ofDegrees: .infinity).sine.isNaN)
    #expect(Trigonometry.sineAndCosine(ofDegrees: .nan).cosine.isNaN)
  }

  @Test func `agrees in degrees with radians in more digits`() {
    var generator = SeededGenerator(seed: 90)
    for _ in 0..<2000 {
      let degrees = generator.double(in: -720...720)
      // Near a zero the rounding of the radians shows; it is 2⁻⁵³ of the angle.
      let slack = abs(degrees) * .pi / 180 * 0x1p-52 + 0x1p-52
      let got = Trigonometry.sineAndCosine(ofDegrees: degrees)
      #expect(abs(got.sine - sin(degrees * .pi / 180)) <= slack, "seed 90: \(degrees)°")
      #expect(abs(got.cosine - cos(degrees * .pi / 180)) <= slack, "seed 90: \(degrees)°")
      let back = Trigonometry.arctangentInDegrees(y: got.sine, x: got.cosine)
      #expect(abs(remainder(back - degrees, 360)) < 1e-13, "seed 90: \(degrees)° came back as \(back)°")
    }
  }

  @Test func `finds multiples of 45° exactly`() {
    let expected: [(Double, Double, Double)] = [
      (0, 1, 0), (1, 1, 45), (1, 0, 90), (1, -1, 135), (0, -1, 180), (-0.0, -1, -180), (-1, -1, -135),
      (-1, 0, -90), (-1, 1, -45), (0, 0, 0), (0x1p-1060, 0x1p-1060, 45),
    ]
    for (y, x, degrees) in expected {
      #expect(Trigonometry.arctangentInDegrees(y: y, x: x) == degrees, "y \(y), x \(x)")
    }
    #expect(Trigonometry.arctangentInDegrees(y: -0.0, x: 1).sign == .minus)
  }

  @Test func `gives the normal distribution within 1e-15`() {
    var generator = SeededGenerator(seed: 2004)
    for _ in 0..<4000 {
      let x = generator.double(in: -12...12)
      let got = Trigonometry.normalCumulative(x)
      #expect(abs(got - 0.5 * erfc(-x * 0.5.squareRoot())) < 1e-15, "seed 2004: Φ(\(x)) = \(got)")
    }
    // Abramowitz and Stegun, table 26.1 (and 26.2 for the tail).
    #expect(abs(Trigonometry.normalCumulative(1) - 0.841344746068543) < 1e-15)
    #expect(abs(Trigonometry.normalCumulative(-5) / 2.866515718791939e-7 - 1) < 1e-12)
    #expect(Trigonometry.normalCumulative(0) == 0.5)
    #expect(Trigonometry.normalCumulative(-.infinity) == 0)
    #expect(Trigonometry.normalCumulative(.infinity) == 1)
    #expect(Trigonometry.normalCumulative(.nan).isNaN)
  }

  @Test func `keeps its bits`() {
    // The same in a debug build, a release build and WebAssembly (node 20); the browser relies on it.
    #expect(BitDigest.ofTrigonometry() == 9_963_649_937_736_306_471)
  }
}

/// One of our functions and its counterpart in the C library.
struct OneArgument: CustomTestStringConvertible, CustomStringConvertible, Sendable {
  let description: String
  let ours: @Sendable (Double) -> Double
  let theirs: @Sendable (Double) -> Double
  var testDescription: String { description }

  static let all = [
    Self(description: "sine", ours: { Trigonometry.sine($0) }, theirs: { sin($0) }),
    Self(description: "cosine", ours: { Trigonometry.cosine($0) }, theirs: { cos($0) }),
    Self(description: "tangent", ours: { Trigonometry.tangent($0) }, theirs: { tan($0) }),
    Self(description: "arctangent", ours: { Trigonometry.arctangent($0) }, theirs: { atan($0) }),
    Self(description: "arcsine", ours: { Trigonometry.arcsine($0) }, theirs: { asin($0) }),
    Self(description: "arccosine", ours: { Trigonometry.arccosine($0) }, theirs: { acos($0) }),
    Self(description: "exponential", ours: { Trigonometry.exponential($0) }, theirs: { exp($0) }),
    Self(description: "naturalLogarithm", ours: { Trigonometry.naturalLogarithm($0) }, theirs: { log($0) }),
  ]
}

struct TwoArguments: CustomTestStringConvertible, CustomStringConvertible, Sendable {
  let description: String
  let ours: @Sendable (Double, Double) -> Double
  let theirs: @Sendable (Double, Double) -> Double
  var testDescription: String { description }

  static let all = [
    Self(
      description: "arctangent(y:x:)", ours: { Trigonometry.arctangent(y: $0, x: $1) },
      theirs: { atan2($0, $1) }),
    Self(description: "hypotenuse", ours: { Trigonometry.hypotenuse($0, $1) }, theirs: { hypot($0, $1) }),
  ]
}

private enum Points {
  typealias Source = @Sendable (inout SeededGenerator) -> Double

  static func anyBits(_ generator: inout SeededGenerator) -> Double {
    Double(bitPattern: generator.next())
  }

  static let all: [(String, Source)] = [
    ("-1 ... 1", { $0.double(in: -1...1) }),
    ("-10 ... 10", { $0.double(in: -10...10) }),
    ("-750 ... 750", { $0.double(in: -750...750) }),
    ("-1e6 ... 1e6", { $0.double(in: -1e6...1e6) }),
    ("1e6 ... 1e20", { pow(10, $0.double(in: 6...20)) }),
    ("near 1", { 1 - pow(2, -$0.double(in: 1...53)) }),
    ("near -1", { pow(2, -$0.double(in: 1...53)) - 1 }),
    ("near a multiple of π/2", { nearRightAngle(&$0) }),
    ("subnormal", { $0.double(in: -0x1p-1022...0x1p-1022) }),
    ("any bits", { anyBits(&$0) }),
  ]

  private static func nearRightAngle(_ generator: inout SeededGenerator) -> Double {
    let multiple = Double(generator.next() % 3_000_000) * (Double.pi / 2)
    return Double(bitPattern: multiple.bitPattern &+ generator.next() % 9 &- 4)
  }

  static let hard = positive.flatMap { [$0, -$0] } + [Double.nan]

  private static let positive: [Double] = [
    0, .leastNonzeroMagnitude, .leastNormalMagnitude, 0x1p-1030, 0x1p-28, 0x1p-27, 0x1p-26, 0.4375, 0.5,
    0.6875, 0.975, 1, 1.1875, 2.4375, 0x1.921fb54442d18p-1, 0x1.921fb54442d18p0, 0x1.2d97c7f3321d2p1,
    0x1.921fb54442d18p1, 0x1.921fb54442d18p2, 0x1.ffffep19, 0x1p20, 0x1.00001p20, 1e22, 0x1p53, 0x1p600,
    .greatestFiniteMagnitude, .infinity, 709.782712893384, 709.7827128933841, 708.3, 708.4, 745.1, 745.13,
    745.14, 0x1.6a09e667f3bcdp-1, 0x1.6a09e667f3bcdp0,
  ]
}

/// The number of doubles between a and b; 0 for NaN and NaN, very large for zeros of different signs.
private func steps(_ a: Double, _ b: Double) -> UInt64 {
  if a.isNaN || b.isNaN { return a.isNaN && b.isNaN ? 0 : .max }
  if a == 0, b == 0 { return a.sign == b.sign ? 0 : .max }
  func place(_ x: Double) -> Int64 {
    let bits = Int64(bitPattern: x.bitPattern)
    return bits < 0 ? Int64.min &- bits : bits
  }
  let (difference, overflow) = place(a).subtractingReportingOverflow(place(b))
  return overflow ? .max : difference.magnitude
}
