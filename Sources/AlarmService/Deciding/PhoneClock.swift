import AlarmEngine
import Formats
import Geometry
import Store

/// Detects from a phone's posts how wrong its clock is, and corrects the times of its fixes.
///
/// In one post, a phone whose clock was set back looks like one that sends fixes it had kept: both send fixes
/// of long ago. Several posts tell them apart. Kept fixes arrive faster than they were measured and catch up
/// with the present. Fixes measured now stay behind by the same span, while time passes. The rules:
///
/// - The newest fixes of ``needed`` posts in a row, over ``least`` or more, each as far behind the server's clock as the
///   others within ``agreement``, and by more than ``tolerance``: the phone's clock is behind by the least of these.
/// - A fix that lies further ahead of the server's clock than ``agreement``: no fix is measured after it
///   arrives, so the phone's clock is ahead by that span.
/// - A post whose newest fix is of now, or of the future after correction: the clock was set again. The rules
///   start again.
///
/// A phone that always sends fixes of a fixed age cannot be told from one whose clock is behind. Treating it
/// as the second does no harm: its alarms ring when the server first learns of them, either way.
struct PhoneClock: Sendable {
  /// How far the phone's clock is behind the server's; negative if it is ahead.
  private(set) var behind: TimeSpan
  private var posts: [(receivedAt: Instant, behind: TimeSpan, newest: Instant)] = []

  static let needed = 3
  static let least = TimeSpan.seconds(20)
  static let agreement = StoredFix.clockTolerance
  /// Fixes take a while to arrive.
  static let tolerance = TimeSpan.seconds(60)

  init(behind: TimeSpan = .zero) { self.behind = behind }

  /// Corrects the times of a post's fixes. Kept fixes, those of a right clock, and outliers are returned unchanged.
  mutating func putRight(_ fixes: [StoredFix]) -> [StoredFix] {
    let outliers = FutureOutliers.begin(in: fixes, behind: behind)
    func agrees(_ fix: Fix) -> Bool { outliers.map { fix.measuredAt < $0 } ?? true }
    guard let newest = fixes.map(\.fix).filter(agrees).max(by: { $0.measuredAt < $1.measuredAt })
    else { return fixes }
    learn(from: newest)
    guard behind != .zero else { return fixes }
    return fixes.map { agrees($0.fix) ? $0.measured(later: behind) : $0 }
  }

  /// Whether the fixes are so old or so new that a clock may be wrong.
  static func areOdd(_ fixes: [StoredFix]) -> Bool {
    guard let newest = fixes.map(\.fix).max(by: { $0.measuredAt < $1.measuredAt }) else { return false }
    let behind = newest.receivedAt - newest.measuredAt
    return behind > tolerance || behind < .zero - agreement
  }

  private mutating func learn(from fix: Fix) {
    let found = fix.receivedAt - fix.measuredAt
    if found < .zero - Self.agreement {
      // By the known error, unless that leaves the fix in the future.
      if found < behind - Self.agreement || behind >= .zero { behind = found }
      // A fix that is less far ahead was kept, or the clock was set again.
      if found <= behind + Self.agreement {
        posts = []
        return
      }
    } else if found <= Self.tolerance {
      (posts, behind) = ([], .zero)
      return
    } else {
      // Whether the fix was kept while the clock was ahead or since it is right is not known.
      if behind < .zero { behind = .zero }
      if found < behind - Self.agreement { (posts, behind) = ([], .zero) }
    }
    // A post that is sent twice adds no evidence.
    if let last = posts.last, fix.measuredAt == last.newest { return }
    posts.append((fix.receivedAt, found, fix.measuredAt))
    if posts.count > Self.needed { posts.removeFirst() }
    guard posts.count == Self.needed, fix.receivedAt - posts[0].receivedAt >= Self.least else { return }
    let spans = posts.map(\.behind)
    guard let least = spans.min(), let most = spans.max(), most - least <= Self.agreement else { return }
    if abs((least - behind).seconds) > Self.agreement.seconds { behind = least }
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
  /// Corrects the times of a report's fixes, and notes it if the phone's clock is found to be wrong, or right again.
  static func putRight(
    _ fixes: [StoredFix], by clock: inout PhoneClock?, of device: DeviceID, _ notes: inout [TurnNote]
  ) -> [StoredFix] {
    guard var known = clock else { return fixes }
    let before = known.behind
    let right = known.putRight(fixes)
    clock = known
    if known.behind != before { notes.append(.clockIsWrong(device, behind: known.behind)) }
    return right
  }
}

extension WatchedTurn {
  /// The fixes with corrected times.
  mutating func putRight(_ fixes: [StoredFix]) -> [StoredFix] {
    if device.clock == nil, PhoneClock.areOdd(fixes) { device.clock = PhoneClock(behind: lastKnownError()) }
    return PhoneClock.putRight(fixes, by: &device.clock, of: id, &part.notes)
  }

  /// Restores from the last stored fix what was known before the engine was dropped.
  private mutating func lastKnownError() -> TimeSpan {
    guard let last = device.record.lastFix?.measuredAt else { return .zero }
    return facts.fix(of: id, account, measuredAt: last)?.clockBehind ?? .zero
  }
}
