import AlarmEngine
import Foundation

/// A named monitor's conditions and their last events. The system keeps them after the process has ended.
final class MonitorStore {
  private unowned let phone: Phone
  let name: String
  private(set) var records: [String: CLMonitor.Record] = [:]
  /// Events not delivered yet, oldest first.
  private var pending: [CLMonitor.Event] = []
  /// The iterator that waits for the next event.
  private var waiting: CheckedContinuation<CLMonitor.Event?, Never>?
  /// True if the running process has opened it.
  private(set) var isOpen = false
  /// True if the running process has asked for events.
  private var isAttended = false
  /// Conditions that are not watched, because there was no room.
  private var unmonitored: Set<String> = []
  /// Ids in the order in which they were added.
  private var added: [String] = []
  /// Conditions that no longer work after a restart.
  private var dead: Set<String> = []
  /// Entries held back until the application is opened.
  private var held: [CLMonitor.Event] = []

  init(phone: Phone, name: String) {
    self.phone = phone
    self.name = name
  }

  /// - Precondition: not open already.
  func open() {
    precondition(!isOpen, "a monitor of one name is opened once in a process")
    isOpen = true
    // R [CIO]: the current states are delivered again after each start.
    for id in records.keys.sorted() {
      guard let record = records[id], record.lastEvent.state != .unknown else { continue }
      let event = CLMonitor.Event(
        identifier: id, state: record.lastEvent.state, date: record.lastEvent.date)
      if holds(event) { held.append(event) } else { tell(event) }
    }
  }

  func processEnded() {
    isOpen = false
    isAttended = false
    pending = []
    held = []
    waiting?.resume(returning: nil)
    waiting = nil
  }

  func rebooted() {
    if phone.parameters.monitorDeadAfterReboot > 0 { dead.formUnion(records.keys) }
  }

  func cameToForeground() {
    let events = held
    held = []
    for event in events { tell(event) }
  }

  // MARK: Conditions

  func add(_ condition: any CLCondition, id: String, assuming state: CLMonitor.Event.State) {
    remove(id)
    added.append(id)
    let date = Date(phone.now)
    records[id] = CLMonitor.Record(
      condition: condition, lastEvent: CLMonitor.Event(identifier: id, state: state, date: date))
    watch(id)
  }

  func remove(_ id: String) {
    guard records.removeValue(forKey: id) != nil else { return }
    added.removeAll { $0 == id }
    phone.regions.remove(key: key(id))
    unmonitored.remove(id)
    dead.remove(id)
    // A slot has become free; a waiting condition takes it.
    if let next = nextToRevive {
      unmonitored.remove(next)
      watch(next)
    }
  }

  private func watch(_ id: String) {
    guard let circle = records[id]?.condition as? CLMonitor.CircularGeographicCondition else {
      return happened(id, .unmonitored, .unsupported)
    }
    if let obstacle {
      unmonitored.insert(id)
      return happened(id, .unmonitored, obstacle)
    }
    let region = CLCircularRegion(center: circle.center, radius: circle.radius, identifier: key(id))
    phone.regions.add(region, key: key(id)) { [unowned self] inside in
      happened(id, inside ? .satisfied : .unsatisfied)
    }
  }

  private var nextToRevive: String? {
    phone.parameters.monitorRevivesLastFirst > 0
      ? added.last { unmonitored.contains($0) } : unmonitored.sorted().first
  }

  /// The reason for which no condition can be watched at the moment.
  private var obstacle: CLMonitor.Event.Obstacle? {
    if !phone.permission.servicesEnabled { return .deniedGlobally }
    switch phone.permission.status {
    case .denied: return .denied
    case .restricted: return .restricted
    case .notDetermined: return .requestInProgress
    case .authorizedAlways, .authorizedWhenInUse: break
    }
    if phone.isReduced { return .accuracyLimited }
    return phone.regions.hasRoom ? nil : .limitExceeded
  }

  private func key(_ id: String) -> String { "\(name)/\(id)" }

  // MARK: Events

  private func happened(
    _ id: String, _ state: CLMonitor.Event.State, _ obstacle: CLMonitor.Event.Obstacle? = nil
  ) {
    guard let record = records[id], record.lastEvent.state != state, !dead.contains(id) else { return }
    let event = CLMonitor.Event(identifier: id, state: state, date: Date(phone.now), obstacle: obstacle)
    records[id] = CLMonitor.Record(condition: record.condition, lastEvent: event)
    guard mayTell else { return phone.record(.undeliverable(.region(key(id)))) }
    if phone.process?.state == .foreground { return hand(event) }
    phone.wake(.region(key(id))) { [unowned self] _ in hand(event) }
  }

  private func hand(_ event: CLMonitor.Event) {
    if holds(event) { held.append(event) } else { tell(event) }
    guard !isAttended, event.state != .unmonitored else { return }
    // D [CLM.h]: nothing awaits the event, so the condition is no longer watched.
    phone.regions.remove(key: key(event.identifier))
    unmonitored.insert(event.identifier)
  }

  /// True if an entry is held back until an application launched in the background is opened. R [F-812111].
  private func holds(_ event: CLMonitor.Event) -> Bool {
    event.state == .satisfied && phone.parameters.monitorHoldsEntries > 0
      && phone.process?.isBackgroundLaunch ?? false
  }

  private var mayTell: Bool {
    phone.parameters.monitorNeedsServiceSession == 0 || phone.holdsAlwaysSession
      || phone.process?.state == .foreground || !(phone.iOSVersion?.hasServiceSessions ?? false)
  }

  private func tell(_ event: CLMonitor.Event) {
    if let waiting {
      self.waiting = nil
      waiting.resume(returning: event)
    } else {
      pending.append(event)
    }
  }

  /// Notes that the process awaits events, and watches again the conditions dropped without that.
  func attend() {
    guard !isAttended else { return }
    isAttended = true
    for id in unmonitored.sorted() where phone.regions.hasRoom {
      unmonitored.remove(id)
      watch(id)
    }
  }

  func next(_ continuation: CheckedContinuation<CLMonitor.Event?, Never>) {
    attend()
    if pending.isEmpty {
      waiting?.resume(returning: nil)  // A second iterator takes the events from the first.
      waiting = continuation
    } else {
      continuation.resume(returning: pending.removeFirst())
    }
  }
}
