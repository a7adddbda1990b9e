import AlarmEngine
import Store

/// The rule for telling people of an alarm.
///
/// The message follows from two records: the one that people were told of, and the one that is true now. Which events led from one
/// to the other does not matter, so positions that arrive late, in any order and grouping, end in the same messages.
enum Telling {
  /// A notification. Of two the greater is the more urgent.
  enum Message: Int, Comparable {
    /// The alarm is over, or answered: it disappears from screens.
    case withdrawn
    /// Programs learn of an alarm that was over when it became known. Nobody is alarmed.
    case past
    case `repeat`
    case ring
    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// - Parameters:
  ///   - alarm: as it is now.
  ///   - told: the open alarm of which people were told; nil if there was none.
  ///   - isNew: the alarm has no record in the store yet.
  ///   - event: the most urgent message that an event of the engine, or an answer, asked for.
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
    // Asleep or acknowledged: the ring that wakes it says which it is.
    case .sleeping?, .acknowledgedInside?, .acknowledgedForToday?:
      return event == .withdrawn ? .ring : event ?? .ring
    case .cleared?, .retracted?, nil: return .ring
    }
  }
}
