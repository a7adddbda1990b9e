/// Collects the events and explanations while inputs are applied.
struct DecisionLog: Sendable {
  var events: [Event] = []
  /// The zone whose evaluations are recorded.
  var explained: ZoneID?
  var explanations: [Explanation] = []

  mutating func add(_ kind: Event.Kind, time: Instant, decidedAt: Instant, learnedAt: Instant) {
    events.append(Event(time: time, decidedAt: decidedAt, learnedAt: learnedAt, kind: kind))
  }

  mutating func ignore(_ fix: Fix, _ reason: Ignored, decidedBy last: Fix) {
    add(
      .ignored(fix, reason), time: fix.measuredAt, decidedAt: last.measuredAt,
      learnedAt: max(last.measuredAt, last.receivedAt))
  }

  mutating func explain(_ zone: ZoneID, _ record: () -> Explanation) {
    if explained == zone { explanations.append(record()) }
  }
}
