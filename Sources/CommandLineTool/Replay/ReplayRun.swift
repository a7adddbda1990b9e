import AlarmEngine
import CommandLineSupport
import Formats
import Geometry

/// A track played through zones, or a phone's journal replayed: the input, and the engine's results.
struct ReplayRun {
  struct Device {
    /// The device's name in the file; empty if the file has one device.
    let name: String
    let id: DeviceID
    /// The fixes by time; equal times in the order of the file.
    let fixes: [Fix]
    let timeline: Timeline
    /// The periods before `timeline`, if that does not cover all, as in the journal of a phone whose clock
    /// was set.
    var earlier: [Timeline] = []
    /// The fixes that changed nothing, by time, without duplicates, which coincide with another fix.
    let unused: [UnusedFix]
    let duplicates: Int
    /// The fixes on which the alarms are based, by time.
    let believed: [Fix]
  }
  struct Entry {
    /// Position in `devices`.
    let device: Int
    let event: Event
  }

  /// The watched zones.
  let zones: [PlacedZone]
  let unwatched: [UnwatchedZone]
  let devices: [Device]
  /// The events of all devices, in the order of decision; equal times by device.
  let entries: [Entry]
  /// The replay of a phone's journal, with its differences from the phone; nil for a track.
  private(set) var phone: PhoneReplay?

  /// The number of fixes passed to the engine at once; Control-C takes effect between them.
  static let slice = 2000

  /// - Parameters:
  ///   - hdopMetres: metres of accuracy for each unit of hdop, for fixes that state no accuracy.
  ///   - slice: affects only how often `progress` is called.
  ///   - progress: called with the number of processed fixes and their total; false stops.
  /// - Throws: `CancellationError` if `progress` returns false.
  init(
    track: TrackFile, zones: [PlacedZone], settings: Settings, hdopMetres: Double?, slice: Int = Self.slice,
    progress: (_ done: Int, _ total: Int) -> Bool = { _, _ in !Interruption.isRequested }
  ) throws {
    let ordered = zones.map(\.zone)
    let total = track.devices.map(\.points.count).reduce(0, +)
    var done = 0
    devices = try track.devices.filter { !$0.points.isEmpty }.map { device in
      let fixes = Self.byTime(device.points.map { Self.fix($0, hdopMetres: hdopMetres) })
      let id = Self.deviceID(device.name)
      var timeline = Timeline(
        device: id,
        settings: settings.raisingSignalTimeout(forTrackAt: fixes.map(\.measuredAt)), zones: ordered)
      var duplicates = 0
      for span in Self.slices(of: fixes, slice) {
        guard progress(done, total) else { throw CancellationError() }
        let change = timeline.insert(fixes[span].map { .fix($0) })
        duplicates += change.refused.count { $0.reason == .duplicate }
        done += span.count
      }
      guard progress(done, total) else { throw CancellationError() }
      // Repeats and dwells that are due by the last fix belong to the track; anything later would be
      // invented.
      if let last = fixes.last?.measuredAt { timeline.advance(to: last) }
      let unused = UnusedFix.all(of: fixes, in: timeline)
      let left = Set(unused.map(\.fix))
      return Device(
        name: device.name, id: id, fixes: fixes, timeline: timeline, unused: unused, duplicates: duplicates,
        believed: left.isEmpty ? fixes : fixes.filter { !left.contains($0) })
    }
    entries = Self.merged(devices.map(\.timeline.events))
    (self.zones, unwatched) = UnwatchedZone.sorted(out: zones, devices.first?.timeline)
  }

  /// Replays the journal of a phone, with its zones, its settings, the person's commands, and its clock.
  /// - Throws: `CancellationError` if `progress` returns false.
  init(
    phone record: PhoneRecord, track: TrackFile,
    progress: (_ done: Int, _ total: Int) -> Bool = { _, _ in !Interruption.isRequested }
  ) throws {
    let replay = try PhoneReplay(record, progress: progress)
    let fixes = Self.byTime(track.devices.flatMap { $0.points.map(\.fix) })
    let last =
      replay.timelines.last ?? Timeline(device: Self.deviceID(""), settings: replay.settings, zones: [])
    let unused = UnusedFix.all(of: fixes, events: replay.events, believed: last.position)
    let left = Set(unused.map(\.fix))
    devices = [
      Device(
        name: "", id: last.device, fixes: fixes, timeline: last, earlier: Array(replay.timelines.dropLast()),
        unused: unused, duplicates: 0, believed: left.isEmpty ? fixes : fixes.filter { !left.contains($0) })
    ]
    entries = Self.merged([replay.events])
    phone = replay
    let radius = replay.settings.defaultRadius
    let known = replay.zones.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    let placed = known.compactMap { zone in
      (try? zone.shape(defaultRadius: radius)).map { PlacedZone(zone: zone, outline: Outline($0)) }
    }
    let watched = Set(last.zones.map(\.id) + last.refusedZones.map(\.zone))
    let (kept, refused) = UnwatchedZone.sorted(out: placed.filter { watched.contains($0.zone.id) }, last)
    // Removed zones have a past, too.
    zones = kept + placed.filter { !watched.contains($0.zone.id) }
    unwatched = refused
  }

  private static func byTime(_ fixes: [Fix]) -> [Fix] {
    fixes.enumerated().sorted { ($0.element.measuredAt, $0.offset) < ($1.element.measuredAt, $1.offset) }
      .map(\.element)
  }

  /// Ranges of about `size` fixes; fixes of one time stay together, so that the engine detects the same
  /// duplicates as with all fixes at once.
  private static func slices(of fixes: [Fix], _ size: Int) -> [Range<Int>] {
    var spans: [Range<Int>] = []
    var start = 0
    while start < fixes.count {
      var end = min(start + max(1, size), fixes.count)
      while end < fixes.count, fixes[end].measuredAt == fixes[end - 1].measuredAt { end += 1 }
      spans.append(start..<end)
      start = end
    }
    return spans
  }

  /// For reports made from given events.
  init(zones: [PlacedZone], devices: [Device], events: [[Event]]) {
    self.zones = zones
    unwatched = []
    self.devices = devices
    entries = Self.merged(events)
  }

  /// The same id for the same name in every replay.
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
      receivedAt: fix.receivedAt, speed: fix.speed, course: fix.course, altitude: fix.altitude)
  }

  private static func merged(_ events: [[Event]]) -> [Entry] {
    var numbered: [(entry: Entry, number: Int)] = []
    for (device, events) in events.enumerated() {
      for event in events { numbered.append((Entry(device: device, event: event), numbered.count)) }
    }
    // The engine's own order holds within a device: events decided at the same time keep their sequence.
    numbered.sort { a, b in (a.entry.event.decidedAt, a.number) < (b.entry.event.decidedAt, b.number) }
    return numbered.map(\.entry)
  }

  /// The names of zones by the ids in the engine's events.
  var zoneNames: [ZoneID: Text] {
    Dictionary(zones.map { ($0.zone.id, $0.zone.name) }, uniquingKeysWith: { first, _ in first })
  }
}
