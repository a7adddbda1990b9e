import Geometry

/// What holds for all zones of a set together.
struct ZoneSummary: Sendable {
  private(set) var farthestAlert = Distance.zero
  private(set) var longestLead = TimeSpan.zero
  /// How many zones there are of each assurance, without a lead time and with one.
  private var kinds = [Int](repeating: 0, count: 2 * Assurance.allCases.count)
  /// How many active zones have no schedule.
  private var alwaysOpen = 0
  /// The schedules of active zones, each once, with a number made of it and how many zones have it: none, after some edits.
  private var schedules: [Schedule] = []
  private var numbers: [UInt64] = []
  private var users: [Int] = []

  init() {}

  init(of zones: ZoneList) { for zone in zones { add(zone) } }

  mutating func add(_ zone: Zone) { count(zone, by: 1) }

  /// False where the others' greatest numbers have to be looked for: this zone's were the greatest.
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

  /// True if any zone is of this kind: no search for the nearest of a kind that there is not.
  func hasZones(_ assurance: Assurance, withLead: Bool) -> Bool {
    kinds[Self.kind(assurance, withLead: withLead)] > 0
  }

  /// The greatest factor of any zone's errors; 1 without zones.
  var widestFactor: Double {
    var widest = 0.0
    for assurance in Assurance.allCases
    where hasZones(assurance, withLead: false) || hasZones(assurance, withLead: true) {
      widest = max(widest, Rule.errorFactor(assurance))
    }
    return widest > 0 ? widest : 1
  }

  var activeCount: Int { users.reduce(alwaysOpen, +) }

  /// How many active zones are within their schedule, or have none.
  func openCount(at now: Instant) -> Int {
    var count = alwaysOpen
    for place in users.indices where users[place] > 0 && schedules[place].isOpen(at: now) {
      count += users[place]
    }
    return count
  }

  /// When the first schedule of an active zone opens next; `others` are some active zones that are left aside.
  func nextOpening(after now: Instant, without others: [Zone] = []) -> Instant? {
    var next: Instant?
    for place in users.indices where users[place] > others.count(where: { $0.schedule == schedules[place] }) {
      guard let opening = schedules[place].nextOpening(after: now) else { continue }
      next = min(next ?? opening, opening)
    }
    return next
  }

  /// When the next schedule of an active zone opens or closes.
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
