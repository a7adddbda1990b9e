import AlarmEngine
import CommandLineSupport
import Geometry

extension JSONLine {
  /// The line of `replay --json` for an event; nil for events that are shown only to people (notices and
  /// proposals are not part of the contract).
  ///
  /// Always the same eleven keys in the same order. A value that an event does not have is null: an ignored
  /// fix belongs to no zone, a loss of signal to no alarm. `time` is the time of the event itself,
  /// `decided_at` the time of the fix or of the wait that decided it, `learned_at` the time at which that was
  /// known.
  init?(_ event: Event, zoneName: (ZoneID) -> Text) {
    switch event.kind {
    case .alarm(let report): self.init("alarm", event, report, zoneName)
    case .repeat(let report): self.init("repeat", event, report, zoneName)
    case .cleared(let report, _): self.init("cleared", event, report, zoneName)
    case .missedSignal(let zone, let distance, let position):
      self.init(
        event: "missed_signal", event, zone: (zoneName(zone), zone), alarm: nil, cause: nil,
        distance: distance, position: position)
    case .perhaps(let zone, let distance, let position, _):
      self.init(
        event: "perhaps", event, zone: (zoneName(zone), zone), alarm: nil, cause: nil,
        distance: distance, position: position)
    case .ignored(let fix, _):
      self.init(
        event: "ignored", event, zone: nil, alarm: nil, cause: nil, distance: nil,
        position: fix.position)
    case .notice, .proposal:
      return nil
    }
  }

  private init(_ word: String, _ event: Event, _ report: AlarmReport, _ zoneName: (ZoneID) -> Text) {
    self.init(
      event: word, event, zone: (zoneName(report.zone), report.zone), alarm: report.alarm,
      cause: report.cause, distance: report.distance, position: report.position)
  }

  private init(
    event word: String, _ event: Event, zone: (name: Text, id: ZoneID)?, alarm: AlarmID?, cause: Cause?,
    distance: Distance?, position: Coordinate
  ) {
    self.init()
    add("event", .string(word))
    add("time", .string(rfc3339(event.time)))
    add("zone", zone.map { .string($0.name.string) } ?? .null)
    add("zone_id", zone.map { .string($0.id.description) } ?? .null)
    add("alarm", alarm.map { .string($0.description) } ?? .null)
    add("cause", cause.map { .string($0.word.string) } ?? .null)
    add("distance_m", distance.map { .metres($0.metres) } ?? .null)
    add("latitude", .number(position.latitude.degrees))
    add("longitude", .number(position.longitude.degrees))
    add("decided_at", .string(rfc3339(event.decidedAt)))
    add("learned_at", .string(rfc3339(event.learnedAt)))
  }
}
