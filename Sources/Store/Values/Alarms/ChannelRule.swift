import AlarmEngine

/// The notices that a channel takes (W20).
///
/// Each member is a set of what is allowed, and an empty set allows everything. A notice is sent if all members
/// allow it. Ids stay in their sets when the zone or the phone is deleted: the set never becomes empty by
/// itself, which would allow everything, and a zone whose deletion is undone is found again.
public struct ChannelRule: Hashable, Sendable {
  /// The movement of a phone that a notice of a zone reports.
  public enum Direction: String, CaseIterable, Hashable, Sendable {
    case enter, leave, dwell

    public init(_ cause: Cause) {
      switch cause {
      case .inside, .near, .passed, .possible: self = .enter
      case .left: self = .leave
      case .dwell: self = .dwell
      }
    }
  }

  /// The member of a rule that keeps a notice back.
  public enum Refusal: String, CaseIterable, Hashable, Sendable {
    case phone, kind, zone, direction, hours
  }

  /// The zones whose notices are sent, together with those of `categories`.
  public let zones: Set<ZoneID>
  /// Categories of zones. Upper and lower case are the same.
  public let categories: Set<String>
  public let directions: Set<Direction>
  /// A notice of an end belongs to its ring, and tests are asked for one by one, so neither is in the set.
  public let kinds: Set<NoticeKind>
  public let devices: Set<DeviceID>
  /// The hours in which something may be sent, by the clock of the account's time zone.
  public let hours: [Schedule.Window]

  private let foldedCategories: Set<String>

  /// The kinds that a rule can name.
  public static let namedKinds = NoticeKind.allCases.filter { !$0.isOfEnd && $0 != .test }
  public static let maximumZones = 1000
  public static let maximumDevices = 1000
  public static let maximumCategories = 100
  public static let maximumHours = 21
  /// Characters of a category, counted as Unicode scalars.
  public static let categoryLength = 1...200

  /// - Throws: the first error.
  public init(
    zones: Set<ZoneID> = [], categories: Set<String> = [], directions: Set<Direction> = [],
    kinds: Set<NoticeKind> = [], devices: Set<DeviceID> = [], hours: [Schedule.Window] = []
  ) throws(ChannelRuleError) {
    for (member, count, most) in [
      (ChannelRuleError.Member.zones, zones.count, Self.maximumZones),
      (.devices, devices.count, Self.maximumDevices),
      (.categories, categories.count, Self.maximumCategories), (.hours, hours.count, Self.maximumHours),
    ] where count > most { throw .tooMany(member, given: count, allowed: most) }
    for category in categories.sorted() where !Self.isUsable(category) {
      throw .unusableCategory(given: category)
    }
    for kind in NoticeKind.allCases where kinds.contains(kind) && !Self.namedKinds.contains(kind) {
      throw .unnamedKind(given: kind)
    }
    if kinds.contains(.repeat), !kinds.contains(where: { $0 != .repeat && $0.isAlarm }) {
      throw .repeatsOfNothing
    }
    if let index = hours.firstIndex(where: { $0.weekdays.isDisjoint(with: .everyDay) }) {
      throw .noWeekday(index: index)
    }
    self.zones = zones
    self.categories = categories
    self.directions = directions
    self.kinds = kinds
    self.devices = devices
    self.hours = hours
    foldedCategories = Set(categories.map { Self.folded($0) })
  }

  private init() {
    (zones, categories, directions, kinds, devices, hours) = ([], [], [], [], [], [])
    foldedCategories = []
  }

  /// The rule of a new channel: it allows everything.
  public static let everything = Self()

  public var isEverything: Bool { self == .everything }

  private static func isUsable(_ category: String) -> Bool {
    categoryLength.contains(category.unicodeScalars.count) && !folded(category).isEmpty
      && !category.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  /// Returns the form in which categories are compared: small letters, without blanks around them.
  private static func folded(_ category: String) -> String {
    let begun = category.drop { $0.isWhitespace }
    let trimmed = begun.lastIndex { !$0.isWhitespace }.map { begun[...$0] } ?? ""
    return trimmed.lowercased()
  }
}

/// The reason why members make no rule.
public enum ChannelRuleError: Error, Hashable, Sendable {
  public enum Member: String, Hashable, Sendable { case zones, categories, devices, hours }
  case tooMany(Member, given: Int, allowed: Int)
  /// Allowed: `ChannelRule.categoryLength` characters without control characters, not only blanks.
  case unusableCategory(given: String)
  /// Allowed: `ChannelRule.namedKinds`.
  case unnamedKind(given: NoticeKind)
  /// Repeats are allowed only together with a kind of alarm that repeats.
  case repeatsOfNothing
  /// A window of hours has no weekday, so it would never open.
  case noWeekday(index: Int)
}

// MARK: The decision

extension ChannelRule {
  /// The properties of a notice that a rule looks at. Messages that follow a ring (repeats and the end) are of
  /// the same event.
  public struct Event: Hashable, Sendable {
    public struct Place: Hashable, Sendable {
      public let id: ZoneID
      /// Nil if the zone is gone.
      public let category: String?
      public init(id: ZoneID, category: String?) {
        self.id = id
        self.category = category
      }
    }

    /// The kind of the first notice, also for a repeat.
    public let kind: NoticeKind
    public let device: DeviceID
    /// Nil if the notice is not about a zone.
    public let zone: Place?
    /// Nil if the notice reports no movement.
    public let direction: Direction?
    /// From when the notice could be sent first, until the last ring.
    public let time: ClosedRange<Instant>
    /// Local time in the account's time zone; empty for UTC.
    public let offsets: [Schedule.Offset]
    public var isRepeat: Bool
    /// True if channels of a lower step were told, and nobody answered.
    public var isUnanswered: Bool

    /// - Precondition: `kind` is neither a repeat nor an end.
    public init(
      _ kind: NoticeKind, of device: DeviceID, zone: Place? = nil, direction: Direction? = nil,
      during time: ClosedRange<Instant>, offsets: [Schedule.Offset] = [], isRepeat: Bool = false,
      isUnanswered: Bool = false
    ) {
      precondition(kind != .repeat && !kind.isOfEnd, "an event has the kind of its first notice")
      self.kind = kind
      self.device = device
      self.zone = zone
      self.direction = direction
      self.time = time
      self.offsets = offsets
      self.isRepeat = isRepeat
      self.isUnanswered = isUnanswered
    }
  }

  public func allows(_ event: Event) -> Bool { refusal(of: event) == nil }

  /// True if notices about the phone may be sent.
  public func concerns(_ device: DeviceID) -> Bool { devices.isEmpty || devices.contains(device) }

  /// Returns the first member that keeps an event back; nil if the event is sent.
  ///
  /// - Tests are sent always.
  /// - An unanswered alarm is held back only by phones, unless the rule names kinds.
  /// - Zones, categories and directions hold back only notices about a zone.
  /// - Hours hold back an event only if none of its time lies in them, so an alarm that begins before the hours
  ///   is sent when they begin, and one that was sent stays allowed to its end.
  /// - SOS and a missed check-in are held back by kinds alone, whichever phone they come from and at any hour.
  /// - Hours do not hold back that a phone has not arrived: a person has set the very time.
  public func refusal(of event: Event) -> Refusal? {
    if event.kind == .test { return nil }
    guard event.kind.callsForHelp || concerns(event.device) else { return .phone }
    if kinds.isEmpty {
      if event.isUnanswered { return nil }
    } else if !kinds.contains(event.kind) || event.isRepeat && !kinds.contains(.repeat) {
      return .kind
    }
    if let zone = event.zone, !allows(zone) { return .zone }
    if let direction = event.direction, !directions.isEmpty, !directions.contains(direction) {
      return .direction
    }
    return event.kind.comesAtAnyHour || isOpen(during: event.time, event.offsets) ? nil : .hours
  }

  private func allows(_ zone: Event.Place) -> Bool {
    if zones.isEmpty && categories.isEmpty || zones.contains(zone.id) { return true }
    return zone.category.map { foldedCategories.contains(Self.folded($0)) } ?? false
  }

  private func isOpen(during time: ClosedRange<Instant>, _ offsets: [Schedule.Offset]) -> Bool {
    guard !hours.isEmpty else { return true }
    let schedule = Schedule(windows: hours, timeZone: .empty, offsets: offsets)
    if schedule.isOpen(at: time.lowerBound) { return true }
    return schedule.nextOpening(after: time.lowerBound).map { $0 <= time.upperBound } ?? false
  }
}
