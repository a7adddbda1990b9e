/// The part of an alarm's state that does not depend on its phase. It survives an edit of the zone.
struct AlarmMemory: Hashable, Sendable {
  /// The end of an acknowledgement for today; the zone does not ring before.
  var quietUntil: Instant?
  var noticeShownAt: Instant?
  /// The time at which a person was told that the phone is perhaps inside; nil once a fix has excluded it or
  /// the alarm rang.
  var perhapsSince: Instant?
  /// The time at which waiting for a better fix ended with too low a probability of being inside; nil as
  /// above.
  var unlikelySince: Instant?

  func isPerhaps(at now: Instant) -> Bool { perhapsSince.map { now - $0 < Rule.perhapsLasts } ?? false }

  func isUnlikely(at now: Instant) -> Bool { unlikelySince.map { now - $0 < Rule.perhapsLasts } ?? false }

  var hasDoubts: Bool { perhapsSince != nil || unlikelySince != nil }

  mutating func forgetDoubts() { (perhapsSince, unlikelySince) = (nil, nil) }

  func isQuiet(at now: Instant) -> Bool { quietUntil.map { now < $0 } ?? false }

  func isNoticeDue(_ notice: Notice, at now: Instant) -> Bool {
    noticeShownAt.map { now - $0 >= notice.cap } ?? true
  }

  /// True if nothing here affects a later decision.
  func isOver(at now: Instant, notice: Notice?) -> Bool {
    !isQuiet(at: now) && !isPerhaps(at: now) && !isUnlikely(at: now)
      && notice.map { isNoticeDue($0, at: now) } ?? true
  }
}
