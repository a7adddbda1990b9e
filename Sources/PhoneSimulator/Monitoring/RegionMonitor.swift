import AlarmEngine
import Geometry

/// The regions that an application has asked the phone to watch; they belong to the application and outlive
/// its process. Core Location reference, section 2.
final class RegionMonitor {
  private unowned let phone: Phone
  /// By identifier. The dictionary's order is never visible: every walk is in order of identifiers.
  private var entries: [String: Entry] = [:]
  private var spurious: VirtualClock.Plan?
  /// After a reboot, no region has a state until then.
  private var silentUntil: Instant?

  private struct Entry {
    let region: CLRegion
    /// Nil for beacons, which only count towards the limit.
    let watch: CrossingWatch?
    /// The listener of a `CLMonitor` condition; nil for a region of a location manager.
    let listener: ((_ inside: Bool) -> Void)?
  }

  init(phone: Phone) { self.phone = phone }

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }
  var hasRoom: Bool { Double(entries.count) < phone.parameters.regionLimit }
  /// The regions of location managers, without the conditions of `CLMonitor`s.
  var managerRegions: [CLRegion] { sorted.filter { $0.listener == nil }.map { $0.region.copied() } }
  private var sorted: [Entry] { entries.keys.sorted().compactMap { entries[$0] } }

  /// The reason for which a region may not be added now.
  func refusal(of region: CLRegion) -> CLError? {
    if phone.isReduced || !phone.isAuthorized { return CLError(.regionMonitoringDenied) }
    if let circle = region as? CLCircularRegion, circle.radius > phone.parameters.maximumRegionRadiusMetres {
      return CLError(.regionMonitoringFailure)
    }
    guard entries[region.identifier] != nil || hasRoom else { return CLError(.regionMonitoringFailure) }
    return nil
  }

  /// The reason for which a region just added will be reported late: no signal to find its state by, or no
  /// Wi-Fi. D [A-CLError].
  func delay(of region: CLRegion) -> CLError? {
    if phone.conditions.wifi { return nil }
    guard phone.conditions.network else { return CLError(.regionMonitoringSetupDelayed) }
    let parameters = phone.parameters
    let alternate = (region as? CLCircularRegion).map { circle in
      CLCircularRegion(
        center: circle.center,
        radius: min(circle.radius * parameters.alternateRegionFactor, parameters.maximumRegionRadiusMetres),
        identifier: circle.identifier)
    }
    return CLError(.regionMonitoringResponseDelayed, alternateRegion: alternate)
  }

  /// - Parameter listener: for a condition of a `CLMonitor`; called once the state is known and at each
  ///   change.
  func add(_ region: CLRegion, key: String, listener: ((_ inside: Bool) -> Void)? = nil) {
    remove(key: key)
    let region = region.copied()
    let watch = (region as? CLCircularRegion).map { circle in
      CrossingWatch(phone: phone, rules: rules(for: circle, key: key))
    }
    entries[key] = Entry(region: region, watch: watch, listener: listener)
    phone.record(.regionAdded(key))
    phone.accountForMonitoring()
    if spurious == nil { planSpurious() }
    if phone.iOSVersion?.mayCallRegionsOutsideFirst ?? false, watch != nil, listener == nil,
      phone.randomness.happens(.spurious, probability: phone.parameters.outsideFirstProbability)
    {
      phone.clock.plan(after: .zero) { [unowned self] in
        if entries[key]?.watch === watch { tellState(region, inside: false) }
      }
    }
    phone.clock.plan(after: .seconds(phone.parameters.regionStateDelaySeconds)) {
      [unowned self, weak watch] in
      if let watch, watch.isInside == nil { determine(key, watch) }
    }
  }

  func remove(key: String) {
    guard let entry = entries.removeValue(forKey: key) else { return }
    entry.watch?.stop()
    phone.record(.regionRemoved(key))
    phone.accountForMonitoring()
  }

  func removeAll() { for key in entries.keys.sorted() { remove(key: key) } }

  func state(of identifier: String) -> CLRegionState {
    switch entries[identifier]?.watch?.isInside {
    case true?: .inside
    case false?: .outside
    case nil: .unknown
    }
  }

  private func rules(for circle: CLCircularRegion, key: String) -> CrossingWatch.Rules {
    let parameters = phone.parameters
    let radius = max(circle.radius, parameters.smallestRegionRadiusMetres)
    return CrossingWatch.Rules(
      disc: Disc(centre: circle.center.coordinate, radius: radius),
      exitCushion: parameters.exitCushionMetres, entryCushion: parameters.entryCushionMetres,
      dwell: .seconds(parameters.crossingDwellSeconds),
      latency: { [unowned self] in latency(entering: $0) },
      event: { [unowned self] in crossed(key, entering: $0) },
      coalesced: { [unowned phone] in phone.record(.coalesced(key)) })
  }

  private func latency(entering: Bool) -> Double {
    let parameters = phone.parameters
    let table = entering ? parameters.entryLatency : parameters.exitLatency
    var seconds = table.value(at: phone.randomness.uniform(.regionLatency)) * parameters.regionLatencyFactor
    if !phone.conditions.wifi { seconds *= parameters.wifiOffLatencyFactor }
    return phone.positioning.hasSatellites ? min(seconds, parameters.regionLatencyInSessionSeconds) : seconds
  }

  private func determine(_ key: String, _ watch: CrossingWatch) {
    guard let entry = entries[key], !phone.isOff, silentUntil.map({ phone.now >= $0 }) ?? true else { return }
    let inside = watch.isTrulyInside
    watch.begin(believing: inside)
    phone.record(.stateKnown(key, inside: inside))
    if let listener = entry.listener { return listener(inside) }
    tellState(entry.region, inside: inside)
  }

  private func crossed(_ key: String, entering: Bool) {
    guard let entry = entries[key], !phone.isReduced else { return }
    if phone.randomness.happens(.regionLoss, probability: phone.parameters.regionLossProbability) {
      phone.mayGoDeaf()
      return phone.record(.lost(key))
    }
    guard !phone.isDeaf else { return phone.record(.lost(key)) }
    phone.record(entering ? .entered(key) : .exited(key))
    tell(key, entry, entering: entering)
  }

  private func tell(_ key: String, _ entry: Entry, entering: Bool) {
    if let listener = entry.listener { return listener(entering) }
    let region = entry.region
    guard entering ? region.notifyOnEntry : region.notifyOnExit else {
      return tellState(region, inside: entering)
    }
    let repeats =
      phone.process == nil
      && phone.randomness.happens(.duplicate, probability: phone.parameters.duplicateOnRelaunch)
    phone.wake(.region(key)) { process in
      for _ in 0..<(repeats ? 2 : 1) {
        process.eachManager { $0.tell(region.copied(), entering: entering) }
      }
      process.eachManager { $0.tell(region.copied(), state: entering ? .inside : .outside) }
    }
  }

  /// Reports the state without waking the application. D [W13-307].
  private func tellState(_ region: CLRegion, inside: Bool) {
    guard let process = phone.process, process.isExecuting else { return }
    process.eachManager { $0.tell(region.copied(), state: inside ? .inside : .outside) }
  }

  // MARK: What happens to the phone

  func connectivityReturned() { for entry in sorted { entry.watch?.connectivityReturned() } }

  func permissionChanged() {
    for entry in sorted {
      guard let watch = entry.watch else { continue }
      if phone.isReduced || !phone.isAuthorized {
        watch.stop()
      } else if watch.isInside == nil {
        determine(entry.region.identifier, watch)
      }
    }
  }

  /// The phone is switched off: states are lost, registrations are kept.
  func forget() { for entry in sorted { entry.watch?.stop() } }

  /// The phone is switched on: after the silence the states are known; crossings before that are not
  /// reported.
  func restore(after silence: TimeSpan) {
    let until = phone.now + silence
    silentUntil = until
    phone.clock.plan(at: until) { [unowned self] in
      guard silentUntil == until else { return }
      silentUntil = nil
      for key in entries.keys.sorted() {
        if let watch = entries[key]?.watch { determine(key, watch) }
      }
    }
  }

  private func planSpurious() {
    let wait = phone.randomness.exponential(.spurious, rate: phone.parameters.spuriousEventsPerDay / 86_400)
    guard wait < 1e9 else { return }
    spurious = phone.clock.plan(after: .seconds(wait)) { [unowned self] in
      let known = entries.keys.sorted().filter { entries[$0]?.watch?.isInside != nil }
      if !known.isEmpty {
        let pick = Int(phone.randomness.uniform(.spurious) * Double(known.count))
        phone.record(.spurious(known[pick]))
        entries[known[pick]]?.watch?.mistake()
      }
      planSpurious()
    }
  }
}
