import AlarmEngine
import Geometry

/// The geofences of an Android application: dropped at reboot, reported late. Section 12.
final class GeofenceMonitor {
  private unowned let phone: Phone
  /// By request id; visited in order of ids only.
  private var entries: [String: Entry] = [:]
  private var intents: Set<String> = []
  /// The times of the application's latest registrations.
  private var asked: [Instant] = []

  private struct Entry {
    let fence: Geofence
    let watch: CrossingWatch
    var dwell: VirtualClock.Plan?
  }

  init(phone: Phone) { self.phone = phone }

  var isEmpty: Bool { entries.isEmpty }
  var ids: [String] { entries.keys.sorted() }

  func add(
    _ fences: [Geofence], initialTrigger: Geofence.Transitions, intent: String
  ) throws(GeofencingError) {
    guard phone.conditions.network || phone.conditions.wifi, phone.permission.servicesEnabled else {
      throw .notAvailable
    }
    guard phone.permission.status == .authorizedAlways, !phone.isReduced else {
      throw .insufficientPermission
    }
    asked = asked.filter { phone.now - $0 < .minutes(1) } + [phone.now]
    let most = Int(phone.parameters.geofenceRequestsPerMinute)
    guard asked.count <= most else { throw .requestTooFrequent(given: asked.count, allowed: most) }
    let allIntents = intents.union([intent])
    let intentLimit = Int(phone.parameters.geofenceIntentLimit)
    guard allIntents.count <= intentLimit else {
      throw .tooManyPendingIntents(given: allIntents.count, allowed: intentLimit)
    }
    let all = Set(entries.keys).union(fences.map(\.requestID))
    let limit = Int(phone.parameters.geofenceLimit)
    guard all.count <= limit else { throw .tooManyGeofences(given: all.count, allowed: limit) }
    intents = allIntents
    for fence in fences { add(fence, initialTrigger: initialTrigger) }
    phone.accountForMonitoring()
  }

  private func add(_ fence: Geofence, initialTrigger: Geofence.Transitions) {
    let id = fence.requestID
    remove([id])
    let parameters = phone.parameters
    let rules = CrossingWatch.Rules(
      disc: Disc(
        centre: fence.centre, radius: max(fence.radius.metres, parameters.smallestGeofenceRadiusMetres)),
      exitCushion: 0, entryCushion: 0, dwell: .zero,
      latency: { [unowned self] _ in latency(fence) },
      event: { [unowned self] in crossed(id, entering: $0) },
      coalesced: { [unowned phone] in phone.record(.coalesced(id)) })
    let watch = CrossingWatch(phone: phone, rules: rules)
    entries[id] = Entry(fence: fence, watch: watch)
    phone.record(.regionAdded(id))
    phone.clock.plan(after: .seconds(parameters.regionStateDelaySeconds)) { [unowned self, weak watch] in
      guard let watch, entries[id]?.watch === watch else { return }
      let inside = watch.isTrulyInside
      watch.begin(believing: inside)
      phone.record(.stateKnown(id, inside: inside))
      if inside {
        if initialTrigger.contains(.enter) { tell(id, .enter) }
        planDwell(id)
      } else if initialTrigger.contains(.exit) {
        tell(id, .exit)
      }
    }
  }

  func remove(_ ids: [String]) {
    for id in ids {
      guard let entry = entries.removeValue(forKey: id) else { continue }
      entry.watch.stop()
      entry.dwell?.cancel()
      phone.record(.regionRemoved(id))
    }
    phone.accountForMonitoring()
  }

  func removeAll() {
    remove(ids)
    intents = []
  }

  private func latency(_ fence: Geofence) -> Double {
    let parameters = phone.parameters
    func draw() -> Double { phone.randomness.uniform(.geofence) }
    var seconds = parameters.geofenceLatency.value(at: draw())
    if phone.limitsBackground { seconds += draw() * parameters.geofenceBackgroundSeconds }
    if phone.restBeforeMoving.seconds > parameters.geofenceStillAfterSeconds {
      seconds += draw() * parameters.geofenceStillSeconds
    }
    seconds += draw() * fence.responsiveness.seconds
    if !phone.conditions.wifi { seconds *= parameters.wifiOffLatencyFactor }
    return phone.positioning.hasSatellites ? min(seconds, parameters.regionLatencyInSessionSeconds) : seconds
  }

  private func crossed(_ id: String, entering: Bool) {
    let parameters = phone.parameters
    let loss = parameters.regionLossProbability + (phone.conditions.wifi ? 0 : parameters.geofenceWifiOffLoss)
    if phone.randomness.happens(.regionLoss, probability: loss) {
      return phone.record(.lost(id))
    }
    phone.record(entering ? .entered(id) : .exited(id))
    entries[id]?.dwell?.cancel()
    if entering { planDwell(id) }
    tell(id, entering ? .enter : .exit)
  }

  private func planDwell(_ id: String) {
    guard let fence = entries[id]?.fence, fence.transitions.contains(.dwell), let delay = fence.loiteringDelay
    else { return }
    entries[id]?.dwell = phone.clock.plan(after: delay) { [unowned self] in
      phone.record(.dwelt(id))
      tell(id, .dwell)
    }
  }

  private func tell(_ id: String, _ transition: Geofence.Transitions) {
    guard entries[id]?.fence.transitions.contains(transition) ?? false else { return }
    phone.wake(.geofence(id)) { process in
      (process.application as? any GeofenceReceiver)?.geofence(id, did: transition)
    }
  }
}
