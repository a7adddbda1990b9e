/// The kind of a message about an alarm, a zone, a reminder or a test.
public enum NoticeKind: String, CaseIterable, Hashable, Sendable {
  /// The alarm rings, for the first time or again after sleep.
  case ring
  /// The alarm rings again after the Alarm Cycle Time.
  case `repeat`
  case cleared
  /// No fix arrived while the phone was inside the danger margin of a zone.
  case missedSignal = "missed_signal"
  /// A device that must report at a fixed interval did not (F8).
  case deviceSilent = "device_silent"
  /// The battery of a phone is low. The phone will soon stop watching.
  case batteryLow = "battery_low"
  /// The SOS button was pressed.
  case distress = "sos"
  /// A person has not said by the time of their check-in that they are back.
  case checkInMissed = "check_in_missed"
  /// The person is back or has set a later time: for those who were told of the missed check-in.
  case checkInOver = "check_in_over"
  /// The time of the person's check-in is nearly over: a reminder to the person.
  case checkInSoon = "check_in_soon"
  /// A phone has not arrived at a zone by the time at which it is to be there.
  case notArrived = "not_arrived"
  /// The phone has arrived after all: for those who were told that it had not.
  case arrived
  /// A phone's messages are encrypted and cannot be read.
  case deviceUnreadable = "device_unreadable"
  /// The phone and another person's phone are within the set distance, or are now farther apart than it.
  case companionNear = "companion_near"
  case companionApart = "companion_apart"
  /// One of the two phones has not been heard of for long, so the alarm could not ring.
  case companionLost = "companion_lost"
  /// The companion alarm has ended: the other's place is no longer shown, or its owner refused.
  case companionEnded = "companion_ended"
  /// Information shown on entering a zone (S187-S192). It needs no action.
  case notice
  /// The phone is possibly inside a zone. Shown without sound; it needs no action.
  case perhaps
  /// The phone is near a place of a reminder: its list (S207).
  case reminder
  /// A test of the channel, sent from the settings.
  case test

  /// True if the notice is for information only: it is no alarm and takes no answer.
  package var onlyShows: Bool { self == .notice || self == .perhaps || self == .checkInSoon }
  /// True if the notice tells that a person needs help. Only kinds of a channel's rule hold it back.
  package var callsForHelp: Bool { self == .distress || self == .checkInMissed }
  /// True if no hours of a channel's rule hold the notice back.
  package var comesAtAnyHour: Bool { callsForHelp || self == .notArrived }
  /// True if the notice is of an end, and belongs to the ring before it.
  package var isOfEnd: Bool { self == .cleared || self == .checkInOver || self == .arrived }
  /// True if the notice is about an alarm, or tests how one arrives.
  package var isAlarm: Bool {
    !onlyShows && self != .reminder && self != .checkInOver && self != .arrived
  }
}
