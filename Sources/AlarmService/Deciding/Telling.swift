import AlarmEngine
import Store

/// The rule for notifying people of an alarm.
///
/// The message depends only on two records: the one that was announced, and the present one. The events
/// between the two do not matter, so positions that arrive late, in any order and grouping, end in the same
/// messages.
enum Telling {
  /// A notification. The greater of two is the more urgent.
  enum Message: Int, Comparable {
    /// The alarm is over or answered: it is removed from screens.
    case withdrawn
    /// The alarm was over when it became known. Programs are notified; people are not.
    case past
    case `repeat`
    case ring
    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// - Parameters:
  ///   - alarm: the present record.
  ///   - told: the record of the open alarm that was announced; nil if there was none.
  ///   - isNew: whether the alarm has no record in the store yet.
  ///   - event: the most urgent message that an event of the engine, or an answer, requested.
  static func message(
    of alarm: AlarmRecord, told: AlarmRecord?, isNew: Bool, event: Message?
  ) -> Message? {
    guard alarm.isOpen else {
      if told != nil { return .withdrawn }
      if isNew, case .cleared = alarm.state { return .past }
      return nil
    }
    switch alarm.state {
    case .ringing: break
    // Its notification was closed; it repeats.
    case .closed: return event
    case .sleeping, .acknowledgedInside, .acknowledgedForToday:
      return told == nil || event == nil ? nil : .withdrawn
    case .cleared, .retracted: return nil
    }
    switch told?.state {
    case .ringing?, .closed?: return event == .withdrawn ? nil : event
    // Asleep or acknowledged: the ring that wakes the alarm determines the message.
    case .sleeping?, .acknowledgedInside?, .acknowledgedForToday?:
      return event == .withdrawn ? .ring : event ?? .ring
    case .cleared?, .retracted?, nil: return .ring
    }
  }
}
