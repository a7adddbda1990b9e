import AlarmEngine
import Formats
import Geometry
import Store

/// Detects from a phone's posts how wrong its clock is, and corrects the times of its fixes.
///
/// In one post, a phone whose clock was set back looks like one that sends fixes it had kept: both send old
/// fixes. Several posts tell them apart. Kept fixes arrive faster than they were measured and catch up with
/// the present. Fixes measured now stay behind by the same span, while time passes. The rules:
///
/// - A *run* is a series of posts whose newest fixes are behind the server's clock by the same span within
///   ``agreement``, and by more than ``tolerance``, each measured later than the one before.
/// - A queue that is sent as slowly as it was measured makes a run as well. The length that a run must have
///   therefore depends on when its fixes were measured, see ``Run/Place``.
/// - A time in which the server could not take or answer posts ends a run: it is no evidence about the phone.
/// - If a fix lies further ahead of the server's clock than ``agreement``, the phone's clock is ahead by that
///   span, since no fix is measured after it arrives.
/// - If the newest fix of a post is present, or in the future after correction, the clock was set again. The
///   rules start again.
/// - If all fixes of a post are 1024 or 2048 weeks too early, to a day, the week counter of the phone's
///   receiver rolled over. No queue is as old.
///
/// A phone that always sends fixes of a fixed age cannot be told from one whose clock is behind. Treating it
/// as the second does no harm: its alarms ring when the server first learns of them, either way.
struct PhoneClock: Sendable {
  /// How far the phone's clock is behind the server's, without lost weeks; negative if it is ahead.
  private(set) var behind: TimeSpan
  /// The weeks missing from the times of the last post, because of a rollover.
  private var lostWeeks = TimeSpan.zero
  /// Posts with past times were not attributed to a week rollover, because a person sends a history.
  private var isHistory = false
  private var contact: Contact?
  /// The contact before `contact`.
  private var former: Contact?
  /// The spans between the last posts with right times, the latest last.
  private var steps: [TimeSpan] = []
  private var run: Run?
  /// When the last post arrived, until it is on the disk and can be answered.
  private var unanswered: Instant?
  /// The end of the last time in which the server kept the phone waiting.
  private var stallEnd = Instant.allowed.lowerBound
  /// True if the knowledge in the last stored fix has been restored.
  private(set) var isRestored = false

  static let agreement = StoredFix.clockTolerance
  /// The time that fixes may take to arrive.
  static let tolerance = TimeSpan.seconds(60)
  static let longestStep = TimeSpan.minutes(10)
  static let rollovers = [1024.0, 2048].map { TimeSpan.hours($0 * 7 * 24) }
  static let rolloverTolerance = TimeSpan.hours(24)
  private static let history = TimeSpan.hours(30 * 24)

  init(behind: TimeSpan = .zero) {
    self.behind = behind
    lose(behind)
  }

  /// The error of the times of the last post.
  var error: TimeSpan { behind + lostWeeks }

  private mutating func lose(_ error: TimeSpan) {
    lostWeeks = Self.rollover(of: error) ?? .zero
    behind = error - lostWeeks
  }

  private static func rollover(of span: TimeSpan) -> TimeSpan? {
    rollovers.first { abs((span - $0).seconds) <= rolloverTolerance.seconds }
  }

  /// Restores the knowledge in the last stored fix: how wrong the clock was, and that it was right.
  mutating func restore(behind: TimeSpan, last: Fix?) {
    isRestored = true
    if error == .zero { lose(behind) }
    guard contact == nil, behind == .zero, let last else { return }
    let delay = last.receivedAt - last.measuredAt
    if delay <= Self.tolerance, delay >= .zero - Self.agreement {
      contact = Contact(since: last.receivedAt, until: last.measuredAt, heardAt: last.receivedAt)
    }
  }

  /// Notes that the decision is on the disk.
  mutating func saved(at now: Instant) {
    if let unanswered, now - unanswered > Self.agreement { stallEnd = now }
    unanswered = nil
  }

  /// Corrects the times of a post's fixes. Kept fixes, those of a right clock, and outliers are returned
  /// unchanged.
  /// - Parameters:
  ///   - now: when the post is decided; nil for when it arrived.
  ///   - awake: since when posts can be taken.
  mutating func putRight(
    _ fixes: [StoredFix], at now: Instant? = nil, awake: Instant = Instant.allowed.lowerBound
  ) -> [StoredFix] {
    guard let receivedAt = fixes.map(\.fix.receivedAt).max() else { return fixes }
    unanswered = receivedAt
    if let now, now - receivedAt > Self.agreement { stallEnd = now }
    stallEnd = max(stallEnd, awake)
    noteWeeks(of: fixes)
    let times = fixes.map { $0.fix.measuredAt + lostWeeks }
    let outliers = FutureOutliers.begin(in: times, receivedAt: receivedAt, behind: behind)
    func agrees(_ time: Instant) -> Bool { outliers.map { time < $0 } ?? true }
    if let newest = times.filter(agrees).max() { learn(newest, receivedAt) }
    guard error != .zero else { return fixes }
    return zip(fixes, times).map { fix, time in
      let span = lostWeeks + (agrees(time) ? behind : .zero)
      return span == .zero ? fix : fix.measured(later: span)
    }
  }

  /// True if the fixes are so old or so new that a clock may be wrong.
  static func areOdd(_ fixes: [StoredFix]) -> Bool {
    guard let newest = fixes.map(\.fix).max(by: { $0.measuredAt < $1.measuredAt }) else { return false }
    let behind = newest.receivedAt - newest.measuredAt
    return behind > tolerance || behind < .zero - agreement
  }

  private mutating func noteWeeks(of fixes: [StoredFix]) {
    let ages = fixes.map { $0.fix.receivedAt - $0.fix.measuredAt }
    let lost = ages.first.flatMap { Self.rollover(of: $0) }
    let isWhole = lost.map { lost in ages.allSatisfy { Self.rollover(of: $0) == lost } } ?? false
    lostWeeks = isWhole && !isHistory ? lost ?? .zero : .zero
    isHistory = lostWeeks == .zero && (ages.min() ?? .zero) > Self.history
  }

  private mutating func learn(_ newest: Instant, _ receivedAt: Instant) {
    let found = receivedAt - newest
    if found < .zero - Self.agreement {
      // By the known error, unless that leaves the fix in the future.
      if found < behind - Self.agreement || behind >= .zero { behind = found }
      // A fix that is less far ahead was kept, or the clock was set again.
      if found <= behind + Self.agreement { return noteLive(newest + behind, receivedAt) }
    } else if found <= Self.tolerance {
      behind = .zero
      return noteLive(newest + behind, receivedAt)
    } else {
      // It is not known whether the fix was kept while the clock was ahead or after it was corrected.
      if behind < .zero { behind = .zero }
      if found < behind - Self.agreement { (run, behind) = (nil, .zero) }
      if behind > .zero, found <= behind + Self.agreement { return noteLive(newest + behind, receivedAt) }
    }
    if let last = run?.lastReceived, stallEnd > last { run = nil }
    // The same post again adds no evidence.
    guard stallEnd <= receivedAt, newest != run?.newest else { return }
    var run = run ?? Run(newest, receivedAt)
    if newest != run.newest, !run.extend(newest, receivedAt) { run = Run(newest, receivedAt) }
    run.note(place(of: newest, in: run))
    self.run = run
    guard let least = run.offset else { return }
    behind = least
    contact = Contact(since: run.firstReceived, until: newest + least, heardAt: receivedAt)
    self.run = nil
  }

  /// Records a post of a clock that is right, or whose error is known.
  private mutating func noteLive(_ measuredAt: Instant, _ receivedAt: Instant) {
    run = nil
    if var known = contact {
      let step = max(.zero, receivedAt - known.heardAt)
      let isSilence = step > longestStep
      steps = steps.suffix(2) + [step]
      if !isSilence {
        known.heardAt = max(known.heardAt, receivedAt)
        known.until = max(known.until, measuredAt)
        contact = known
        return
      }
    }
    (former, contact) = (contact, Contact(since: receivedAt, until: measuredAt, heardAt: receivedAt))
  }

  /// The longest silence without a loss of network: twice the phone's usual interval, at least `tolerance`
  /// and at most ten minutes. After a longer one the phone may have had no network.
  private var longestStep: TimeSpan {
    let usual = steps.isEmpty ? Self.longestStep : steps.sorted()[(steps.count - 1) / 2]
    return min(Self.longestStep, max(Self.tolerance, usual * 2))
  }

  private func place(of time: Instant, in run: Run) -> Run.Place {
    if time >= run.firstReceived { return .inTouch }
    for known in [contact, former] {
      guard let known else { break }
      if time > known.until { return .silence }
      if time >= known.since { return .inTouch }
    }
    return .unknown
  }
}

extension PhoneClock {
  /// The time in which posts with right times have come as often as usual.
  struct Contact: Sendable {
    let since: Instant
    /// When the newest position was measured. Later ones may have been kept while it was on its way.
    var until: Instant
    var heardAt: Instant
  }

  /// Consecutive posts that are behind by the same span.
  struct Run: Sendable {
    /// The relation of a position's time, as the phone states it, to the known contacts with the phone.
    enum Place: Sendable {
      /// The server received posts from the phone at that time, so the phone had no need to keep the
      /// position: its clock is wrong. Three posts over 20 s show it.
      case inTouch
      /// Between two posts of the phone, while it was silent. It may have been without network, and may now
      /// send kept positions, so nothing is corrected. A wrong clock is found when its time has reached the
      /// first post of the run. Until then times are wrong by less than the silence lasted.
      case silence
      /// Before all known contact with the phone. Three posts over a minute that agree within two seconds
      /// show a wrong clock, or six that agree within five.
      case unknown
    }

    let firstReceived: Instant
    private(set) var lastReceived: Instant
    private(set) var newest: Instant
    private var least: TimeSpan
    private var most: TimeSpan
    private var count = 1
    private var wasSilence = false
    /// The posts in touch at the end of the run.
    private var touching: (count: Int, since: Instant)?

    private static let needed = 3
    private static let shortest = TimeSpan.seconds(20)
    private static let shortestUnknown = TimeSpan.seconds(60)
    private static let neededIfInexact = 6
    private static let exact = TimeSpan.seconds(2)

    init(_ newest: Instant, _ receivedAt: Instant) {
      (firstReceived, lastReceived, self.newest) = (receivedAt, receivedAt, newest)
      least = receivedAt - newest
      most = least
    }

    /// Adds a post.
    /// - Returns: false if it does not continue the run.
    mutating func extend(_ newest: Instant, _ receivedAt: Instant) -> Bool {
      let behind = receivedAt - newest
      let (least, most) = (min(least, behind), max(most, behind))
      guard newest > self.newest, most - least <= PhoneClock.agreement else {
        return false
      }
      (self.least, self.most, self.newest, lastReceived) = (
        least, most, newest, max(lastReceived, receivedAt)
      )
      count += 1
      return true
    }

    /// Notes the place of the last post that was added.
    mutating func note(_ place: Place) {
      wasSilence = wasSilence || place == .silence
      touching = place == .inTouch ? ((touching?.count ?? 0) + 1, touching?.since ?? lastReceived) : nil
    }

    /// How far the clock is behind, if the run is long enough to tell.
    var offset: TimeSpan? {
      let isShown =
        touching.map { $0.count >= Self.needed && lastReceived - $0.since >= Self.shortest } ?? false
        || !wasSilence && lastReceived - firstReceived >= Self.shortestUnknown
          && count >= (most - least <= Self.exact ? Self.needed : Self.neededIfInexact)
      return isShown ? least : nil
    }
  }
}

extension StoredFix {
  private static let member = "clock_behind_s"

  /// The fix with a corrected time; the correction is stored with it.
  fileprivate func measured(later span: TimeSpan) -> StoredFix {
    let right = Fix(
      position: fix.position, accuracy: fix.accuracy, measuredAt: fix.measuredAt + span,
      receivedAt: fix.receivedAt, speed: fix.speed, course: fix.course, altitude: fix.altitude)
    var members: [(String, JSONValue)] = []
    if let detail, let known = (try? JSONValue.parse(Array(detail.utf8)))?.members { members = known }
    members.append((Self.member, .number(span.seconds)))
    return StoredFix(right, altitude: altitude, battery: battery, detail: JSONValue.object(members).text)
  }

  /// How far the phone's clock was known to be behind when this fix arrived.
  var clockBehind: TimeSpan? {
    guard let detail, let value = try? JSONValue.parse(Array(detail.utf8)) else { return nil }
    return value[Self.member]?.double.flatMap { abs($0) < 1e10 ? .seconds($0) : nil }
  }
}

extension PhoneClock {
  /// Corrects the times of a report's fixes, and adds a note if the phone's clock is found to be wrong, or
  /// right again.
  mutating func putRight(
    _ fixes: [StoredFix], of device: DeviceID, in context: DecisionContext, _ notes: inout [DecisionNote]
  ) -> [StoredFix] {
    let before = error
    let right = putRight(fixes, at: context.now, awake: context.awake.since)
    if error != before { notes.append(.clockIsWrong(device, behind: error)) }
    return right
  }
}

extension WatchedDecision {
  /// The fixes with corrected times.
  mutating func putRight(_ fixes: [StoredFix]) -> [StoredFix] {
    if !device.clock.isRestored, PhoneClock.areOdd(fixes) {
      device.clock.restore(behind: lastKnownError(), last: device.record.lastFix)
    }
    return device.clock.putRight(fixes, of: id, in: context, &part.notes)
  }

  /// Returns the last known error, restored from the last stored fix after the engine was dropped.
  private mutating func lastKnownError() -> TimeSpan {
    guard let last = device.record.lastFix?.measuredAt else { return .zero }
    return facts.fix(of: id, account, measuredAt: last)?.clockBehind ?? .zero
  }
}
