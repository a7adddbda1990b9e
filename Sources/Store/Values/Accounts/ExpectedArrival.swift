import AlarmEngine

/// A phone that is to be at a zone by a time of day: "Ben is at School by 08:00, Monday to Friday". If it has not
/// arrived by then, an alarm rings, above all if it is silent.
public struct ExpectedArrival: Hashable, Sendable {
  public let id: ExpectedArrivalID
  public let account: AccountID
  /// One of the account's own zones.
  public let zone: ZoneID
  /// The phone that is to arrive, whose alarm it becomes.
  public let device: DeviceID
  public let time: Time
  /// How long before the time being at the zone counts as having arrived.
  public let window: TimeSpan
  public let isEnabled: Bool
  public let createdAt: Instant
  /// The next time at which the phone is to be there.
  public let nextDue: Instant

  /// A time of day on days of the week, by the clocks of a time zone.
  public struct Time: Hashable, Sendable {
    /// Minutes after midnight.
    public let minute: Int
    /// At least one day.
    public let days: Schedule.Weekdays
    /// As the IANA database spells it.
    public let timeZone: String

    public static let allowedMinutes = 0...1439

    /// - Returns: nil if the minute is out of range, or no day is chosen.
    public init?(minute: Int, days: Schedule.Weekdays, timeZone: String) {
      let days = days.intersection(.everyDay)
      guard Self.allowedMinutes.contains(minute), !days.isEmpty else { return nil }
      self.minute = minute
      self.days = days
      self.timeZone = timeZone
    }
  }

  /// The most that an account may have.
  public static let most = 100
  public static let allowedWindow = TimeSpan.zero...TimeSpan.hours(12)
  public static let defaultWindow = TimeSpan.minutes(60)
  /// A time that passed longer ago than this, while nobody could judge it, is left out.
  public static let judgedFor = TimeSpan.hours(24)

  public init(
    id: ExpectedArrivalID = .random(), account: AccountID, zone: ZoneID, device: DeviceID, time: Time,
    window: TimeSpan = defaultWindow, isEnabled: Bool = true, createdAt: Instant, nextDue: Instant
  ) {
    self.id = id
    self.account = account
    self.zone = zone
    self.device = device
    self.time = time
    self.window = min(max(window, Self.allowedWindow.lowerBound), Self.allowedWindow.upperBound)
    self.isEnabled = isEnabled
    self.createdAt = createdAt
    self.nextDue = nextDue
  }

  /// The same, due at another time.
  public func due(at next: Instant) -> Self {
    Self(
      id: id, account: account, zone: zone, device: device, time: time, window: window, isEnabled: isEnabled,
      createdAt: createdAt, nextDue: next)
  }
}

/// An expected arrival that was judged, written with the alarm if there is one.
public struct ExpectedArrivalStep: Hashable, Sendable {
  public let account: AccountID
  public let id: ExpectedArrivalID
  /// The due time that was judged. An expected arrival with another one was edited since, and stays as it is.
  public let judged: Instant
  public let next: Instant

  public init(_ expected: ExpectedArrival, next: Instant) {
    account = expected.account
    id = expected.id
    judged = expected.nextDue
    self.next = next
  }
}
