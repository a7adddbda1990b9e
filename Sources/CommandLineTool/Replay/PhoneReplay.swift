import AlarmEngine
import CommandLineSupport
import Formats
import Geometry
import PhoneHost

/// A phone's journal, replayed twice: once without forgetting anything, once like the phone itself, which
/// restarts from each state that it saved.
struct PhoneReplay {
  /// An alarm as the phone decided it.
  struct ToldAlarm {
    let number: UInt64
    let event: Event
    let report: AlarmReport
    /// The time at which the phone decided it, by the phone's clock.
    let at: Instant
    /// The time at which the phone reported it as shown and sounded.
    var shownAt: Instant?
  }

  /// One timeline for each period between two changes that reset it: a clock that was set, changed settings,
  /// missing entries, a new installation.
  private(set) var timelines: [Timeline] = []
  /// All events except those of reminders' places that are no notice, in the order of decision.
  private(set) var events: [Event] = []
  private(set) var told: [ToldAlarm] = []
  /// The latest version of each zone, including removed ones.
  private(set) var zones: [ZoneID: Zone] = [:]
  private(set) var settings = Settings.phone
  /// The time of the last entry.
  private(set) var end: Instant?
  /// The places where the phone's count of events differs from the replay's.
  private(set) var miscounts: [PhoneDifference.Miscount] = []
  /// Alarms that began before the journal, or in a period with missing entries.
  private(set) var unwitnessed: Set<AlarmID> = []
  private(set) var requests = PhoneRequests()

  private var whole: KeptWatch?
  private var phone: KeptWatch?
  private var known: Set<Event> = []

  init(_ record: PhoneRecord, progress: (_ done: Int, _ total: Int) -> Bool = { _, _ in true }) throws {
    for (number, step) in record.steps.enumerated() {
      if number % 500 == 0, !progress(number, record.steps.count) { throw CancellationError() }
      switch step {
      case .state(let state): take(state)
      case .entry(let entry): take(entry)
      }
    }
    if let whole { close(whole.timeline) }
    requests.finish(at: end)
    events.sort { ($0.decidedAt, $0.time) < ($1.decidedAt, $1.time) }
  }

  private mutating func take(_ state: KeptWatch) {
    note(Array(state.timeline.watched.zones), state.settings)
    defer { phone = state }
    guard let whole, let phone, whole.lastEntry == state.lastEntry,
      whole.timeline.device == state.timeline.device
    else {
      if let whole {
        close(whole.timeline)
        requests.forget()
      }
      whole = state
      for event in state.timeline.events { if let report = event.ring { unwitnessed.insert(report.alarm) } }
      unwitnessed.formUnion(state.ringing.map(\.alarm))
      unwitnessed.subtract(state.untold.compactMap { $0.event.ring?.alarm })
      tell(state.untold, at: state.timeline.through)
      return
    }
    guard phone.lastNumber != state.lastNumber || phone.ringing != state.ringing else { return }
    miscounts.append(
      PhoneDifference.Miscount(
        phone: state.lastNumber, replay: phone.lastNumber, at: end, ringing: state.ringing.count,
        ringingHere: phone.ringing.count))
  }

  private mutating func take(_ entry: JournalEntry) {
    // A journal that begins without a saved state: the replay assumes the state of a new installation.
    var whole =
      whole
      ?? KeptWatch(
        timeline: Timeline(device: ReplayRun.deviceID(""), settings: .phone, zones: [], armed: true),
        settings: .phone)
    var phone = phone ?? whole
    if forgets(entry, whole) { close(whole.timeline) }
    requests.take(entry)
    let here = whole.apply(entry).map(\.event)
    let left = Set(whole.timeline.events)
    add(here.filter { !left.contains($0) })
    tell(phone.apply(entry), at: entry.at)
    switch entry.content {
    case .told(let last):
      for index in told.indices where told[index].number <= last && told[index].shownAt == nil {
        told[index].shownAt = entry.at
      }
      if last > phone.lastNumber {
        miscounts.append(
          PhoneDifference.Miscount(phone: last, replay: phone.lastNumber, at: entry.at))
      }
    case .zones(let zones, let settings): note(zones, settings)
    case .inputs, .timePassed, .clockJumped, .noted, .edition: break
    }
    (self.whole, self.phone) = (whole, phone)
    end = entry.at
  }

  private func forgets(_ entry: JournalEntry, _ watch: KeptWatch) -> Bool {
    switch entry.content {
    case .clockJumped(let span): span != .zero
    case .zones(_, let settings): settings != watch.settings
    case .inputs, .timePassed, .told, .noted, .edition: false
    }
  }

  private mutating func note(_ zones: [Zone], _ settings: Settings) {
    self.settings = settings
    for zone in zones { self.zones[zone.id] = zone }
  }

  private mutating func tell(_ told: [Told], at time: Instant?) {
    for each in told {
      guard let report = each.event.ring else { continue }
      self.told.append(
        ToldAlarm(number: each.number, event: each.event, report: report, at: time ?? each.event.learnedAt))
    }
  }

  /// Keeps the events of a timeline that is about to be reset.
  private mutating func close(_ timeline: Timeline) {
    timelines.append(timeline)
    add(timeline.events)
  }

  private mutating func add(_ events: [Event]) {
    for event in events where known.insert(event).inserted {
      // The place of a reminder only announces the items on the list.
      if event.zone.flatMap({ zones[$0] }).map(ReminderZone.isOne) ?? false {
        guard case .notice = event.kind else { continue }
      }
      self.events.append(event)
    }
  }
}

extension Event {
  /// The report of a new alarm; nil for any other event.
  var ring: AlarmReport? { if case .alarm(let report) = kind { report } else { nil } }
}
