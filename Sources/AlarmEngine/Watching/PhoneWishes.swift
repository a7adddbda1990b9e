/// The state of the phone that a policy wants. Commands are the difference between two of these.
struct PhoneWishes: Hashable, Sendable {
  var session: Session?
  var fences: [Fence] = []
  var significantChanges = false
  var visits = false
  var motion = false
  var timer: Instant?
  /// The time at which the phone itself warns that the application no longer runs.
  var silence: Instant?

  /// Returns the commands that turn the phone's state `former` into this one; all commands if `former` is
  /// nil.
  ///
  /// A session starts before and ends after everything else, so that the application it keeps awake is not
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
  /// Rounds down to a millisecond, so that a deadline is never postponed.
  func adding(seconds: Double) -> Self {
    self + .milliseconds(Int64((min(max(seconds, -1e12), 1e12) * 1000).rounded(.down)))
  }
}
