import AlarmEngine
import Geometry

/// The state of a watch that outlives its process: the timeline with its zones and settings, and the events
/// told.
///
/// It changes by journal entries only. The running host, its next launch and a reader of the journal thus get
/// the same state from the same entries.
public struct KeptWatch: Sendable {
  public private(set) var timeline: Timeline
  public private(set) var settings: Settings
  /// Events not yet confirmed as told, the oldest first.
  public private(set) var untold: [Told] = []
  /// The number of the last event.
  public private(set) var lastNumber: UInt64 = 0
  /// The number of the last entry applied, from 1.
  public private(set) var lastEntry: UInt64 = 0
  /// The edition of the page's data that the page stated last (``PhoneInput/edition(_:)``); 0 before the first one.
  public private(set) var edition: UInt64 = 0

  /// The most untold events kept. The oldest are dropped first.
  static let mostUntold = 256
  /// The most inputs, and their greatest age, that stay for late arrivals when the others are forgotten.
  static let keptInputs = 400
  static let keptTime = TimeSpan.hours(1)

  /// The sets of zones to which the timeline's kept inputs refer.
  private(set) var zoneSets: [WatchedZones]

  public init(
    timeline: Timeline, settings: Settings, zoneSets: [WatchedZones] = [], untold: [Told] = [],
    lastNumber: UInt64 = 0, lastEntry: UInt64 = 0, edition: UInt64 = 0
  ) {
    self.timeline = timeline
    self.settings = settings
    self.zoneSets = zoneSets.isEmpty ? [timeline.watched] : zoneSets
    self.untold = untold
    self.lastNumber = lastNumber
    self.lastEntry = lastEntry
    self.edition = edition
  }

  /// Changes the state by one entry, whatever its number: the caller keeps the order of the journal.
  ///
  /// - Returns: the events to tell.
  @discardableResult
  public mutating func apply(_ entry: JournalEntry) -> [Told] {
    lastEntry += 1
    let former = timeline.watched
    switch entry.content {
    case .inputs(let inputs):
      let change = timeline.insert(inputs)
      let inserted = change.added.filter { !Self.corrects($0, change.retracted) }
      return number(inserted + timeline.advance(to: entry.at).added, formerly: former, at: entry.at)
    case .timePassed: return number(timeline.advance(to: entry.at).added, formerly: former, at: entry.at)
    case .clockJumped(let span):
      return number(timeline.clockJumped(by: span, at: entry.at).added, formerly: former, at: entry.at)
    case .zones(let zones, let settings):
      return number(replace(zones, settings, at: entry.at), formerly: former, at: entry.at)
    case .told(let last):
      untold.removeAll { $0.number <= last }
      return []
    case .edition(let edition):
      self.edition = edition
      return []
    case .noted: return []
    }
  }

  /// True if zones, settings or the state of being armed differ.
  func hasEdit(since former: KeptWatch) -> Bool {
    timeline.armed != former.timeline.armed || settings != former.settings
      || !timeline.zones.elementsEqual(former.timeline.zones)
  }

  /// Applies the entries of a journal that this state does not contain. A gap in their numbers is passed over: what was in
  /// it is lost, and what follows is not.
  ///
  /// - Returns: whether there was a gap.
  mutating func apply(following entries: [(number: UInt64, entry: JournalEntry)]) -> Bool {
    var hasGap = false
    for (number, entry) in entries where number > lastEntry {
      hasGap = hasGap || number > lastEntry + 1
      lastEntry = number - 1
      apply(entry)
    }
    return hasGap
  }

  /// Returns the state that follows from what is left of the files of an installation: from the last snapshot that can be
  /// read and all journals behind it.
  ///
  /// - Parameters:
  ///   - parts: the oldest first.
  ///   - timeline: the state at the first launch, for journals without any snapshot.
  static func recovered(from parts: [JournalExport.Part], orBeginning timeline: Timeline) -> KeptWatch {
    var kept = KeptWatch(timeline: timeline, settings: .phone)
    var rest = parts[...]
    for (at, part) in parts.enumerated().reversed() {
      guard case .snapshot(let bytes) = part, let read = try? WatchSnapshot.read(bytes) else { continue }
      kept = read
      rest = parts[(at + 1)...]
      break
    }
    for case .journal(let bytes) in rest { _ = kept.apply(following: Journal.read(bytes).entries) }
    return kept
  }

  /// True if an event differs from a repeat that was told by no more than the phone's position, which a late fix
  /// corrected.
  private static func corrects(_ event: Event, _ retracted: [Event]) -> Bool {
    guard case .repeat(let report) = event.kind else { return false }
    return retracted.contains { former in
      if case .repeat(let told) = former.kind {
        told.alarm == report.alarm && former.time == event.time
      } else {
        false
      }
    }
  }

  /// Returns the events to tell, numbered. Refused positions are left out. Of the repeats of one alarm that
  /// are told together, because no process ran when they were due, only the last is kept, and none if the
  /// alarm's beginning or end is told with them.
  private mutating func number(_ events: [Event], formerly: WatchedZones, at time: Instant) -> [Told] {
    let events = self.told(events, formerly: formerly)
    quieten(at: time)
    var told: [Told] = []
    var heard: Set<AlarmID> = []
    for case .alarm(let report) in events.lazy.map({ $0.kind }) { heard.insert(report.alarm) }
    for event in events.reversed() {
      switch event.kind {
      case .ignored: continue
      case .repeat(let report): guard heard.insert(report.alarm).inserted else { continue }
      case .cleared(let report, _): heard.insert(report.alarm)
      case .alarm, .missedSignal, .perhaps, .notice, .proposal: break
      }
      told.append(Told(number: 0, event: event))
    }
    told.reverse()
    for at in told.indices {
      lastNumber += 1
      told[at] = Told(number: lastNumber, event: told[at].event)
    }
    untold += told
    if untold.count > Self.mostUntold { untold.removeFirst(untold.count - Self.mostUntold) }
    return told
  }

  /// Returns the events to tell: for the places of a reminder only notices, one for each visit to any of
  /// them; for all other zones every event.
  private func told(_ events: [Event], formerly: WatchedZones) -> [Event] {
    var said: [Text] = []
    return events.filter { event in
      guard let zone = event.zone,
        let reminder = (timeline.watched.zone(zone) ?? formerly.zone(zone)).flatMap({
          ReminderZone.reminder(of: $0)
        })
      else { return true }
      guard case .notice = event.kind else { return false }
      let isThere = timeline.states.contains { other, state in
        guard other != zone, case .acknowledged = state else { return false }
        return self.reminder(at: other) == reminder
      }
      if isThere || said.contains(reminder) { return false }
      said.append(reminder)
      return true
    }
  }

  private func reminder(at zone: ZoneID) -> Text? {
    timeline.watched.zone(zone).flatMap { ReminderZone.reminder(of: $0) }
  }

  /// Acknowledges the alarms of reminders, which need no answer: they are silent until the place is left.
  private mutating func quieten(at time: Instant) {
    var answers: [Input] = []
    for (zone, state) in timeline.states {
      guard case .ringing(let alarm, _) = state, reminder(at: zone) != nil else { continue }
      answers.append(.command(.acknowledgeInside(alarm), at: max(time, timeline.through ?? time)))
    }
    if !answers.isEmpty { timeline.insert(answers) }
  }

  /// The time of a command that arrives at `now`: not before all that is known, which the person has seen, and after the
  /// last command. After the clock was set back `now` is earlier, or even among the forgotten times.
  func commandTime(at now: Instant) -> Instant {
    let time = max(now, timeline.through ?? now, timeline.keptFrom ?? now)
    guard let last = timeline.commands(after: time - .milliseconds(1)).last?.at else { return time }
    return min(max(time, last + .milliseconds(1)), Instant.allowed.upperBound)
  }

  private mutating func replace(_ zones: [Zone], _ settings: Settings, at time: Instant) -> [Event] {
    let watched = WatchedZones(zones, defaultRadius: settings.defaultRadius, replacing: timeline.watched)
    let time = commandTime(at: time)
    var events = timeline.insert([.command(.replaceZones(watched), at: time)]).added
    keep(watched)
    if settings != self.settings {
      self.settings = settings
      timeline.forget(keeping: 0)
      let rebuilt = try? Timeline(
        snapshot: timeline.snapshot(), device: timeline.device, settings: settings, zones: zones(of:))
      // The timeline's own bytes, with the sets of zones to which it refers, are always readable.
      guard let rebuilt else { preconditionFailure("a timeline reads its own snapshot") }
      timeline = rebuilt
    }
    events += timeline.advance(to: time).added
    return events
  }

  private func zones(of revision: UInt64) -> WatchedZones? { WatchedZones.named(revision, among: zoneSets) }

  private mutating func keep(_ watched: WatchedZones) {
    zoneSets.removeAll { $0.revision == watched.revision }
    zoneSets.append(watched)
    let needed = timeline.zoneRevisions
    zoneSets.removeAll { set in !needed.contains(set.revision) }
  }

  /// Removes everything that no later input needs; the rest is the state in a snapshot.
  mutating func compact(at now: Instant) {
    timeline.forget(before: now - Self.keptTime, keeping: Self.keptInputs)
    keep(timeline.watched)
  }

  /// The alarms that ring, in the order of their ids.
  public var ringing: [Ringing] {
    timeline.states.compactMap { zone, state in
      guard case .ringing(let alarm, let cause) = state, let standing = timeline.standing(of: zone) else {
        return nil
      }
      return Ringing(
        alarm: alarm, zone: zone, cause: cause, began: standing.began, isClosed: standing.isClosed)
    }.sorted { $0.alarm < $1.alarm }
  }
}

extension Event {
  /// The zone of the event; nil for none or several.
  public var zone: ZoneID? {
    switch kind {
    case .alarm(let report), .repeat(let report), .cleared(let report, _): report.zone
    case .missedSignal(let zone, _, _), .perhaps(let zone, _, _, _), .notice(let zone): zone
    case .ignored, .proposal: nil
    }
  }
}
