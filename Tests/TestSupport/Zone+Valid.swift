import AlarmEngine
import Geometry

extension Zone {
  /// A zone of a test, with places and numbers that are known to be valid.
  public static func valid(
    id: ZoneID, name: Text, category: Text = .empty, active: Bool = true, vibrate: Bool = true,
    priority: Int32 = 0, sleepTime: TimeSpan? = nil, size: Distance? = nil, inset: Distance = .zero,
    alertDistance: Distance = .zero, leadTime: TimeSpan? = nil, floor: Distance? = nil,
    ceiling: Distance? = nil,
    soundName: Text = .empty, outline: ZoneOutline, edges: EdgeKind = .geodesic,
    trigger: Trigger = .enter(passingCounts: true),
    schedule: Schedule? = nil, assurance: Assurance = .normal, messages: [Message] = [],
    notice: Notice? = nil, unknownRows: [[Text]] = []
  ) -> Zone {
    valid(
      ZoneDraft(
        id: id, name: name, category: category, active: active, vibrate: vibrate, priority: priority,
        sleepTime: sleepTime, size: size, inset: inset, alertDistance: alertDistance, leadTime: leadTime,
        floor: floor, ceiling: ceiling, soundName: soundName, outline: outline, edges: edges,
        trigger: trigger, schedule: schedule,
        assurance: assurance, messages: messages, notice: notice, unknownRows: unknownRows))
  }

  public static func valid(_ draft: ZoneDraft) -> Zone {
    do { return try Zone(draft) } catch { preconditionFailure("no zone: \(error)") }
  }

  /// Changes the zone to another valid one.
  public mutating func change(_ body: (inout ZoneDraft) -> Void) {
    var draft = draft
    body(&draft)
    self = .valid(draft)
  }
}
