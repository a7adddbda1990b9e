import AlarmEngine
import Geometry

extension NumberOutOfRange {
  /// A sentence for people: the value found and those allowed: "sleep_s 9e9 found, 0.0 to 1000000000.0
  /// allowed".
  public var message: String {
    let allowed = field.allowed
    return "\(field.name) \(given) found, \(allowed.lowerBound) to \(allowed.upperBound) allowed"
  }
}

extension FieldError {
  /// A sentence for people: the value found and the values allowed.
  public var message: String {
    switch self {
    case .endsEarly(let needed, let left): "\(left) bytes found, \(needed) or more needed"
    case .bytesLeft(let given): "\(given) bytes found after the end of a value"
    case .countTooLarge(let given): "a count of \(given) found, more than the bytes that follow can hold"
    case .unknown(let given): "the number \(given) found, which this version does not know"
    case .notFinite: "a number found that is not finite"
    case .noPlace:
      "an invalid place found; latitudes of -90 to 90 and longitudes of -180 to 180 degrees allowed"
    case .tooFewVertices: "a ring of fewer than three different places found"
    case .timeOutOfRange(let given):
      "\(given) milliseconds since 1970 found, a time in the years 0001 to 9999 allowed"
    case .schedule(let error): error.message
    case .reminder(.radiusOutOfRange(let given)):
      NumberOutOfRange(.reminderRadius, given: given.metres).message
    case .number(let error): error.message
    case .missing(let field): "field \(field) is missing"
    case .version(let given): "version \(given) found, \(SyncRecord.version) allowed"
    case .outOfOrder(let field): "field \(field) found out of order or twice"
    case .unknownTimeZone(let given): TimeZoneError.unknownName(given: given.string).message
    }
  }
}

extension ScheduleError {
  /// A sentence for people: the value found and the values allowed.
  public var message: String {
    func words<Bound>(_ what: String, _ given: Int, _ allowed: ClosedRange<Bound>) -> String {
      "\(what) \(given) found, \(allowed.lowerBound) to \(allowed.upperBound) allowed"
    }
    switch self {
    case .weekdaysOutOfRange(let given): return words("weekdays", given, 0...0x7f)
    case .openingOutOfRange(let given):
      return words("opening minute", given, Schedule.Window.allowedOpening)
    case .closingOutOfRange(let given):
      return words("closing minute", given, Schedule.Window.allowedClosing)
    case .offsetOutOfRange(let given):
      return words("seconds from UTC", given, Schedule.Offset.allowedSeconds)
    }
  }
}
