import AlarmEngine

/// The satellite receiver: off, looking for satellites, or tracking them.
final class SatelliteReceiver {
  enum State { case off, acquiring, tracking }

  private unowned let phone: Phone
  private(set) var state = State.off
  private var lastUse: Instant?
  private var ready: VirtualClock.Plan?
  private var tail: VirtualClock.Plan?
  /// Called at the first fix.
  var found: () -> Void = {}
  /// Called when power or state has changed.
  var changed: () -> Void = {}

  init(phone: Phone) { self.phone = phone }

  var isInTail: Bool { tail?.isPending ?? false }

  func want(_ wanted: Bool) {
    if wanted && state == .off {
      tail?.cancel()
      acquire()
    } else if !wanted && state != .off {
      ready?.cancel()
      state = .off
      lastUse = phone.now
      tail = phone.clock.plan(after: .seconds(phone.energyProfile.tailSeconds)) { [unowned self] in changed()
      }
    }
  }

  /// Called when satellites may have come into view or gone out of it.
  func surroundingsChanged() {
    guard state != .off else { return }
    if state == .tracking { lastUse = phone.now }
    ready?.cancel()
    acquire()
  }

  private func acquire() {
    let parameters = phone.parameters
    let sinceLastUse = lastUse.map { (phone.now - $0).seconds } ?? .infinity
    guard phone.conditions.satellites else {
      state = .acquiring
      return
    }
    if state == .tracking && chance(of: phone.journey.surroundings(at: phone.now)) { return }
    state = .acquiring
    let seconds: Double
    if sinceLastUse < parameters.hotStartWithinSeconds {
      seconds = draw(parameters.hotStartMedianSeconds, parameters.hotStartSigma)
    } else if !phone.conditions.network && sinceLastUse > parameters.coldStartAfterSeconds {
      seconds = draw(parameters.coldStartMedianSeconds, parameters.coldStartSigma)
    } else {
      seconds = draw(parameters.warmStartMedianSeconds, parameters.warmStartSigma)
    }
    if chance(of: phone.journey.surroundings(at: phone.now)) {
      ready = phone.clock.plan(after: .seconds(seconds)) { [unowned self] in
        state = .tracking
        changed()
        found()
      }
    } else {
      ready = phone.clock.plan(after: .seconds(parameters.acquisitionWindowSeconds)) { [unowned self] in
        acquire()
      }
    }
  }

  private func draw(_ median: Double, _ sigma: Double) -> Double {
    phone.randomness.lognormal(.firstFix, median: median, sigma: sigma)
  }

  /// Draws whether satellites are found within the current window.
  private func chance(of surroundings: Journey.Surroundings) -> Bool {
    let failure =
      switch surroundings {
      case .outdoors: phone.parameters.noFixOutdoors
      case .urbanCanyon: phone.parameters.noFixUrbanCanyon
      case .indoors: phone.parameters.noFixIndoors
      }
    return !phone.randomness.happens(.acquisition, probability: failure)
  }
}
