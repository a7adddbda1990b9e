import Geometry

/// The height of the phone, as stated by the source of a fix.
public struct Altitude: Hashable, Sendable {
  /// Above the surface that `reference` names.
  public let height: Distance
  /// One standard deviation (68 %), more than zero; nil if it is not stated.
  public let error: Distance?
  public let reference: Reference

  /// The surface from which a height is measured.
  public enum Reference: UInt8, Hashable, Sendable, CaseIterable {
    /// Mean sea level, by whichever geoid.
    case seaLevel = 0
    /// The WGS 84 ellipsoid, or a surface that the source does not state.
    case unknown = 1
  }

  /// The heights accepted in a fix, in metres: from below the deepest mine to the edge of space.
  public static let allowed = -12_000.0...100_000

  /// Upper limit of a stated error, in metres. Larger errors carry no more information, and sums stay finite.
  static let greatestError = 1e6

  /// - Parameters:
  ///   - metres: the height.
  ///   - error: one standard deviation as stated, in metres; zero counts as not stated, more than 1,000 km as
  ///     1,000 km.
  /// - Returns: nil if the source knows no height: a negative error, a number that is not finite, a height
  ///   beyond ``allowed``, or a zero without an error, which many phones write in place of a missing height.
  public init?(metres: Double, error: Double? = nil, reference: Reference) {
    guard Self.allowed.contains(metres), error.map({ $0.isFinite && $0 >= 0 }) ?? true else { return nil }
    let error = error.flatMap { $0 > 0 ? $0 : nil }
    guard metres != 0 || error != nil else { return nil }
    height = .metres(metres)
    self.error = error.map { .metres(min($0, Self.greatestError)) }
    self.reference = reference
  }
}

/// The range of heights above sea level in which a zone counts: a floor, a ceiling or both.
public struct AltitudeBand: Hashable, Sendable {
  public let floor: Distance?
  public let ceiling: Distance?

  /// - Returns: nil without a limit.
  public init?(floor: Distance?, ceiling: Distance?) {
    guard floor != nil || ceiling != nil else { return nil }
    self.floor = floor
    self.ceiling = ceiling
  }

  /// The position of a phone relative to a band, with the error of its height.
  public enum Side: UInt8, Hashable, Sendable {
    case below, above
    /// The phone may be between floor and ceiling.
    case within
  }

  /// - Parameter error: the greatest difference between `height` and the true height.
  public func side(of height: Distance, error: Distance) -> Side {
    if let ceiling, height - error > ceiling { return .above }
    if let floor, height + error < floor { return .below }
    return .within
  }
}

extension Altitude {
  /// The greatest error assumed of `height`: three standard deviations (99.7 %), and the distance of the
  /// ellipsoid from sea level if the source may mean either.
  ///
  /// - Parameter radius: the accuracy radius of the fix. A height without a stated error gets a standard
  ///   deviation of twice this, and of 50 m at least: satellite heights are about half as accurate as
  ///   positions.
  public func certainError(radius: Distance) -> Distance {
    let deviation =
      error.map { max($0, Rule.leastAltitudeError) } ?? max(Rule.unstatedAltitudeError, radius * 2)
    return deviation * Rule.altitudeFactor + (reference == .seaLevel ? .zero : Rule.ellipsoidToSeaLevel)
  }
}
