/// The state that the certified policy wants of the phone, and the commands that are still to be sent.
struct PhoneOrders: Hashable, Sendable {
  private var wishes = PhoneWishes()
  /// The state that the phone was last told.
  private var told: PhoneWishes?
  private var requests: [WatchCommand] = []

  var toldSilence: Instant? { told?.silence }

  /// Returns the commands to send now.
  ///
  /// - Parameter silence: when the phone itself should warn that the application no longer runs.
  mutating func commands(silence: Instant?) -> [WatchCommand] {
    wishes.silence = silence
    let commands = wishes.commands(since: told) + requests
    told = wishes
    requests = []
    return commands
  }

  /// Adds a single command.
  mutating func add(_ command: WatchCommand) { requests.append(command) }

  /// Stops everything, until the next schedule opens if there is one.
  mutating func rest(until time: Instant? = nil) {
    wishes = PhoneWishes()
    wishes.timer = time
  }

  mutating func motion(_ isWanted: Bool) { wishes.motion = isWanted }
  /// Makes the motion hardware report again.
  mutating func motionAnew() { told?.motion = false }
  mutating func significantChanges(_ isWanted: Bool) { wishes.significantChanges = isWanted }
  mutating func dropFences() { wishes.fences = [] }

  mutating func timer(_ time: Instant) { wishes.timer = time }
  /// The timer has fired: the next one is sent even if it is for the same time.
  mutating func timerFired() {
    wishes.timer = nil
    told?.timer = nil
  }

  /// The application sleeps by timer.
  mutating func sleep() {
    wishes.fences = []
    wishes.session = nil
  }

  /// A coarse and cheap session keeps a suspended application awake.
  mutating func stayAwake(_ capabilities: Capabilities) {
    wishes.fences = []
    wishes.session = .keepingAwake
    wakeBySystem(capabilities)
  }

  /// Starts a session that reports every step.
  mutating func follow(timer: Instant) {
    wishes.fences = []
    wishes.session = Session(accuracy: .best)
    wishes.timer = timer
  }

  /// Requests one fix and keeps a suspended application awake until it comes.
  mutating func ask(
    _ accuracy: DesiredAccuracy, within span: TimeSpan, host: Capabilities.Host, timer: Instant
  ) {
    wishes.session = host == .suspended ? .keepingAwake : nil
    requests.append(.requestFix(accuracy, within: span))
    wishes.timer = timer
  }

  /// Registers fences and keeps the application awake until the phone reports that it is inside the movement
  /// fence.
  mutating func lay(_ fences: [Fence], _ capabilities: Capabilities, timer: Instant) {
    wishes.fences = fences
    wishes.session = .keepingAwake
    wakeBySystem(capabilities)
    wishes.timer = timer
    requests.append(.requestState(.movement))
  }

  /// Allows the application to be suspended; fences stay as they are.
  ///
  /// - Parameter untilMoved: true if a session should wake it when the phone moves.
  mutating func suspend(untilMoved: Bool = false) {
    wishes.session = untilMoved ? .wakingOnMotion : nil
    wishes.timer = nil
  }

  /// Wakes the application by significant changes and visits, without fences.
  mutating func stayReachable(_ capabilities: Capabilities) {
    wishes.fences = []
    wishes.significantChanges = true
    wishes.visits = capabilities.visits
  }

  private mutating func wakeBySystem(_ capabilities: Capabilities) {
    wishes.significantChanges = capabilities.significantChanges
    wishes.visits = capabilities.visits
  }

  /// Converts timer and silence warning to the new clock and sends them again, since the phone holds their
  /// old times.
  mutating func shift(by jump: ClockJump) {
    wishes.timer = wishes.timer.map { jump.shifted($0) }
    wishes.silence = wishes.silence.map { jump.shifted($0) }
    told?.timer = nil
    told?.silence = nil
  }
}

extension Session {
  fileprivate static var keepingAwake: Self { Self(accuracy: .threeKilometres) }
}
