/// All that a policy wants of the phone at one time; commands are the difference between two of them.
struct PhoneWishes: Hashable, Sendable {
  var session: Session?
  var fences: [Fence] = []
  var significantChanges = false
  var visits = false
  var motion = false
  var timer: Instant?
  /// When the phone is to warn by itself that nothing runs any more.
  var silence: Instant?

  /// What to tell a phone that was last told `former`; everything where nothing is known of it.
  ///
  /// A session starts before and ends after all else, so that an application that it keeps running is not
  /// suspended halfway.
  func commands(since former: Self?) -> [WatchCommand] {
    var commands: [WatchCommand] = []
    if let session, former?.session != session { commands.append(.session(session)) }
    if former.map({ $0.fences != fences }) ?? true { commands.append(.fences(fences)) }
    if former?.significantChanges != significantChanges {
      commands.append(.significantChanges(significantChanges))
    }
    if former?.visits != visits { commands.append(.visits(visits)) }
    if former?.motion != motion { commands.append(.motion(motion)) }
    if former.map({ $0.timer != timer }) ?? true { commands.append(.timer(timer)) }
    if former?.silence != silence { commands.append(.warnIfSilent(at: silence)) }
    if session == nil, former.map({ $0.session != nil }) ?? true { commands.append(.endSession) }
    return commands
  }
}

extension Instant {
  /// Rounded down to a millisecond: a deadline is never put off.
  func adding(seconds: Double) -> Self {
    self + .milliseconds(Int64((min(max(seconds, -1e12), 1e12) * 1000).rounded(.down)))
  }
}
