/// What a zone's alarm remembers whatever its phase. It survives an edit of the zone.
struct AlarmMemory: Hashable, Sendable {
  /// The end of an acknowledgement for today; the zone does not ring before.
  var quietUntil: Instant?
  var noticeShownAt: Instant?

  func isQuiet(at now: Instant) -> Bool { quietUntil.map { now < $0 } ?? false }

  func isNoticeDue(_ notice: Notice, at now: Instant) -> Bool {
    noticeShownAt.map { now - $0 >= notice.cap } ?? true
  }

  /// Whether nothing of it matters any more.
  func isOver(at now: Instant, notice: Notice?) -> Bool {
    !isQuiet(at: now) && notice.map { isNoticeDue($0, at: now) } ?? true
  }
}
