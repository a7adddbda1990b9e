import Geometry

/// How high the phone was, as the source of a fix states it.
public struct Altitude: Hashable, Sendable {
  /// Over sea level, or over what `reference` says.
  public let height: Distance
  /// One standard deviation: the true height is this near 68 times in 100. More than zero; nil if it is not stated.
  public let error: Distance?
  public let reference: Reference

  /// What a height is measured from.
  public enum Reference: UInt8, Hashable, Sendable, CaseIterable {
    /// Mean sea level, by whichever geoid.
    case seaLevel = 0
    /// The WGS 84 ellipsoid, or the source does not say.
    case unknown = 1
  }

  /// Heights of a fix, in metres: from below the deepest mine to where space begins, and some more.
  public static let allowed = -12_000.0...100_000

  /// A larger error has no more meaning, and sums stay finite.
  static let greatestError = 1e6

  /// - Parameters:
  ///   - metres: the height.
  ///   - error: as the source states it, in metres; zero counts as not stated, more than a thousand kilometres as that.
  /// - Returns: nil if the source means that it knows no height: a negative error, a number that is not finite, a height
  ///   beyond ``allowed``, or a zero without an error, which is what many phones write in place of nothing.
  public init?(metres: Double, error: Double? = nil, reference: Reference) {
    guard Self.allowed.contains(metres), error.map({ $0.isFinite && $0 >= 0 }) ?? true else { return nil }
    let error = error.flatMap { $0 > 0 ? $0 : nil }
    guard metres != 0 || error != nil else { return nil }
    height = .metres(metres)
    self.error = error.map { .metres(min($0, Self.greatestError)) }
    self.reference = reference
  }
}

/// Between which heights a zone is: over sea level, each limit optional, at least one of them there.
public struct AltitudeBand: Hashable, Sendable {
  public let floor: Distance?
  public let ceiling: Distance?

  /// - Returns: nil without a limit.
  public init?(floor: Distance?, ceiling: Distance?) {
    guard floor != nil || ceiling != nil else { return nil }
    self.floor = floor
    self.ceiling = ceiling
  }

  /// Where a phone surely is.
  public enum Side: UInt8, Hashable, Sendable {
    case below, above
    /// Being between floor and ceiling is not excluded.
    case within
  }

  /// - Parameter error: the phone is surely this near to `height`.
  public func side(of height: Distance, error: Distance) -> Side {
    if let ceiling, height - error > ceiling { return .above }
    if let floor, height + error < floor { return .below }
    return .within
  }
}

extension Altitude {
  /// The phone is taken to be surely this near to `height`: three standard deviations (99.7 %), and what lies between
  /// the ellipsoid and sea level where the source may mean either.
  ///
  /// - Parameter radius: of the fix. A source that states no error of its heights is taken to be wrong by twice that, and
  ///   by 50 m at least: satellites know a height about half as well as a place.
  public func certainError(radius: Distance) -> Distance {
    let deviation =
      error.map { max($0, Rule.leastAltitudeError) } ?? max(Rule.unstatedAltitudeError, radius * 2)
    return deviation * Rule.altitudeFactor + (reference == .seaLevel ? .zero : Rule.ellipsoidToSeaLevel)
  }
}
