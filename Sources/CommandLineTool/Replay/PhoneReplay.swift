import AlarmEngine
import CommandLineSupport
import Formats
import Geometry
import PhoneHost

/// What a phone went through, done again from its journal: once as a phone that forgets nothing, once as that phone, which
/// begins anew from each state that it kept.
struct PhoneReplay {
  /// An alarm as the phone decided it.
  struct ToldAlarm {
    let number: UInt64
    let event: Event
    let report: AlarmReport
    /// When the phone came to decide it, by its clock.
    let at: Instant
    /// When it said that it was shown and sounded.
    var shownAt: Instant?
  }

  /// What is known of each stretch between two changes that make a timeline forget: a clock that was set, other settings,
  /// entries that are missing, an installation that began anew.
  private(set) var timelines: [Timeline] = []
  /// Without what was forgotten, in the order of decision.
  private(set) var events: [Event] = []
  private(set) var told: [ToldAlarm] = []
  /// As they were last, also those that are gone.
  private(set) var zones: [ZoneID: Zone] = [:]
  private(set) var settings = Settings.phone
  /// The last entry's.
  private(set) var end: Instant?
  /// Where the phone counted otherwise than is counted here.
  private(set) var miscounts: [PhoneDifference.Miscount] = []
  /// Alarms that began before the journal does, or where entries are missing.
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
    // A journal without the state that it goes on from: all that can be said of it is what an installation begins with.
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
    case .inputs, .timePassed, .clockJumped, .noted: break
    }
    (self.whole, self.phone) = (whole, phone)
    end = entry.at
  }

  private func forgets(_ entry: JournalEntry, _ watch: KeptWatch) -> Bool {
    switch entry.content {
    case .clockJumped(let span): span != .zero
    case .zones(_, let settings): settings != watch.settings
    case .inputs, .timePassed, .told, .noted: false
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

  /// Keeps what a timeline knows that is about to forget it.
  private mutating func close(_ timeline: Timeline) {
    timelines.append(timeline)
    add(timeline.events)
  }

  private mutating func add(_ events: [Event]) {
    for event in events where known.insert(event).inserted {
      // A reminder's place tells what stands on the list, and nothing else.
      if event.zone.flatMap({ zones[$0] }).map(ReminderZone.isOne) ?? false {
        guard case .notice = event.kind else { continue }
      }
      self.events.append(event)
    }
  }
}

extension Event {
  /// Nil for all but the beginning of an alarm.
  var ring: AlarmReport? { if case .alarm(let report) = kind { report } else { nil } }
}
