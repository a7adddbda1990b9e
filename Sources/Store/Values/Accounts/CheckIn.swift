import AlarmEngine

/// A person's word to be back by a time. If the time passes and the person has not said that they are back, an
/// alarm rings. An account has at most one.
public struct CheckIn: Hashable, Sendable {
  public let account: AccountID
  /// The device of the person's name, whose alarm it becomes.
  public let device: DeviceID
  /// The phone whose last place is told; nil for the phone of the account that was located last.
  public let phone: DeviceID?
  /// For those who are told, such as "hike on the north face"; empty if there is none.
  public let note: Text
  /// The id that the alarm has if it rings. Each setting has its own.
  public let alarm: AlarmID
  public let setAt: Instant
  /// The time by which the person wants to be back.
  public let dueAt: Instant
  /// True if the person chose a length of time. It then keeps its length when the server's clock is set back.
  public let isSpan: Bool
  /// True if the person was reminded that the time is nearly over.
  public let isReminded: Bool
  /// When the alarm began to ring; nil while the time is not over.
  public let missedAt: Instant?

  /// How far ahead the time may be when it is set.
  public static let ahead = TimeSpan.minutes(1)...TimeSpan.hours(7 * 24)
  /// Characters of a note, counted as Unicode scalars.
  public static let noteLength = 0...200
  /// How long before the time the person is reminded.
  public static let remindedBefore = TimeSpan.minutes(10)
  /// A check-in that is set for less time than this has no reminder.
  public static let leastWithReminder = TimeSpan.minutes(15)

  public init(
    account: AccountID, device: DeviceID, phone: DeviceID? = nil, note: Text = .empty,
    alarm: AlarmID = .random(),
    setAt: Instant, dueAt: Instant, isSpan: Bool = false, isReminded: Bool = false, missedAt: Instant? = nil
  ) {
    self.account = account
    self.device = device
    self.phone = phone
    self.note = note
    self.alarm = alarm
    self.setAt = setAt
    self.dueAt = dueAt
    self.isSpan = isSpan
    self.isReminded = isReminded
    self.missedAt = missedAt
  }

  /// When the person is to be reminded; nil if they were, or are not to be.
  public var reminderDue: Instant? {
    guard missedAt == nil, !isReminded, dueAt - setAt >= Self.leastWithReminder else { return nil }
    return dueAt - Self.remindedBefore
  }

  /// When something has to be done; nil once the alarm rings.
  public var nextDue: Instant? { missedAt == nil ? min(dueAt, reminderDue ?? dueAt) : nil }

  /// The check-in set anew for a later time. It has an alarm and a reminder of its own.
  public func prolonged(to dueAt: Instant, at now: Instant) -> Self {
    Self(
      account: account, device: device, phone: phone, note: note, setAt: now, dueAt: dueAt, isSpan: isSpan)
  }
}

/// A change of a check-in, written with the alarm or the notices that it belongs to.
public struct CheckInStep: Hashable, Sendable {
  public enum Kind: Hashable, Sendable { case reminded, missed }
  public let account: AccountID
  /// The alarm of the check-in. A check-in that was set anew since stays as it is.
  public let alarm: AlarmID
  public let kind: Kind
  public let at: Instant

  public init(_ kind: Kind, of checkIn: CheckIn, at: Instant) {
    self.kind = kind
    account = checkIn.account
    alarm = checkIn.alarm
    self.at = at
  }
}
