/// A point, or a vector, in metres from the centre of the earth and turning with it (ECEF): x towards 0° N 0° E,
/// y towards 0° N 90° E, z towards the north pole.
public struct Cartesian: Hashable, Sendable {
  public var x: Double
  public var y: Double
  public var z: Double

  public init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  public static func + (a: Self, b: Self) -> Self { Self(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z) }
  public static func - (a: Self, b: Self) -> Self { Self(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z) }
  public static func * (a: Self, factor: Double) -> Self {
    Self(x: a.x * factor, y: a.y * factor, z: a.z * factor)
  }

  public func dot(_ other: Self) -> Double { x * other.x + y * other.y + z * other.z }

  public func cross(_ other: Self) -> Self {
    Self(
      x: y * other.z - z * other.y,
      y: z * other.x - x * other.z,
      z: x * other.y - y * other.x)
  }

  public var squaredLength: Double { dot(self) }
  public var length: Double { squaredLength.squareRoot() }
  public func squaredDistance(to other: Self) -> Double { (self - other).squaredLength }
}

extension Coordinate {
  /// The position in space (earth-centred, earth-fixed), on the surface of the ellipsoid. Within 3e-9 m.
  public var ecef: Cartesian {
    let phi = Trigonometry.sineAndCosine(ofDegrees: latitude.degrees)
    let lambda = Trigonometry.sineAndCosine(ofDegrees: longitude.degrees)
    let normal =
      WGS84.equatorialRadius / (1 - WGS84.eccentricitySquared * phi.sine * phi.sine).squareRoot()
    return Cartesian(
      x: normal * phi.cosine * lambda.cosine,
      y: normal * phi.cosine * lambda.sine,
      z: normal * (1 - WGS84.eccentricitySquared) * phi.sine)
  }

  /// The unit vector that points straight up here, at a right angle to the ellipsoid.
  public var up: Cartesian {
    let phi = Trigonometry.sineAndCosine(ofDegrees: latitude.degrees)
    let lambda = Trigonometry.sineAndCosine(ofDegrees: longitude.degrees)
    return Cartesian(x: phi.cosine * lambda.cosine, y: phi.cosine * lambda.sine, z: phi.sine)
  }
}
