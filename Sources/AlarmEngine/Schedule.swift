/// When a zone is on duty: weekly windows in a named time zone.
///
/// The engine knows no calendar of the world's governments: the edge hands it the zone's UTC offsets as data.
public struct Schedule: Hashable, Sendable {
  /// Monday = bit 0 ... Sunday = bit 6.
  public struct Weekdays: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let everyDay = Self(rawValue: 0x7f)
    public static let mondayToFriday = Self(rawValue: 0x1f)
  }
  /// From a minute of the day to another; an end at or before the start lies on the next day.
  public struct Window: Hashable, Sendable {
    /// The days on which the window opens.
    public let weekdays: Weekdays
    /// 0 ... 1439.
    public let opens: Int
    /// 0 ... 1440.
    public let closes: Int
    /// - Precondition: minutes within their ranges.
    public init(weekdays: Weekdays, opens: Int, closes: Int) {
      precondition((0...1439).contains(opens) && (0...1440).contains(closes), "minutes of one day")
      self.weekdays = weekdays
      self.opens = opens
      self.closes = closes
    }
  }
  /// From `from` on, local time is UTC plus `seconds`.
  public struct Offset: Hashable, Sendable {
    public let from: Instant
    public let seconds: Int32
    public init(from: Instant, seconds: Int32) {
      self.from = from
      self.seconds = seconds
    }
  }

  public let windows: [Window]
  /// For people, as the IANA database spells it: "Europe/Berlin".
  public let timeZone: Text
  /// Ascending by `from`; before the first, the first one's offset counts; none at all is UTC.
  public let offsets: [Offset]

  public init(windows: [Window], timeZone: Text, offsets: [Offset]) {
    self.windows = windows
    self.timeZone = timeZone
    self.offsets = offsets.sorted { $0.from < $1.from }
  }
}
