import AlarmEngine
import Geometry

/// The watch of one phone: timeline, policy, timers, zones, settings, journal. It takes inputs from the
/// platform and returns commands to it. It reads no clock, writes no file and never blocks.
///
/// The process may end at any moment. A change of state is written (``PhoneCommand/append(_:)``) before any
/// request or event that follows from it. At the next launch the same bytes give the same state, with the
/// same alarms under the same ids, and events not confirmed as told (``PhoneInput/told(_:)``) are told then.
/// The policy's other data about the phone (its motion, its last answers) is requested anew after each
/// launch.
///
/// Platforms: `LocationWatch` on iOS, the foreground service on Android, and the simulated phones for testing
/// both.
public struct PhoneHost<Policy: WatchDecisions>: Sendable {
  public private(set) var kept: KeptWatch
  public internal(set) var policy: Policy
  public var timeline: Timeline { kept.timeline }

  /// How the platform answers a request for one position.
  public enum Requests: Sendable {
    /// Positions come until one is good enough or the time is up; the host chooses (iOS).
    case collected
    /// With one position, or none, by itself (Android).
    case answeredOnce
  }
  let requests: Requests

  private var clocks: ClockComparison?
  private var capabilities: Capabilities?
  private var isStarted = false
  var session: Session?
  var request: Request?
  private var timer: Instant?
  private var plannedWake: Instant?
  var noted = Noted()
  private var shownRinging: [Ringing]?
  private var entriesSinceSnapshot = 0
  private var bytesSinceSnapshot = 0
  /// True if a part of the stored bytes was lost or damaged. The person has to be told.
  public let isDamaged: Bool
  /// The journal on the disk cannot be continued: there is none yet, a part of it cannot be read, or a write failed.
  private var needsSnapshot: Bool
  /// Zones, settings or the state of being armed have changed.
  private var hasSaved = false
  /// The snapshot to write before the entries.
  private var first: [UInt8]?
  private var written: [UInt8] = []
  /// Accepted positions as lines for the server, if positions are reported.
  private var lines: [UInt8] = []
  private var reports = ReportPacing()
  private var commands: [PhoneCommand] = []

  /// The size from which a snapshot replaces the journal.
  static var mostEntries: Int { 500 }
  static var mostBytes: Int { 256 << 10 }

  /// Creates the host at the first launch of an installation.
  ///
  /// - Parameter settings: those of the timeline.
  public init(
    beginning timeline: Timeline, settings: Settings = .phone, policy: Policy, requests: Requests = .collected
  ) {
    kept = KeptWatch(timeline: timeline, settings: settings)
    self.policy = policy
    self.requests = requests
    isDamaged = false
    needsSnapshot = true
  }

  /// Restores the host from what is left of the files of an installation whose snapshot is lost or cannot be read. The
  /// zones and answers in all journals behind the last readable snapshot are still there.
  ///
  /// - Parameters:
  ///   - parts: all that is stored, the oldest first.
  ///   - timeline: the state at the first launch of an installation.
  public init(
    recovering parts: [JournalExport.Part], orBeginning timeline: Timeline, policy: Policy,
    requests: Requests = .collected
  ) {
    kept = .recovered(from: parts, orBeginning: timeline)
    self.policy = policy
    self.requests = requests
    isDamaged = true
    needsSnapshot = true
  }

  /// Restores the host at a later launch from the bytes stored by ``PhoneCommand/replace(_:)`` and
  /// ``PhoneCommand/append(_:)``.
  ///
  /// - Parameter journal: entries that the snapshot already contains are skipped, a truncated entry at the end is passed
  ///   over. What follows damage is read. Nil: the file is missing, so that entries are lost.
  /// - Throws: if the snapshot is invalid. The caller then goes on with
  ///   ``init(recovering:orBeginning:policy:requests:)``.
  public init(
    snapshot: [UInt8], journal: [UInt8]?, policy: Policy, requests: Requests = .collected
  ) throws(DataError) {
    var kept = try WatchSnapshot.read(snapshot)
    let read = Journal.read(journal ?? [])
    let stored = kept
    let hasGap = kept.apply(following: read.entries)
    self.kept = kept
    self.policy = policy
    self.requests = requests
    isDamaged = hasGap || read.isDamaged || journal == nil
    // Otherwise an unreadable piece would lie between the old entries and the new ones, or an edit, after which the process
    // ended, in the journal alone.
    needsSnapshot = read.isCut || isDamaged || kept.hasEdit(since: stored)
    entriesSinceSnapshot = read.entries.count { $0.entry.changesState }
    bytesSinceSnapshot = journal?.count ?? 0
  }

  public mutating func handle(_ input: PhoneInput, at time: PhoneTime) -> [PhoneCommand] {
    if case .notKept = input {
      needsSnapshot = true
      return []
    }
    // Each entry has to follow, in its journal, the state to which it applies.
    if needsSnapshot { first = WatchSnapshot.bytes(of: kept) }
    noticeClock(time)
    let now = time.now
    let former: KeptWatch? =
      switch input {
      case .zones, .command: kept
      default: nil
      }
    note(input, at: now)
    switch input {
    case .started(let start, let capabilities, let lastKnown):
      self.capabilities = capabilities
      isStarted = true
      if let span = timeline.jumpWhileAway(at: now) { record(.clockJumped(by: span), at: now) }
      // Tell the events that the previous process left untold, then those that fell due while no process ran.
      let earlier = kept.untold
      record(.timePassed, at: now, always: false)
      if !earlier.isEmpty { commands.insert(.tell(earlier), at: 0) }
      shownRinging = nil
      tell(.started(start, capabilities: capabilities, lastKnown: lastKnown), at: now)
    case .stopped:
      tell(.stopped, at: now)
      isStarted = false
    case .positions(let fixes, let ofRequest): receive(fixes, ofRequest: ofRequest, at: now)
    case .requestFailed: giveUp(at: now)
    case .fenceEntered(let id): tell(.fenceEntered(id), at: now)
    case .fenceExited(let id): tell(.fenceExited(id), at: now)
    case .fenceState(let id, let inside): tell(.fenceState(id, inside: inside), at: now)
    case .fenceFailed(let id): tell(.fenceFailed(id), at: now)
    case .visitArrived(let place): tell(.visitArrived(place), at: now)
    case .visitDeparted(let place): tell(.visitDeparted(place), at: now)
    case .motion(let motion, _): tell(.motion(motion), at: now)
    case .liveUpdates(let areResting): if !areResting { tell(.motion(.unknown), at: now) }
    case .positionSource, .battery: break
    case .woke: wake(at: now)
    case .capabilities(let current):
      guard isStarted, current != capabilities else { break }
      capabilities = current
      tell(.capabilitiesChanged(current), at: now)
    case .cameToForeground: tell(.cameToForeground, at: now)
    case .wentToBackground: tell(.wentToBackground, at: now)
    case .willTerminate: tell(.willTerminate, at: now)
    case .command(.replaceZones(let watched)):
      // `.zones` brings zones with settings; here the settings stay.
      record(.zones(Array(watched.zones), kept.settings), at: now)
      tell(.zonesChanged, at: now)
    case .command(let command):
      record(.inputs([.command(command, at: kept.commandTime(at: now))]), at: now)
      tell(.zonesChanged, at: now)
    case .zones(let next, let settings):
      record(.zones(next, settings), at: now)
      tell(.zonesChanged, at: now)
    case .edition(let edition): if edition != kept.edition { record(.edition(edition), at: now) }
    case .clockJumped(let span): moveClock(by: span, at: now)
    case .told(let number):
      if kept.untold.contains(where: { $0.number <= number }) {
        record(.told(number), at: now)
      }
    case .reporting(let wanted): reports.turn(on: wanted)
    case .reported(let outcome): reports.ended(outcome, at: now)
    case .notKept: break
    }
    hasSaved = former.map { kept.hasEdit(since: $0) } ?? false
    return finish(at: now)
  }

  // MARK: State

  /// Changes the state by an entry and writes it, so that the next launch repeats it.
  ///
  /// - Parameter always: false leaves out entries that change nothing.
  mutating func record(_ content: JournalEntry.Content, at now: Instant, always: Bool = true) {
    if !always, timeline.nextDue.map({ $0 > now }) ?? true { return }
    let entry = JournalEntry(content, at: now)
    let told = kept.apply(entry)
    report(content)
    let bytes = Journal.bytes(of: entry, number: kept.lastEntry)
    written += bytes
    if entry.changesState { entriesSinceSnapshot += 1 }
    bytesSinceSnapshot += bytes.count
    if !told.isEmpty {
      commands.append(.tell(told))
      reports.hurry()
    }
  }

  private mutating func report(_ content: JournalEntry.Content) {
    guard reports.isOn, case .inputs(let inputs) = content else { return }
    for case .fix(let fix) in inputs {
      lines += ReportLine.bytes(of: fix)
      reports.added()
    }
  }

  private mutating func noticeClock(_ time: PhoneTime) {
    guard clocks != nil else {
      clocks = ClockComparison(now: time.now, uptime: time.uptime)
      return
    }
    if let span = clocks?.jump(now: time.now, uptime: time.uptime) { moveClock(by: span, at: time.now) }
  }

  /// Moves all future times after the clock was set while the process ran.
  private mutating func moveClock(by span: TimeSpan, at now: Instant) {
    guard ClockJump.allowed.contains(span) else { return }
    record(.clockJumped(by: span), at: now)
    if let request { self.request = request.moved(by: span) }
    timer = timer.map { $0 + span }
    reports.moved(by: span)
    (plannedWake, noted.wake) = (nil, nil)
    guard isStarted else { return }
    decide(.clockJumped(by: span), at: now)
  }

  // MARK: Policy

  mutating func tell(_ event: WatchEvent, at now: Instant) {
    guard isStarted else { return }
    decide(event, at: now)
  }

  private mutating func decide(_ event: WatchEvent, at now: Instant) {
    for command in policy.handle(event, at: now, zones: timeline.surroundings(at: now)) {
      carryOut(command, at: now)
    }
  }

  private mutating func carryOut(_ command: WatchCommand, at now: Instant) {
    switch command {
    case .session(let wanted):
      guard wanted != session else { return }
      session = wanted
      commands.append(.session(wanted))
    case .endSession:
      session = nil
      commands.append(.endSession)
    case .requestFix(let accuracy, let span): ask(accuracy, within: span, at: now)
    case .fences(let fences): commands.append(.fences(fences))
    case .requestState(let id): commands.append(.requestState(id))
    case .significantChanges(let wanted): commands.append(.significantChanges(wanted))
    case .visits(let wanted): commands.append(.visits(wanted))
    case .motion(let wanted): commands.append(.motion(wanted))
    case .timer(let time): timer = time
    case .holdBackground: commands.append(.holdBackground)
    case .releaseBackground: commands.append(.releaseBackground)
    case .warn(let warning): commands.append(.warn(warning))
    case .warnIfSilent(let time): commands.append(.warnIfSilent(at: time))
    }
  }

  mutating func order(_ command: PhoneCommand) { commands.append(command) }

  /// Repeats, dwells, confirmations and schedules fall due without a position; so do the policy's timer and the end of a
  /// request.
  private mutating func wake(at now: Instant) {
    plannedWake = nil
    if let due = timeline.nextDue, due <= now {
      let before = kept.lastNumber
      record(.timePassed, at: now)
      if kept.lastNumber > before { tell(.zonesChanged, at: now) }
    }
    if let request, requests == .collected, request.deadline <= now { giveUp(at: now) }
    if let timer, timer <= now {
      self.timer = nil
      tell(.timer, at: now)
    }
  }

  private var nextWake: Instant? {
    var next = timeline.nextDue
    for time in [timer, reports.next, requests == .collected ? request?.deadline : nil] {
      guard let time else { continue }
      next = min(next ?? time, time)
    }
    return next
  }

  /// Returns the commands: writes to the disk first, then the others. The wake time comes last, because it
  /// depends on everything else.
  private mutating func finish(at now: Instant) -> [PhoneCommand] {
    let ringing = kept.ringing
    if ringing != shownRinging {
      shownRinging = ringing
      commands.append(.ringing(ringing))
    }
    if reports.takeSend(at: now) { commands.append(.sendReports) }
    let wake = nextWake
    if wake != plannedWake {
      plannedWake = wake
      commands.append(.wake(wake))
    }
    for command in commands { note(command) }
    if !noted.notes.isEmpty {
      record(.noted(noted.notes), at: now)
      noted.notes = []
    }
    var keeping: [PhoneCommand] = []
    if let first {
      keeping = [.replace(first)]
      (self.first, needsSnapshot) = (nil, false)
      (entriesSinceSnapshot, bytesSinceSnapshot) = (0, written.count)
    }
    if !written.isEmpty { keeping.append(.append(written)) }
    // An edit is in a journal of the history and in the snapshot, so that the loss of one file takes no zone.
    if hasSaved || entriesSinceSnapshot >= Self.mostEntries || bytesSinceSnapshot >= Self.mostBytes {
      kept.compact(at: now)
      keeping.append(.replace(WatchSnapshot.bytes(of: kept)))
      (entriesSinceSnapshot, bytesSinceSnapshot) = (0, 0)
    }
    if !lines.isEmpty { keeping.insert(.report(lines), at: 0) }
    defer {
      commands = []
      written = []
      lines = []
    }
    return keeping + commands
  }
}
