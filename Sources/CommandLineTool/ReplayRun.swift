import AlarmEngine
import Formats
import Geometry

/// A track played through zones: what went in, and what the engine made of it.
struct ReplayRun {
  struct Device {
    /// As the file calls it; empty in a file of one.
    let name: String
    let id: DeviceID
    /// In the order of the file.
    let fixes: [Fix]
    let timeline: Timeline
  }
  struct Entry {
    /// Position in `devices`.
    let device: Int
    let event: Event
  }

  let zones: [PlacedZone]
  let devices: [Device]
  /// Of all devices, in the order in which they were decided; equal times by device.
  let entries: [Entry]

  /// - Parameter hdopMetres: metres of accuracy for each unit of hdop, for fixes that state no accuracy.
  /// - Throws: `CancellationError` after Control-C.
  init(track: TrackFile, zones: [PlacedZone], settings: Settings, hdopMetres: Double?) throws {
    self.zones = zones
    let ordered = zones.map(\.zone)
    devices = try track.devices.filter { !$0.points.isEmpty }.map { device in
      try Interruption.check()
      let fixes = device.points.map { Self.fix($0, hdopMetres: hdopMetres) }
      let id = Self.deviceID(device.name)
      var timeline = Timeline(device: id, settings: settings, zones: ordered)
      timeline.insert(fixes.map { .fix($0) })
      // Repeats and dwells that fall due by the last fix still belong to the track; what would come after it
      // is not ours to invent.
      if let last = fixes.map(\.measuredAt).max() { timeline.advance(to: last) }
      return Device(name: device.name, id: id, fixes: fixes, timeline: timeline)
    }
    entries = Self.merged(devices.map(\.timeline.events))
  }

  /// For reports made from events at hand.
  init(zones: [PlacedZone], devices: [Device], events: [[Event]]) {
    self.zones = zones
    self.devices = devices
    entries = Self.merged(events)
  }

  /// The same id for the same name, in every replay.
  static func deviceID(_ name: String) -> DeviceID {
    DeviceID(rawValue: ZoneID.derived(from: Array(name.utf8)).rawValue)
  }

  static func fix(_ point: TrackFile.Point, hdopMetres: Double?) -> Fix {
    guard let hdopMetres, let hdop = point.hdop, hdop.isFinite, hdop >= 0, point.fix.accuracy == .unstated
    else {
      return point.fix
    }
    let fix = point.fix
    return Fix(
      position: fix.position, accuracy: .radius(.metres(hdop * hdopMetres)), measuredAt: fix.measuredAt,
      receivedAt: fix.receivedAt, speed: fix.speed, course: fix.course)
  }

  private static func merged(_ events: [[Event]]) -> [Entry] {
    var numbered: [(entry: Entry, number: Int)] = []
    for (device, events) in events.enumerated() {
      for event in events { numbered.append((Entry(device: device, event: event), numbered.count)) }
    }
    // Of one device the engine's own order counts: what was decided at one moment stays in sequence.
    numbered.sort { a, b in (a.entry.event.decidedAt, a.number) < (b.entry.event.decidedAt, b.number) }
    return numbered.map(\.entry)
  }

  /// The zone's name, for ids that the engine answers with.
  var zoneNames: [ZoneID: Text] {
    Dictionary(zones.map { ($0.zone.id, $0.zone.name) }, uniquingKeysWith: { first, _ in first })
  }
}
