import AlarmEngine

/// One client's request for positions: a session, or a single fix.
final class UpdateStream {
  enum Kind { case continuous, single }
  /// The hardware that a request makes the phone switch on.
  enum Tier: Int, Comparable {
    case keepAlive, network, best
    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  let kind: Kind
  /// Metres, or a negative constant for the best available.
  var accuracy: Double
  /// Metres; negative: none.
  var filter: Double
  var pausesWhenStill = false
  /// The activity type of a session that may pause.
  var activity = CLActivityType.other
  /// Pauses while the phone is still, and resumes by itself, also in a suspended application.
  var restsWhenStill = false
  /// Gets the positions that others ask for, and switches nothing on.
  var isPassive = false
  /// A cached position older than this many seconds is not delivered first; nil means the platform's limit.
  var oldestCached: Double?
  /// Set while fixes are collected, to be delivered together.
  var deferral: Deferral?
  /// Least number of seconds between fixes, on platforms with that setting.
  var interval = 0.0
  /// Seconds after which a single fix fails.
  var timeout = 0.0
  /// True if it may continue after the application has left the foreground.
  var allowsBackground = false
  var startedInForeground = false
  /// True if a background activity, and not the flag above, lets it continue in the background.
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
  /// Called when fixes are delivered one by one again.
  var deferralEnded: (CLError.Code?) -> Void = { _ in }
  /// Called when no position could be found.
  let fail: () -> Void
  let paused: () -> Void

  // State of `Positioning`.
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

  /// 10 m and better need satellites; 1 km and coarser do little more than keep the process alive. D, M*
  /// (4.1).
  var tier: Tier { accuracy <= 10 ? .best : accuracy < 1000 ? .network : .keepAlive }
  var wantsReduced: Bool { accuracy >= kCLLocationAccuracyReduced }
  /// True if the request needs hardware at the moment.
  var isDemanding: Bool { !isPassive && !isResting }
}
