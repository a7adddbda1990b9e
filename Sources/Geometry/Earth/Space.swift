extension Cartesian {
  /// The place along the straight line from `a` to `b` nearest to this point (0 at `a`, 1 at `b`, not clamped),
  /// and the square of the distance to the segment.
  func projected(from a: Self, to b: Self) -> (fraction: Double, squaredDistance: Double) {
    let ab = b - a
    let ap = self - a
    let length = ab.dot(ab)
    let fraction = length > 0 ? ap.dot(ab) / length : 0
    let t = fraction > 0 ? (fraction < 1 ? fraction : 1) : 0
    let off = Self(x: ap.x - t * ab.x, y: ap.y - t * ab.y, z: ap.z - t * ab.z)
    return (fraction, off.dot(off))
  }
}

/// A box in space with sides along the axes; empty until something is included.
struct Box: Sendable {
  var minX = Double.infinity
  var minY = Double.infinity
  var minZ = Double.infinity
  var maxX = -Double.infinity
  var maxY = -Double.infinity
  var maxZ = -Double.infinity

  var isEmpty: Bool { minX > maxX }

  mutating func include(_ p: Cartesian, margin: Double = 0) {
    minX = min(minX, p.x - margin)
    minY = min(minY, p.y - margin)
    minZ = min(minZ, p.z - margin)
    maxX = max(maxX, p.x + margin)
    maxY = max(maxY, p.y + margin)
    maxZ = max(maxZ, p.z + margin)
  }
  mutating func include(_ other: Self) {
    minX = min(minX, other.minX)
    minY = min(minY, other.minY)
    minZ = min(minZ, other.minZ)
    maxX = max(maxX, other.maxX)
    maxY = max(maxY, other.maxY)
    maxZ = max(maxZ, other.maxZ)
  }
  func grown(by margin: Double) -> Self {
    Self(
      minX: minX - margin, minY: minY - margin, minZ: minZ - margin, maxX: maxX + margin, maxY: maxY + margin,
      maxZ: maxZ + margin)
  }
  func overlaps(_ other: Self) -> Bool {
    minX <= other.maxX && other.minX <= maxX && minY <= other.maxY && other.minY <= maxY
      && minZ <= other.maxZ && other.minZ <= maxZ
  }
  func contains(_ p: Cartesian) -> Bool { squaredDistance(to: p) == 0 }

  var center: Cartesian {
    Cartesian(x: (minX + maxX) / 2, y: (minY + maxY) / 2, z: (minZ + maxZ) / 2)
  }

  /// Zero inside, infinite for an empty box.
  func squaredDistance(to p: Cartesian) -> Double {
    let x = max(minX - p.x, p.x - maxX, 0)
    let y = max(minY - p.y, p.y - maxY, 0)
    let z = max(minZ - p.z, p.z - maxZ, 0)
    return x * x + y * y + z * z
  }
}

/// How straight lines through the earth bound the lines over it.
enum Chord {
  /// The least and the greatest radius of curvature of WGS 84: b²/a and a²/b.
  static let leastRadius = 6_335_439.327
  static let greatestRadius = 6_399_593.626

  /// Rounding of coordinates in space, in metres, with room.
  static let rounding = 2e-8

  /// A straight distance that no place nearer than `ground` metres over the ground exceeds.
  ///
  /// A geodesic bends at least as a circle of the greatest radius does, so it is longer than its chord by
  /// c³/24r² or more; nine tenths of that leave room for its torsion and for higher terms.
  static func upTo(ground: Double) -> Double {
    guard ground < 5_000_000 else { return ground + rounding }
    return ground * (1 - 0.9 / 24 / (greatestRadius * greatestRadius) * ground * ground) + rounding
  }

  /// No less than ``greatestGround(chord:)``, without trigonometry: 2r asin(c/2r) = c + c³/24r² + 3c⁵/640r⁴ + ..., and up to
  /// 1,000 km what follows the second term is less than a hundredth of it.
  static func ground(within chord: Double) -> Double {
    guard chord < 1_000_000 else { return greatestGround(chord: chord) }
    return chord * (1 + 1.01 / (24 * leastRadius * leastRadius) * chord * chord) + rounding
  }

  /// The greatest ground distance between two places `chord` metres apart through the earth.
  ///
  /// A geodesic bends no more than a circle of the least radius (A. Schur's comparison of arcs and chords).
  static func greatestGround(chord: Double) -> Double {
    let half = chord / (2 * leastRadius)
    guard half < 1 else { return Earth.halfMeridian }
    return min(Earth.halfMeridian, 2 * leastRadius * Trigonometry.arcsine(half)) + rounding
  }
}
