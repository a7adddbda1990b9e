import Geometry

/// A box that contains all places within a distance, and some beyond: degrees x 10^7, whole numbers as in the
/// index.
public struct PlaceBox: Equatable, Sendable {
  public let latitudes: ClosedRange<Int64>
  /// Two ranges if the box crosses the antimeridian.
  public let longitudes: [ClosedRange<Int64>]

  private static let wholeWorld: ClosedRange<Int64> = -1_800_000_000...1_800_000_000

  public init(around centre: Coordinate, radius: Distance) {
    let latitude = centre.latitude.degrees
    let longitude = centre.longitude.degrees
    // A margin for the rounding in the index.
    let halfHeight = radius.metres / Earth.leastMetresPerDegree + 1e-6
    latitudes = Self.units(max(-90, latitude - halfHeight))...Self.units(min(90, latitude + halfHeight))
    let highest = abs(latitude) + halfHeight
    guard highest < 89 else {
      longitudes = [Self.wholeWorld]
      return
    }
    // The box is wide enough on its narrowest parallel, hence on all.
    let halfWidth =
      radius.metres / (Earth.leastMetresPerDegreeOfEquator * Trigonometry.cosine(highest * .pi / 180)) + 1e-6
    guard halfWidth < 180 else {
      longitudes = [Self.wholeWorld]
      return
    }
    let (west, east) = (longitude - halfWidth, longitude + halfWidth)
    if west < -180 {
      longitudes = [Self.units(-180)...Self.units(east), Self.units(west + 360)...Self.units(180)]
    } else if east > 180 {
      longitudes = [Self.units(west)...Self.units(180), Self.units(-180)...Self.units(east - 360)]
    } else {
      longitudes = [Self.units(west)...Self.units(east)]
    }
  }

  static func units(_ degrees: Double) -> Int64 { Int64((degrees * 1e7).rounded()) }
}
