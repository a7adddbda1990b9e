import AlarmEngine
import Geometry

/// A fix as ten numbers, the form in which a page hands positions over: latitude and longitude in degrees,
/// accuracy in metres (NaN where none is stated, negative where the phone called the fix invalid), `measuredAt` and
/// `receivedAt` in milliseconds since 1970, speed in m/s and course in degrees (NaN or negative where not known),
/// height in metres (NaN where not known), its error (NaN where none is stated) and what it is measured from (0 for sea
/// level, all else for unknown). A height that ``Altitude`` rejects counts as none.
public enum FixRow {
  public static let width = 10

  /// The fault in a row that is no fix.
  public enum Refusal: UInt8, Error, Equatable, Sendable {
    /// Allowed: -90 to 90.
    case latitude = 1
    /// Allowed: -360 to 360.
    case longitude = 2
    /// Allowed: NaN or a finite number.
    case accuracy = 3
    /// Allowed: whole milliseconds within `Instant.allowed`.
    case measuredAt = 4
    case receivedAt = 5
  }

  /// - Precondition: `row` has `width` numbers.
  public static func fix(_ row: ArraySlice<Double>) throws(Refusal) -> Fix {
    precondition(row.count == width, "a row has ten numbers")
    let first = row.startIndex
    let measuredAt = try instant(row[first + 3], or: .measuredAt)
    let receivedAt = try instant(row[first + 4], or: .receivedAt)
    let speed = row[first + 5]
    let course = row[first + 6]
    return Fix(
      position: try position(latitude: row[first], longitude: row[first + 1]),
      accuracy: try accuracy(row[first + 2]), measuredAt: measuredAt, receivedAt: receivedAt,
      speed: speed >= 0 && speed.isFinite ? .metresPerSecond(speed) : nil,
      course: course >= 0 && course.isFinite ? .degrees(course) : nil,
      altitude: altitude(row[(first + 7)...]))
  }

  private static func altitude(_ numbers: ArraySlice<Double>) -> Altitude? {
    let first = numbers.startIndex
    let error = numbers[first + 1]
    return Altitude(
      metres: numbers[first], error: error.isNaN ? nil : error,
      reference: numbers[first + 2] == 0 ? .seaLevel : .unknown)
  }

  /// The numbers of which `fix(_:)` makes an equal fix again.
  public static func numbers(_ fix: Fix) -> [Double] {
    [
      fix.position.latitude.degrees, fix.position.longitude.degrees, fix.accuracy.stated?.metres ?? .nan,
      Double(fix.measuredAt.millisecondsSince1970), Double(fix.receivedAt.millisecondsSince1970),
      fix.speed?.metresPerSecond ?? .nan, fix.course?.degrees ?? .nan,
      fix.altitude?.height.metres ?? .nan, fix.altitude?.error?.metres ?? .nan,
      fix.altitude.map { Double($0.reference.rawValue) } ?? .nan,
    ]
  }

  /// The instant of a number of milliseconds, fractions cut off downwards; nil outside `Instant.allowed`.
  public static func instant(milliseconds: Double) -> Instant? {
    let least = Double(Instant.allowed.lowerBound.millisecondsSince1970)
    let most = Double(Instant.allowed.upperBound.millisecondsSince1970)
    guard milliseconds >= least, milliseconds <= most else { return nil }
    return Instant(millisecondsSince1970: Int64(milliseconds.rounded(.down)))
  }

  private static func instant(_ number: Double, or refusal: Refusal) throws(Refusal) -> Instant {
    guard let instant = instant(milliseconds: number) else { throw refusal }
    return instant
  }

  private static func position(latitude: Double, longitude: Double) throws(Refusal) -> Coordinate {
    do { return try Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude) } catch {
      switch error {
      case .latitudeOutOfRange: throw .latitude
      case .longitudeOutOfRange: throw .longitude
      }
    }
  }

  private static func accuracy(_ number: Double) throws(Refusal) -> Fix.Accuracy {
    if number.isNaN { return .unstated }
    guard number.isFinite else { throw .accuracy }
    return .radius(.metres(number))
  }
}
