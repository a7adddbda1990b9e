import AlarmEngine
import Geometry
import Store

/// One thing that a decision may have to know from the store.
enum StoredFact: Hashable, Sendable {
  case state(DeviceID)
  case settings(AccountID)
  case channels(AccountID)
  /// The account's present zones, ready for watching.
  case zones(AccountID, defaultRadius: Distance)
  /// The account's earlier zone sets, as far as the store still has them.
  case formerZones(AccountID, defaultRadius: Distance, [Revision])
  case zonesOfThePast(PastPeriod)
  /// When the account's zones were last edited.
  case lastEdit(AccountID, by: Instant)
  /// The alarms with this id, whether it is their own or the one that the engine gives them now.
  case alarms(named: AlarmID)
  case attempts(AlarmID, AccountID)
  case inputs(DeviceID, AccountID, ClosedRange<Instant>)
  case fix(DeviceID, AccountID, measuredAt: Instant)
  /// The time of the last fix before a time and not before another.
  case timeOfFix(DeviceID, AccountID, before: Instant, notBefore: Instant)
  /// The companion alarms that are set on the device.
  case companions(DeviceID)
  case companionNeighbours(DeviceID)
  /// The last known place of a phone, or of the account's phone that was located last.
  case lastPlace(AccountID, phone: DeviceID?)
}

/// A period that is judged again, and the zone set that the device's engine has now.
struct PastPeriod: Hashable, Sendable {
  let device: DeviceID
  let account: AccountID
  let defaultRadius: Distance
  let from: Instant
  let present: Revision
  /// Times that must be judged by exactly the zones of that time.
  let needed: [Instant]
}

/// The zone sets of a period, except the one that the engine has now.
struct PastZoneSets: Sendable {
  let times: ZoneTimes
  let zones: [Revision: WatchedZones]
}

/// The facts that have been read from the store for a decision.
///
/// A decision cannot wait. If it needs a fact that has not been read, it gets an empty answer, and the fact is
/// added to ``missing``. The caller then discards the decision, reads the missing facts, and decides again from
/// the start.
struct StoredFacts: Sendable {
  /// The facts that were requested and have not been read, in the order of the requests.
  private(set) var missing: [StoredFact] = []

  /// Nil for a device that does not exist.
  private var states: [DeviceID: DeviceState?] = [:]
  private var settings: [AccountID: String] = [:]
  private var channels: [AccountID: [Channel]] = [:]
  private var zones: [AccountID: [Distance: ZoneSets.Entry]] = [:]
  /// The revision of the account's zones in the store. It may be later than the zones that are ready.
  private(set) var zoneRevisions: [AccountID: Revision] = [:]
  private var others: [StoredFact: Other] = [:]

  /// Facts that concern one device or alarm. They are read for one decision and not kept for the next.
  private enum Other: Sendable {
    case formerZones([Revision: WatchedZones])
    case zonesOfThePast(PastZoneSets?)
    case lastEdit(Instant?)
    case alarms([AlarmRecord])
    case attempts([DeliveryAttempt])
    case inputs(fixes: [StoredFix], commands: [DeviceCommand])
    case fix(StoredFix?)
    case timeOfFix(Instant?)
    case companions([CompanionSight])
    case companionNeighbours([CompanionNeighbour])
    case lastPlace(Fix?)
  }

  /// True if the decision so far had all facts that it requested.
  var isComplete: Bool { missing.isEmpty }

  /// Returns the facts that the next decision of the same transaction may use: those of accounts, and the states
  /// of devices that have not had their decision.
  func forNextTurn(after device: DeviceID?) -> Self {
    var facts = self
    facts.missing = []
    facts.others = [:]
    if let device { facts.states[device] = nil }
    return facts
  }

  /// Clears the missing facts before a decision is tried again.
  mutating func forgetMissing() { missing = [] }
}

// MARK: Requests of a turn

extension StoredFacts {
  /// Returns nil if the device does not exist.
  mutating func state(of device: DeviceID) -> DeviceState? { found(states[device], .state(device)) ?? nil }

  /// Returns the account's settings as they are stored.
  mutating func settings(of account: AccountID) -> String {
    found(settings[account], .settings(account)) ?? "{}"
  }

  mutating func channels(of account: AccountID) -> [Channel] {
    found(channels[account], .channels(account)) ?? []
  }

  mutating func zones(of account: AccountID, _ settings: Settings) -> ZoneSets.Entry? {
    let radius = settings.defaultRadius
    return found(zones[account]?[radius], .zones(account, defaultRadius: radius))
  }

  mutating func formerZones(
    of account: AccountID, _ settings: Settings, _ revisions: [Revision]
  ) -> [Revision: WatchedZones] {
    if case .formerZones(let sets)? = other(
      .formerZones(account, defaultRadius: settings.defaultRadius, revisions))
    {
      sets
    } else {
      [:]
    }
  }

  /// Returns nil if the zones were not edited in the period.
  /// - Parameter present: the zones that the engine has now.
  mutating func zonesOfThePast(_ period: PastPeriod, present: WatchedZones) -> ZonesOfThePast? {
    guard case .zonesOfThePast(let sets?)? = other(.zonesOfThePast(period)) else { return nil }
    return ZonesOfThePast(sets.times) { $0 == period.present ? present : sets.zones[$0] }
  }

  mutating func lastEdit(of account: AccountID, by now: Instant) -> Instant? {
    if case .lastEdit(let time)? = other(.lastEdit(account, by: now)) { time } else { nil }
  }

  mutating func alarm(_ id: AlarmID) -> AlarmRecord? { alarms(named: id).first { $0.id == id } }

  /// Returns the alarms with this id, whether it is their own or the one that the engine gives them now.
  mutating func alarms(named id: AlarmID) -> [AlarmRecord] {
    if case .alarms(let alarms)? = other(.alarms(named: id)) { alarms } else { [] }
  }

  mutating func attempts(of alarm: AlarmRecord) -> [DeliveryAttempt] {
    if case .attempts(let attempts)? = other(.attempts(alarm.id, alarm.account)) { attempts } else { [] }
  }

  mutating func inputs(
    of device: DeviceID, _ account: AccountID, in range: ClosedRange<Instant>
  ) -> (fixes: [StoredFix], commands: [DeviceCommand]) {
    if case .inputs(let fixes, let commands)? = other(.inputs(device, account, range)) {
      (fixes, commands)
    } else {
      ([], [])
    }
  }

  mutating func fix(of device: DeviceID, _ account: AccountID, measuredAt time: Instant) -> StoredFix? {
    if case .fix(let fix)? = other(.fix(device, account, measuredAt: time)) { fix } else { nil }
  }

  mutating func timeOfFix(
    of device: DeviceID, _ account: AccountID, before time: Instant, notBefore earliest: Instant
  ) -> Instant? {
    let fact = StoredFact.timeOfFix(device, account, before: time, notBefore: earliest)
    return if case .timeOfFix(let found)? = other(fact) { found } else { nil }
  }

  mutating func companions(of device: DeviceID) -> [CompanionSight] {
    if case .companions(let companions)? = other(.companions(device)) { companions } else { [] }
  }

  mutating func companionNeighbours(of device: DeviceID) -> [CompanionNeighbour] {
    if case .companionNeighbours(let found)? = other(.companionNeighbours(device)) { found } else { [] }
  }

  mutating func lastPlace(of account: AccountID, phone: DeviceID?) -> Fix? {
    if case .lastPlace(let found)? = other(.lastPlace(account, phone: phone)) { found } else { nil }
  }

  private mutating func other(_ fact: StoredFact) -> Other? { found(others[fact], fact) }

  private mutating func found<Value>(_ value: Value?, _ fact: StoredFact) -> Value? {
    if value == nil, !missing.contains(fact) { missing.append(fact) }
    return value
  }
}

// MARK: Answers of the store

extension StoredFacts {
  func isKnown(_ fact: StoredFact) -> Bool {
    switch fact {
    case .state(let device): states[device] != nil
    case .settings(let account): settings[account] != nil
    case .channels(let account): channels[account] != nil
    case .zones(let account, let radius): zones[account]?[radius] != nil
    case .formerZones, .zonesOfThePast, .lastEdit, .alarms, .attempts, .inputs, .fix, .timeOfFix,
      .companions,
      .companionNeighbours, .lastPlace:
      others[fact] != nil
    }
  }

  mutating func note(_ state: DeviceState?, of device: DeviceID) {
    states[device] = .some(state)
    // Edits may have been made since another device's state was read.
    if let account = state?.device.account, let revision = state?.zoneSet { note(revision, of: account) }
  }

  mutating func note(settings json: String, of account: AccountID) { settings[account] = json }

  mutating func note(_ all: [Channel], of account: AccountID) { channels[account] = all }

  mutating func note(_ revision: Revision, of account: AccountID) {
    let latest = max(revision, zoneRevisions[account] ?? revision)
    guard latest != zoneRevisions[account] else { return }
    zoneRevisions[account] = latest
    zones[account] = nil
  }

  mutating func note(_ entry: ZoneSets.Entry, of account: AccountID, defaultRadius: Distance) {
    zones[account, default: [:]][defaultRadius] = entry
  }

  mutating func note(formerZones sets: [Revision: WatchedZones], _ fact: StoredFact) {
    others[fact] = .formerZones(sets)
  }

  mutating func note(zonesOfThePast zones: PastZoneSets?, _ period: PastPeriod) {
    others[.zonesOfThePast(period)] = .zonesOfThePast(zones)
  }

  mutating func note(lastEdit time: Instant?, _ fact: StoredFact) { others[fact] = .lastEdit(time) }

  mutating func note(alarms: [AlarmRecord], named id: AlarmID) {
    others[.alarms(named: id)] = .alarms(alarms)
  }

  mutating func note(attempts: [DeliveryAttempt], _ fact: StoredFact) { others[fact] = .attempts(attempts) }

  mutating func note(inputs fixes: [StoredFix], _ commands: [DeviceCommand], _ fact: StoredFact) {
    others[fact] = .inputs(fixes: fixes, commands: commands)
  }

  mutating func note(companionNeighbours: [CompanionNeighbour], _ fact: StoredFact) {
    others[fact] = .companionNeighbours(companionNeighbours)
  }

  mutating func note(lastPlace fix: Fix?, _ fact: StoredFact) { others[fact] = .lastPlace(fix) }

  mutating func note(companions: [CompanionSight], _ fact: StoredFact) {
    others[fact] = .companions(companions)
  }

  mutating func note(timeOfFix time: Instant?, _ fact: StoredFact) { others[fact] = .timeOfFix(time) }

  mutating func note(fix: StoredFix?, _ fact: StoredFact) { others[fact] = .fix(fix) }
}
