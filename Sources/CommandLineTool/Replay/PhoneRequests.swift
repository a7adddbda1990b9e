import AlarmEngine
import CommandLineSupport
import Geometry
import PhoneHost

/// The requests to a phone and its answers, from the notes of its journal (``WatchNote``). Journals of
/// versions without notes give an empty account.
struct PhoneRequests {
  /// A late or missing answer of the phone.
  enum Lapse {
    /// Positions were due at this interval (nil: continuously). `isRelaunch`: the next sign of life is a
    /// start of the app.
    case silence(interval: TimeSpan?, from: Instant, to: Instant, isRelaunch: Bool)
    case noPosition(asked: Instant, within: TimeSpan, end: Instant)
    case latePosition(asked: Instant, within: TimeSpan, came: Instant)
    /// The app was terminated before an answer came.
    case cutOff(asked: Instant, started: Instant)
    case lateWake(wanted: Instant, came: Instant)
    case fenceRefused(FenceID, at: Instant)
    /// The event belongs to no fence requested at that time; `removed`: the time at which it had been
    /// removed, if it was.
    case strayFence(FenceID, at: Instant, removed: Instant?)
  }
  /// The requests that are open at a time.
  struct Standing {
    var session: (session: Session, interval: TimeSpan?, since: Instant)?
    var request: (accuracy: DesiredAccuracy, within: TimeSpan, since: Instant)?
    var fences = 0
    var wake: Instant?
  }

  private(set) var lapses: [Lapse] = []
  private(set) var launches = 0
  private(set) var sessions = 0
  private(set) var sessionTime = TimeSpan.zero
  private(set) var requests = 0
  private(set) var answered = 0
  private(set) var slowest: TimeSpan?
  private(set) var laid = 0
  private(set) var removed = 0
  private(set) var fenceEvents = 0
  private(set) var wakes = 0
  private(set) var latestWake: TimeSpan?
  /// The open requests after each entry with notes.
  private var past: [(at: Instant, standing: Standing)] = []

  private var standing = Standing()
  /// The time of the last position, or of the session's start if that is later.
  private var lastSign: Instant?
  private var fences: Set<FenceID> = []
  /// The fences of an earlier process, possibly still in place until this one states its own.
  private var formerFences: Set<FenceID> = []
  private var gone: [FenceID: Instant] = [:]
  private var isFromLaunch = false
  /// True if all fences are known, as after the first note about fences since a launch.
  private var knowsFences = false
  private var lastEntry: Instant?

  /// Timers and crossings are commonly reported this late.
  private static let tolerance = TimeSpan.seconds(60)

  var isEmpty: Bool { past.isEmpty }

  /// Discards the open requests, since entries are missing.
  mutating func forget() {
    standing = Standing()
    lastSign = nil
    (fences, formerFences, gone) = ([], [], [:])
    (isFromLaunch, knowsFences) = (false, false)
  }

  mutating func take(_ entry: JournalEntry) {
    defer { lastEntry = entry.at }
    switch entry.content {
    case .inputs(let inputs):
      if inputs.contains(where: { if case .fix = $0 { true } else { false } }) { positionCame(at: entry.at) }
    case .clockJumped(let span):
      // Earlier times are by another clock; the host requests its wake again.
      endSession(at: entry.at - span)
      standing.wake = nil
      standing.request?.since = entry.at
      standing.session?.since = entry.at
      lastSign = lastSign.map { $0 + span }
    case .noted(let notes):
      for note in notes { take(note, at: entry.at) }
      standing.fences = fences.count
      past.append((entry.at, standing))
    case .timePassed, .zones, .told, .edition: break
    }
  }

  /// Ends the account with the journal.
  mutating func finish(at end: Instant?) {
    if let end {
      closeSilence(at: end)
      endSession(at: end)
    }
    lapses.sort { $0.from < $1.from }
  }

  private mutating func take(_ note: WatchNote, at now: Instant) {
    switch note {
    case .started: start(at: now)
    case .stopped: break
    case .session(let session, let interval):
      sessions += 1
      if standing.session == nil { lastSign = now } else { endSession(at: now) }
      standing.session = (session, interval, now)
    case .sessionEnded:
      closeSilence(at: now)
      endSession(at: now)
      standing.session = nil
    case .requested(let accuracy, let within):
      requests += 1
      standing.request = (accuracy, within, now)
    case .requestEnded(let isAnswered): endRequest(isAnswered, at: now)
    case .fences(let laid, let removed):
      self.laid += laid.count
      self.removed += removed.count
      for fence in laid { fences.insert(fence.id) }
      for id in removed {
        fences.remove(id)
        gone[id] = now
      }
      for id in formerFences where !fences.contains(id) { gone[id] = now }
      formerFences = []
      knowsFences = isFromLaunch
    case .fenceEntered(let id), .fenceExited(let id):
      fenceEvents += 1
      guard knowsFences, !fences.contains(id), !formerFences.contains(id) else { return }
      let removed = gone[id]
      if let removed, now - removed < Self.tolerance { return }
      lapses.append(.strayFence(id, at: now, removed: removed))
    case .fenceFailed(let id):
      if fences.remove(id) != nil { lapses.append(.fenceRefused(id, at: now)) }
    case .wake(let time):
      missWake(before: now)
      wakes += time == nil ? 0 : 1
      standing.wake = time
    case .woke: wake(at: now)
    case .significantChanges, .visits, .motionWatched, .motion, .liveUpdates, .positionSource, .battery: break
    }
  }

  private mutating func start(at now: Instant) {
    launches += 1
    closeSilence(at: now, isRelaunch: true)
    if let request = standing.request { lapses.append(.cutOff(asked: request.since, started: now)) }
    // The time at which the app was terminated is unknown, but not before the last entry.
    endSession(at: lastEntry ?? now)
    standing.session = nil
    standing.request = nil
    missWake(before: now)
    formerFences.formUnion(fences)
    fences = []
    isFromLaunch = true
  }

  // MARK: Positions

  private mutating func positionCame(at now: Instant) {
    closeSilence(at: now)
    lastSign = now
  }

  /// The longest time without a position that is no lapse. Nil if positions may be missing: a phone reports
  /// them only after it has moved far enough, a session by the network falls silent while the phone rests,
  /// and the coarsest session only keeps the app awake.
  private var longestSilence: TimeSpan? {
    guard let (session, interval, _) = standing.session, session.accuracy != .threeKilometres,
      session.distanceFilter.map({ $0 <= .zero }) ?? true, !session.mayPause
    else { return nil }
    if let interval { return max(Self.tolerance, interval * 3) }
    return session.accuracy.rawValue <= DesiredAccuracy.tenMetres.rawValue ? Self.tolerance : nil
  }

  private mutating func closeSilence(at now: Instant, isRelaunch: Bool = false) {
    guard let longest = longestSilence, let from = lastSign, now - from >= longest else { return }
    lapses.append(
      .silence(interval: standing.session?.interval, from: from, to: now, isRelaunch: isRelaunch))
  }

  private mutating func endSession(at now: Instant) {
    if let since = standing.session?.since { sessionTime = sessionTime + (now - since) }
  }

  private mutating func endRequest(_ isAnswered: Bool, at now: Instant) {
    guard let (_, within, asked) = standing.request else { return }
    standing.request = nil
    guard isAnswered else {
      lapses.append(.noPosition(asked: asked, within: within, end: now))
      return
    }
    answered += 1
    slowest = max(slowest ?? .zero, now - asked)
    if now - asked >= within + Self.tolerance {
      lapses.append(.latePosition(asked: asked, within: within, came: now))
    }
  }

  // MARK: Wake times

  private mutating func wake(at now: Instant) {
    guard let wanted = standing.wake, wanted <= now else { return }
    latestWake = max(latestWake ?? .zero, now - wanted)
    missWake(before: now)
    standing.wake = nil
  }

  /// Notes a wake time that passed with another event as the first sign of life.
  private mutating func missWake(before now: Instant) {
    guard let wanted = standing.wake, now - wanted >= Self.tolerance else { return }
    latestWake = max(latestWake ?? .zero, now - wanted)
    lapses.append(.lateWake(wanted: wanted, came: now))
    standing.wake = nil
  }

  // MARK: Words

  /// The lines below the summary of a replay; at most `most` lapses, the earliest first.
  func lines(most: Int = 20) -> [String] {
    guard !isEmpty else { return [] }
    var table = TextTable()
    func row(_ title: String, _ words: [String?]) {
      table.add(["  \(title)", words.compactMap(\.self).joined(separator: ", ")])
    }
    row("app started", [counted(launches, "time", "times")])
    row(
      "positions", [counted(sessions, "session", "sessions"), sessions == 0 ? nil : spanWords(sessionTime)])
    row(
      "single positions",
      [
        "\(requests) requested", "\(answered) answered",
        slowest.map { "the slowest after \(spanWords($0))" },
      ])
    row("fences", ["\(laid) set", "\(removed) removed", counted(fenceEvents, "crossing", "crossings")])
    row(
      "wake times", ["\(wakes) requested", latestWake.map { "at most \(spanWords($0)) late" }])
    var lines = ["", "Requests to the phone:"] + table.lines
    if !lapses.isEmpty {
      lines += ["", "Late or missing answers:"]
      lines += lapses.prefix(most).map { "  \($0.words)" }
      if lapses.count > most { lines.append("  and \(lapses.count - most) more") }
    }
    return lines
  }

  /// The open requests at a time, and the lapses of that time.
  func lines(at time: Instant) -> [String] {
    guard let standing = past.last(where: { $0.at <= time })?.standing else { return [] }
    var words: [String] = []
    if let (session, interval, since) = standing.session {
      words.append("\(Self.words(session, interval)) since \(timeWords(since))")
    }
    if let (_, within, since) = standing.request {
      words.append("one position within \(spanWords(within)), since \(timeWords(since))")
    }
    if standing.fences > 0 { words.append(counted(standing.fences, "fence", "fences")) }
    if let wake = standing.wake { words.append("a wake-up at \(timeWords(wake))") }
    return ["Requested from the phone: \(words.isEmpty ? "nothing" : words.joined(separator: "; "))."]
      + lapses.filter { $0.from <= time && time <= $0.to }.map { "The phone: \($0.words)." }
  }

  private static func words(_ session: Session, _ interval: TimeSpan?) -> String {
    let often = interval.map { "positions every \(spanWords($0))" } ?? "positions"
    guard let filter = session.distanceFilter, filter > .zero else { return often }
    return "\(often) and \(fixedPoint(filter.metres, decimals: 0)) m"
  }
}

extension PhoneRequests.Lapse {
  var from: Instant {
    switch self {
    case .silence(_, let from, _, _): from
    case .noPosition(let asked, _, _), .latePosition(let asked, _, _), .cutOff(let asked, _): asked
    case .lateWake(let wanted, _): wanted
    case .fenceRefused(_, let at), .strayFence(_, let at, _): at
    }
  }
  var to: Instant {
    switch self {
    case .silence(_, _, let to, _): to
    case .noPosition(_, _, let end): end
    case .latePosition(_, _, let came), .lateWake(_, let came): came
    case .cutOff(_, let started): started
    case .fenceRefused(_, let at), .strayFence(_, let at, _): at
    }
  }

  var words: String {
    switch self {
    case .silence(let interval, let from, let to, let isRelaunch):
      "positions\(interval.map { " every \(spanWords($0))" } ?? "") requested, none received for \(spanWords(to - from)), "
        + "from \(timeWords(from)) to \(timeWords(to))\(isRelaunch ? ", when the app was restarted" : "")"
    case .noPosition(let asked, let within, _):
      "a position within \(spanWords(within)) requested at \(timeWords(asked)), none received"
    case .latePosition(let asked, let within, let came):
      "a position within \(spanWords(within)) requested at \(timeWords(asked)), received after \(spanWords(came - asked))"
    case .cutOff(let asked, let started):
      "a position requested at \(timeWords(asked)), but the phone ended the app first; the app was restarted at \(timeWords(started))"
    case .lateWake(let wanted, let came):
      "a wake-up requested at \(timeWords(wanted)); the app's next activity came \(spanWords(came - wanted)) later"
    case .fenceRefused(let id, let at): "fence \(Self.name(id)) refused at \(timeWords(at))"
    case .strayFence(let id, let at, let removed):
      "fence \(Self.name(id)) reported as crossed at \(timeWords(at)), "
        + (removed.map { "but removed at \(timeWords($0))" } ?? "but never set")
    }
  }

  private static func name(_ id: FenceID) -> String { String(id.rawValue, radix: 16) }
}
