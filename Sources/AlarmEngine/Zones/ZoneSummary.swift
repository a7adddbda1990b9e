import Geometry

/// The values that depend on all zones of a set together.
struct ZoneSummary: Sendable {
  private(set) var farthestAlert = Distance.zero
  private(set) var longestLead = TimeSpan.zero
  /// The number of zones of each assurance, without a lead time and with one.
  private var kinds = [Int](repeating: 0, count: 2 * Assurance.allCases.count)
  /// The number of active zones without a schedule.
  private var alwaysOpen = 0
  /// The schedules of active zones, each once, with a hash and the number of zones that have it, which can be
  /// zero after edits.
  private var schedules: [Schedule] = []
  private var numbers: [UInt64] = []
  private var users: [Int] = []

  init() {}

  init(of zones: ZoneList) { for zone in zones { add(zone) } }

  mutating func add(_ zone: Zone) { count(zone, by: 1) }

  /// Returns false if the maxima have to be computed again, because this zone may have held one.
  mutating func remove(_ zone: Zone) -> Bool {
    count(zone, by: -1)
    return (zone.alertDistance < farthestAlert || farthestAlert == .zero)
      && (zone.leadTime ?? .zero < longestLead || longestLead == .zero)
  }

  private mutating func count(_ zone: Zone, by step: Int) {
    farthestAlert = max(farthestAlert, zone.alertDistance)
    longestLead = max(longestLead, zone.leadTime ?? .zero)
    kinds[Self.kind(zone.assurance, withLead: zone.leadTime != nil)] += step
    guard zone.active else { return }
    guard let schedule = zone.schedule else {
      alwaysOpen += step
      return
    }
    let number = schedule.digest
    for place in numbers.indices where numbers[place] == number && schedules[place] == schedule {
      users[place] += step
      return
    }
    schedules.append(schedule)
    numbers.append(number)
    users.append(step)
  }

  /// True if any zone is of this kind. Otherwise no nearest zone of the kind need be searched.
  func hasZones(_ assurance: Assurance, withLead: Bool) -> Bool {
    kinds[Self.kind(assurance, withLead: withLead)] > 0
  }

  /// The greatest error factor of any zone; 1 without zones.
  var widestFactor: Double {
    var widest = 0.0
    for assurance in Assurance.allCases
    where hasZones(assurance, withLead: false) || hasZones(assurance, withLead: true) {
      widest = max(widest, Rule.errorFactor(assurance))
    }
    return widest > 0 ? widest : 1
  }

  var activeCount: Int { users.reduce(alwaysOpen, +) }

  /// The number of active zones whose schedule is open, or that have none.
  func openCount(at now: Instant) -> Int {
    var count = alwaysOpen
    for place in users.indices where users[place] > 0 && schedules[place].isOpen(at: now) {
      count += users[place]
    }
    return count
  }

  /// The next time at which a schedule of an active zone opens, without the active zones `others`.
  func nextOpening(after now: Instant, without others: [Zone] = []) -> Instant? {
    var next: Instant?
    for place in users.indices where users[place] > others.count(where: { $0.schedule == schedules[place] }) {
      guard let opening = schedules[place].nextOpening(after: now) else { continue }
      next = min(next ?? opening, opening)
    }
    return next
  }

  /// The next time at which a schedule of an active zone opens or closes.
  func nextScheduleChange(after now: Instant) -> Instant? {
    var next: Instant?
    for place in users.indices where users[place] > 0 {
      guard let change = schedules[place].nextChange(after: now) else { continue }
      next = min(next ?? change, change)
    }
    return next
  }

  private static func kind(_ assurance: Assurance, withLead: Bool) -> Int {
    Int(assurance.rawValue) * 2 + (withLead ? 1 : 0)
  }
}
