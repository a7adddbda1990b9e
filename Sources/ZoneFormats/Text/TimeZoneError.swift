import AlarmEngine

/// The reason why a time zone has no offsets.
public enum TimeZoneError: Error, Hashable, Sendable {
  /// The name is not in Foundation's copy of the IANA database, unlike "Europe/Berlin" or "UTC".
  case unknownName(given: String)
  case endBeforeStart(from: Instant, through: Instant)
}

extension TimeZoneError {
  /// A sentence for people: the value found and the values allowed.
  public var message: String {
    switch self {
    case .unknownName(let given):
      "time zone \"\(given.prefix(60))\" found, a name of the IANA database such as Europe/Berlin or UTC allowed"
    case .endBeforeStart: "an end before the start found"
    }
  }
}
