import AlarmEngine

/// One client's wish for positions: a session, or a single fix.
final class UpdateStream {
  enum Kind { case continuous, single }
  /// What the wish makes the phone switch on.
  enum Tier: Int, Comparable {
    case keepAlive, network, best
    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  let kind: Kind
  /// Metres, or a negative constant for the best there is.
  var accuracy: Double
  /// Metres; negative: none.
  var filter: Double
  var pausesWhenStill = false
  /// Of a session that may pause: what it is for.
  var activity = CLActivityType.other
  /// Falls asleep when the phone is still, and goes on by itself.
  var restsWhenStill = false
  /// Gets what others get, and switches nothing on.
  var isPassive = false
  /// A cached position older than so many seconds is not handed out first; nil is the platform's rule.
  var oldestCached: Double?
  /// Fixes are collected, to be told together.
  var deferral: Deferral?
  /// Least seconds between fixes, for platforms that let clients say so.
  var interval = 0.0
  /// A single fix gives up after this.
  var timeout = 0.0
  /// May go on when the application has left the foreground.
  var allowsBackground = false
  var startedInForeground = false
  /// Lives in the background by a background activity, not by a flag of its own.
  var isKeptByActivity = false

  struct Deferral {
    let metres: Double
    let plan: VirtualClock.Plan
    var collected: [PhoneFix] = []
    var travelled = 0.0
  }

  let receive: (PhoneFix) -> Void
  /// Several at once, oldest first.
  var receiveTogether: ([PhoneFix]) -> Void = { _ in }
  /// Fixes are told one by one again.
  var deferralEnded: (CLError.Code?) -> Void = { _ in }
  /// Nothing could be found out.
  let fail: () -> Void
  let paused: () -> Void

  // Kept by `Positioning`.
  var next: VirtualClock.Plan?
  var pause: VirtualClock.Plan?
  var last: PhoneFix?
  var best: PhoneFix?
  var settlesUntil: Instant?
  var isRunning = false
  var isResting = false

  init(
    _ kind: Kind, accuracy: Double, filter: Double = -1, receive: @escaping (PhoneFix) -> Void,
    fail: @escaping () -> Void = {}, paused: @escaping () -> Void = {}
  ) {
    self.kind = kind
    self.accuracy = accuracy
    self.filter = filter
    self.receive = receive
    self.fail = fail
    self.paused = paused
  }

  /// 10 m and better need satellites, 1 km and worse keep the process alive and little more; D, M* (4.1).
  var tier: Tier { accuracy <= 10 ? .best : accuracy < 1000 ? .network : .keepAlive }
  var wantsReduced: Bool { accuracy >= kCLLocationAccuracyReduced }
  /// Makes the phone switch something on at the moment.
  var isDemanding: Bool { !isPassive && !isResting }
}
