import AlarmEngine
import Geometry

/// The journal of a phone for other people: every place is moved (``PlaceMove``), zones have numbers
/// for names, and no word of a person is left. It is replayed as any journal, with the same decisions.
///
/// Alarms keep their number and order. Their ids are made from the device, the zone and the time, all of
/// which may differ here; so the watch is done again from both journals side by side, and a person's answer
/// to an alarm is given to the alarm that takes its place. What stays: times, the shape of every way,
/// distances, speeds, radii, schedules with their offsets from UTC. A person who knows one of the ways
/// recognises it.
public enum MovedJournal {
  /// Why there is nothing to move.
  public enum Refusal: Error, Hashable, Sendable {
    /// The bytes do not begin as ``JournalExport`` does.
    case noJournal
    /// No state and no entry can be read.
    case nothingReadable

    public var sentence: StaticString {
      switch self {
      case .noJournal: "these bytes are not the journal that the app exports"
      case .nothingReadable: "the journal is empty or damaged: nothing of it can be read"
      }
    }
  }

  /// Moves a journal by a turn and a lift that nobody can guess.
  ///
  /// - Parameter export: the file of ``JournalExport``. What of it cannot be read is left out.
  public static func bytes(
    of export: [UInt8], using random: inout some RandomNumberGenerator
  ) throws(Refusal) -> [UInt8] {
    try bytes(
      of: export, turn: .degrees(.random(in: 0..<360, using: &random)),
      lift: .metres(.random(in: -500..<500, using: &random)))
  }

  /// - Parameters:
  ///   - export: the file of ``JournalExport``. What of it cannot be read is left out, as by every reader.
  ///   - turn: how far all directions are turned: drawn by chance, 0° to 360°.
  ///   - lift: what is added to all heights: drawn by chance, a few hundred metres either way.
  /// - Complexity: about twice the time of a replay.
  public static func bytes(of export: [UInt8], turn: Angle, lift: Distance) throws(Refusal) -> [UInt8] {
    let parts: [JournalExport.Part]
    do { parts = try JournalExport.read(export).parts } catch { throw .noJournal }
    var survey = Survey()
    for part in parts { survey.take(part) }
    guard survey.isAnythingReadable else { throw .nothingReadable }
    let move = PlaceMove(origin: survey.firstPlace ?? PlaceMove.target, turn: turn, lift: lift)
    var mover = Mover(ZoneDisguise(survey.zones.map { ($0.key, $0.value) }, move: move))
    var moved: [JournalExport.Part] = []
    for part in parts { if let part = mover.moved(part) { moved.append(part) } }
    return JournalExport.bytes(of: moved)
  }
}

/// The zones of a journal with their last names, and the first place in it.
private struct Survey {
  private(set) var zones: [ZoneID: Text] = [:]
  private(set) var firstPlace: Coordinate?
  private(set) var isAnythingReadable = false

  mutating func take(_ part: JournalExport.Part) {
    switch part {
    case .snapshot(let bytes):
      guard let state = try? WatchSnapshot.read(bytes) else { return }
      isAnythingReadable = true
      take(Array(state.timeline.watched.zones))
      firstPlace = firstPlace ?? state.timeline.position?.position
    case .journal(let bytes):
      for (_, entry) in Journal.read(bytes).entries {
        isAnythingReadable = true
        switch entry.content {
        case .zones(let zones, _): take(zones)
        case .inputs(let inputs) where firstPlace == nil:
          for case .fix(let fix) in inputs { firstPlace = firstPlace ?? fix.position }
        case .inputs, .timePassed, .clockJumped, .told, .noted, .edition: break
        }
      }
    }
  }

  private mutating func take(_ all: [Zone]) {
    for zone in all {
      zones[zone.id] = zone.name
      guard firstPlace == nil else { continue }
      switch zone.outline {
      case .locations(let places), .path(let places): firstPlace = places.first
      case .area(let polygon): firstPlace = polygon.parts.first?.outer.vertices.first
      }
    }
  }
}

/// The watch of the journal and that of the moved one, entry by entry.
private struct Mover {
  private var disguise: ZoneDisguise
  private var watch: KeptWatch?
  private var moved: KeptWatch?
  /// The alarm that takes the place of each.
  private var alarms: [AlarmID: AlarmID] = [:]
  private var lastNumber: UInt64?
  private var lastTime: Instant?
  /// From 1: one for each installation in the journal.
  private var devices: [DeviceID] = []

  init(_ disguise: ZoneDisguise) { self.disguise = disguise }

  /// Returns nil if nothing of the part can be read.
  mutating func moved(_ part: JournalExport.Part) -> JournalExport.Part? {
    switch part {
    case .snapshot(let bytes):
      guard let state = try? WatchSnapshot.read(bytes), let moved = moved(state) else { return nil }
      return .snapshot(WatchSnapshot.bytes(of: moved))
    case .journal(let bytes):
      var moved: [UInt8] = []
      for (number, entry) in Journal.read(bytes).entries where lastNumber.map({ number > $0 }) ?? true {
        moved += Journal.bytes(of: self.moved(entry), number: number)
        lastNumber = number
      }
      return moved.isEmpty ? nil : .journal(moved)
    }
  }

  // MARK: States

  /// Returns nil for a state older than the entries already read.
  private mutating func moved(_ state: KeptWatch) -> KeptWatch? {
    let isSameDevice = watch.map { $0.timeline.device == state.timeline.device } ?? false
    if isSameDevice, let lastNumber, state.lastEntry < lastNumber { return nil }
    if isSameDevice, watch?.lastEntry == state.lastEntry, var known = moved {
      if let lastTime { known.compact(at: lastTime) }
      moved = known
    } else {
      moved = begun(like: state)
    }
    watch = state
    lastNumber = state.lastEntry
    match()
    return moved
  }

  /// The watch of which nothing is known but `state`: the zones, what is still known of positions, the
  /// answers to them.
  private mutating func begun(like state: KeptWatch) -> KeptWatch {
    let timeline = state.timeline
    let number = devices.firstIndex(of: timeline.device) ?? devices.count
    if number == devices.count { devices.append(timeline.device) }
    var fresh = Timeline(
      device: DeviceID(rawValue: UInt64(number + 1)), settings: state.settings,
      zones: disguise.disguised(Array(timeline.watched.zones)), armed: timeline.armed)
    fresh.insert(timeline.fixes(receivedAfter: Instant.allowed.lowerBound).map { .fix(disguise.moved($0)) })
    if let through = timeline.through { fresh.advance(to: through) }
    return KeptWatch(
      timeline: fresh, settings: state.settings, lastNumber: state.lastNumber, lastEntry: state.lastEntry)
  }

  // MARK: Entries

  private mutating func moved(_ entry: JournalEntry) -> JournalEntry {
    let unknown = KeptWatch(
      timeline: Timeline(device: DeviceID(rawValue: 1), settings: .phone, zones: [], armed: true),
      settings: .phone)
    var (here, there) = (watch ?? unknown, moved ?? unknown)
    let other = JournalEntry(moved(entry.content), at: entry.at)
    let told = here.apply(entry)
    let toldThere = there.apply(other)
    (watch, moved) = (here, there)
    lastTime = entry.at
    if !told.isEmpty || !toldThere.isEmpty {
      match(told, toldThere)
      match()
    }
    return other
  }

  private mutating func moved(_ content: JournalEntry.Content) -> JournalEntry.Content {
    switch content {
    case .inputs(let inputs):
      return .inputs(
        inputs.map { input in
          switch input {
          case .fix(let fix): .fix(disguise.moved(fix))
          case .command(let command, let at): .command(moved(command), at: at)
          }
        })
    case .zones(let zones, let settings): return .zones(disguise.disguised(zones), settings)
    case .noted(let notes):
      var moved: [WatchNote] = []
      for note in notes { moved.append(disguise.disguised(note)) }
      return .noted(moved)
    case .timePassed, .clockJumped, .told, .edition: return content
    }
  }

  private func moved(_ command: Command) -> Command {
    // An answer to an alarm of before the journal answers none.
    func other(_ alarm: AlarmID) -> AlarmID { alarms[alarm] ?? AlarmID(rawValue: 0) }
    switch command {
    case .close(let alarm): return .close(other(alarm))
    case .sleep(let alarm): return .sleep(other(alarm))
    case .sleepUntil(let alarm, let until): return .sleepUntil(other(alarm), until)
    case .acknowledgeInside(let alarm): return .acknowledgeInside(other(alarm))
    case .acknowledgeForToday(let alarm, let until): return .acknowledgeForToday(other(alarm), until: until)
    case .activate, .deactivate, .replaceZones: return command
    }
  }

  // MARK: Alarms

  /// Pairs the alarms that both watches told, in order, zone by zone.
  private mutating func match(_ told: [Told], _ toldThere: [Told]) {
    var others = toldThere.compactMap { $0.event.report }
    for report in told.compactMap({ $0.event.report }) {
      let zone = disguise.id(of: report.zone)
      guard let place = others.firstIndex(where: { $0.zone == zone }) else { continue }
      alarms[report.alarm] = others.remove(at: place).alarm
    }
  }

  /// Pairs the alarms that ring in both.
  private mutating func match() {
    guard let watch, let moved else { return }
    let others = moved.ringing
    for ringing in watch.ringing {
      let zone = disguise.id(of: ringing.zone)
      if let other = others.first(where: { $0.zone == zone }) { alarms[ringing.alarm] = other.alarm }
    }
  }
}

extension Event {
  fileprivate var report: AlarmReport? {
    switch kind {
    case .alarm(let report), .repeat(let report): report
    case .cleared, .missedSignal, .ignored, .perhaps, .notice, .proposal: nil
    }
  }
}
