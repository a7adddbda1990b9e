/// What the certified policy has ordered from the phone, and what it is about to tell it.
struct PhoneOrders: Hashable, Sendable {
  private var wishes = PhoneWishes()
  /// What the phone was told last.
  private var told: PhoneWishes?
  private var requests: [WatchCommand] = []

  var toldSilence: Instant? { told?.silence }

  /// What to tell the phone now.
  ///
  /// - Parameter silence: when the phone is to warn that nothing runs any more.
  mutating func commands(silence: Instant?) -> [WatchCommand] {
    wishes.silence = silence
    let commands = wishes.commands(since: told) + requests
    told = wishes
    requests = []
    return commands
  }

  /// A command that stands for itself.
  mutating func add(_ command: WatchCommand) { requests.append(command) }

  /// Nothing at all, until the next schedule opens where there is one.
  mutating func rest(until time: Instant? = nil) {
    wishes = PhoneWishes()
    wishes.timer = time
  }

  mutating func motion(_ isWanted: Bool) { wishes.motion = isWanted }
  /// The motion hardware is to say anew how things stand.
  mutating func motionAnew() { told?.motion = false }
  mutating func significantChanges(_ isWanted: Bool) { wishes.significantChanges = isWanted }
  mutating func dropFences() { wishes.fences = [] }

  mutating func timer(_ time: Instant) { wishes.timer = time }
  /// The timer is used up: the next one is told anew, even for the same time.
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

  /// A session that follows every step.
  mutating func follow(timer: Instant) {
    wishes.fences = []
    wishes.session = Session(accuracy: .best)
    wishes.timer = timer
  }

  /// One fix. A suspended application is kept awake until it is there.
  mutating func ask(
    _ accuracy: DesiredAccuracy, within span: TimeSpan, host: Capabilities.Host, timer: Instant
  ) {
    wishes.session = host == .suspended ? .keepingAwake : nil
    requests.append(.requestFix(accuracy, within: span))
    wishes.timer = timer
  }

  /// Fences; the application is kept awake until the phone says that it is in the one that moves with it.
  mutating func lay(_ fences: [Fence], _ capabilities: Capabilities, timer: Instant) {
    wishes.fences = fences
    wishes.session = .keepingAwake
    wakeBySystem(capabilities)
    wishes.timer = timer
    requests.append(.requestState(.movement))
  }

  /// The application may be suspended; fences stay as they are.
  mutating func suspend() {
    wishes.session = nil
    wishes.timer = nil
  }

  /// The application is suspended without fences.
  mutating func stayReachable(_ capabilities: Capabilities) {
    wishes.fences = []
    wishes.significantChanges = true
    wishes.visits = capabilities.visits
  }

  private mutating func wakeBySystem(_ capabilities: Capabilities) {
    wishes.significantChanges = capabilities.significantChanges
    wishes.visits = capabilities.visits
  }

  /// The phone's clock was set. Timer and silence warning are told anew: the phone holds them by a clock that is no more.
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
