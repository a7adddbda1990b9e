import Geometry

/// All reminders of one phone, and the places nearby: inputs in, effects out (S200-S220).
///
/// An active reminder is announced once per visit, for the nearest of its places. The list follows the places
/// of snoozed and completed reminders too, so that one which becomes active again near a place is announced
/// at once. If the last fix is older than ``Settings/positionHorizon``, or came later than ``timely`` after it
/// was measured, the next one decides: nobody is reminded of a shop that they may have left.
///
/// Time is that of the inputs and never runs backwards, except after `clockJumped`. A fix older than the last
/// used one is ignored with a reason: past positions are of no use to a shopper, so there is no `Timeline`
/// here.
public struct ReminderList: Hashable, Sendable {
  public enum Input: Hashable, Sendable {
    case fix(Fix)
    case command(Command, at: Instant)
    /// Lets time pass, so that snoozes end.
    case advance(to: Instant)
    /// The phone's clock was set by this much. Knowledge of places is kept. A snooze ends at the earlier of
    /// its ends by the old and by the new clock.
    case clockJumped(by: TimeSpan, at: Instant)
  }
  public enum Command: Hashable, Sendable {
    case add(Reminder)
    /// Replaces the reminder with the same id.
    case edit(Reminder)
    case remove(ReminderID)
    case complete(ReminderID)
    case toggleItem(ReminderID, index: Int)
    case snooze(ReminderID, until: Instant)
    /// Makes a snoozed reminder (S215), or a completed one, active.
    case restart(ReminderID)
  }
  public enum Effect: Hashable, Sendable {
    /// Show a notification, with sound.
    case notify(ReminderID, Reminder.Place, distance: Distance)
    /// Withdraw the notification: the reminder was snoozed, completed or removed, or the place was left.
    case withdraw(ReminderID)
    /// The places nearby or their order changed.
    case nearbyChanged([NearbyPlace])
    case ignored(Fix, Ignored)
    /// The command changed nothing.
    case refused(ReminderID, Refusal)
  }
  /// The reason why a fix changed nothing.
  public enum Ignored: UInt8, Hashable, Sendable {
    case invalidAccuracy
    /// Measured later than received, by more than the clock allowance.
    case fromTheFuture
    /// Measured no later than the last fix that was used.
    case notNewer
    /// Its error is larger than `largestError`.
    case tooCoarse
    /// An outlier: it needs more than the maximum speed. The next fix that agrees with it is used.
    case outlier
  }
  public enum Refusal: Hashable, Sendable {
    case unknownReminder
    case idTaken
    case noSuchItem(given: Int, count: Int)
  }

  struct Entry: Hashable, Sendable {
    var reminder: Reminder
    var visit = ReminderVisit()
  }

  /// Ascending by id.
  var entries: [Entry] = []
  private let settings: Settings
  var now: Instant?
  var last: ReminderVisit.Position?
  var suspect: ReminderVisit.Position?

  /// - Parameters:
  ///   - reminders: if several have one id, the first counts.
  ///   - settings: only the maximum speed, the accuracy that replaces an unstated one, the clock allowance
  ///     and the position horizon count.
  ///   - nearby: the last known value of `nearby`. These places were announced, and are not announced again.
  public init(_ reminders: [Reminder] = [], settings: Settings = .phone, nearby: [NearbyPlace] = []) {
    self.settings = settings
    for reminder in reminders where index(of: reminder.id) == nil { insert(reminder) }
    for place in nearby {
      guard let index = index(of: place.reminder), entries[index].reminder.places.contains(place.place) else {
        continue
      }
      entries[index].visit.restore(place)
    }
  }

  /// Ascending by id.
  public var reminders: [Reminder] { entries.map { $0.reminder } }

  /// The places near which an active reminder waits: nearest first, equal distances by id, then in the
  /// reminder's order.
  public var nearby: [NearbyPlace] {
    var all: [NearbyPlace] = []
    for entry in entries where entry.reminder.state == .active {
      for sighted in entry.visit.near {
        all.append(.init(reminder: entry.reminder.id, place: sighted.place, distance: sighted.distance))
      }
    }
    var order = Array(all.indices)
    order.sort { all[$0].distance == all[$1].distance ? $0 < $1 : all[$0].distance < all[$1].distance }
    return order.map { all[$0] }
  }

  /// The snoozed reminders (S214), by the end of the snooze, equal ends by id.
  public var snoozed: [(reminder: Reminder, until: Instant)] {
    var all: [(reminder: Reminder, until: Instant)] = []
    for entry in entries {
      if case .snoozed(let until) = entry.reminder.state { all.append((entry.reminder, until)) }
    }
    all.sort { $0.until == $1.until ? $0.reminder.id < $1.reminder.id : $0.until < $1.until }
    return all
  }

  /// True if the list needs positions: a reminder has places and can still become active.
  public var followsPlaces: Bool {
    entries.contains {
      !$0.reminder.places.isEmpty && ($0.reminder.state != .completed || $0.reminder.repeats)
    }
  }

  /// The time at which the list next needs `advance`, if nothing else happens.
  public var nextWake: Instant? { snoozed.first?.until }

  /// True if the phone is near one of the reminder's places, whatever the reminder's state is.
  public func isNear(_ id: ReminderID) -> Bool {
    index(of: id).map { entries[$0].visit.isNear } ?? false
  }

  public static let largestError = Distance.metres(1000)
  /// A fix that arrives later than this after it was measured changes what is near, and announces nothing.
  public static let timely = TimeSpan.minutes(15)

  /// - Returns: the effects in this order: ignored or refused, notifications by id, the changed list.
  public mutating func step(_ input: Input) -> [Effect] {
    let before = nearby
    var effects: [Effect] = []
    switch input {
    case .fix(let fix):
      if let reason = take(fix) { effects.append(.ignored(fix, reason)) }
    case .command(let command, let at):
      pass(to: at)
      apply(command, &effects)
    case .advance(let at):
      pass(to: at)
    case .clockJumped(let span, let at):
      shift(by: ClockJump(at: at, by: span))
    }
    for index in entries.indices { settle(index, &effects) }
    let after = nearby
    if !Self.sameLines(before, after) { effects.append(.nearbyChanged(after)) }
    return effects
  }

  private static func sameLines(_ a: [NearbyPlace], _ b: [NearbyPlace]) -> Bool {
    a.count == b.count
      && a.indices.allSatisfy { a[$0].reminder == b[$0].reminder && a[$0].place == b[$0].place }
  }

  private mutating func shift(by jump: ClockJump) {
    now = jump.at
    last = last.map { $0.shifted(by: jump) }
    suspect = suspect.map { $0.shifted(by: jump) }
    for index in entries.indices {
      entries[index].visit.shift(by: jump)
      if case .snoozed(let until) = entries[index].reminder.state {
        entries[index].reminder.state = .snoozed(until: jump.soonest(until))
      }
    }
  }

  private mutating func pass(to time: Instant) { now = max(now ?? time, time) }
}

// Fixes.
extension ReminderList {
  /// The speed of sound in m/s. Nothing on the ground is faster, so two fixes that need more don't agree.
  private static let soundSpeed = 340.0
  /// The distance in metres that position errors beyond the stated ones may add.
  private static let slack = 50.0

  private mutating func take(_ fix: Fix) -> Ignored? {
    let error: Distance
    switch fix.accuracy {
    case .radius(let radius): error = radius
    case .unstated: error = settings.unstatedAccuracy
    case .invalid: return .invalidAccuracy
    }
    guard error >= .zero else { return .invalidAccuracy }
    guard fix.measuredAt <= fix.receivedAt + settings.clockAllowance else { return .fromTheFuture }
    if let last, fix.measuredAt <= last.at { return .notNewer }
    guard error <= Self.largestError else { return .tooCoarse }
    let position = ReminderVisit.Position(
      coordinate: fix.position, error: error, at: fix.measuredAt,
      isLate: fix.receivedAt - fix.measuredAt > Self.timely)
    if let last, !Self.agree(last, position, settings.maximumSpeed.metresPerSecond) {
      guard let suspect, Self.agree(suspect, position, Self.soundSpeed) else {
        suspect = position
        return .outlier
      }
    }
    suspect = nil
    last = position
    pass(to: fix.measuredAt)
    for index in entries.indices { look(index) }
    return nil
  }

  private static func agree(
    _ a: ReminderVisit.Position, _ b: ReminderVisit.Position, _ metresPerSecond: Double
  ) -> Bool {
    guard b.at > a.at else { return false }
    let apart = (a.coordinate.distance(to: b.coordinate) - a.error - b.error).metres
    return apart <= metresPerSecond * (b.at - a.at).seconds + slack
  }

  /// Judges the places of one reminder by the last position. A repetition changes nothing.
  mutating func look(_ index: Int) {
    if let last, knowsPosition { entries[index].visit.see(last, from: entries[index].reminder) }
  }

  /// True if the last position is recent enough to count.
  private var knowsPosition: Bool {
    guard let last, let now else { return false }
    return now - last.at <= settings.positionHorizon
  }
}

// Commands, and the consequences of all inputs.
extension ReminderList {
  private mutating func apply(_ command: Command, _ effects: inout [Effect]) {
    switch command {
    case .add(let reminder):
      guard index(of: reminder.id) == nil else { return effects.append(.refused(reminder.id, .idTaken)) }
      look(insert(reminder))
    case .edit(let reminder):
      change(reminder.id, &effects) {
        $0.reminder = reminder
        $0.visit.forget(placesNotIn: reminder)
      }
      if let index = index(of: reminder.id) { look(index) }
    case .remove(let id):
      guard let index = index(of: id) else { return effects.append(.refused(id, .unknownReminder)) }
      if entries[index].visit.announced { effects.append(.withdraw(id)) }
      entries.remove(at: index)
    case .complete(let id): change(id, &effects) { $0.reminder.state = .completed }
    case .snooze(let id, let until): change(id, &effects) { $0.reminder.state = .snoozed(until: until) }
    case .restart(let id): change(id, &effects) { $0.reminder.state = .active }
    case .toggleItem(let id, let item):
      guard let index = index(of: id) else { return effects.append(.refused(id, .unknownReminder)) }
      let count = entries[index].reminder.items.count
      guard (0..<count).contains(item) else {
        return effects.append(.refused(id, .noSuchItem(given: item, count: count)))
      }
      entries[index].reminder.items[item].done.toggle()
    }
  }

  private mutating func change(
    _ id: ReminderID, _ effects: inout [Effect], _ body: (inout Entry) -> Void
  ) {
    guard let index = index(of: id) else { return effects.append(.refused(id, .unknownReminder)) }
    body(&entries[index])
  }

  /// Adapts one reminder's state and notification to the time and the places nearby.
  private mutating func settle(_ index: Int, _ effects: inout [Effect]) {
    let id = entries[index].reminder.id
    if case .snoozed(let until) = entries[index].reminder.state, let now, until <= now {
      entries[index].reminder.state = .active
    }
    let nearest = entries[index].visit.near.first
    // A page without a position does not know that the phone which met the reminder has left.
    if nearest == nil, entries[index].reminder.repeats, entries[index].reminder.state == .completed,
      knowsPosition
    {
      entries[index].reminder.state = .active
      for item in entries[index].reminder.items.indices { entries[index].reminder.items[item].done = false }
    }
    let announced = entries[index].visit.announced
    if let nearest, entries[index].reminder.state == .active {
      guard !announced, knowsPosition, last?.isLate == false else { return }
      effects.append(.notify(id, nearest.place, distance: nearest.distance))
      entries[index].visit.announced = true
    } else {
      if announced { effects.append(.withdraw(id)) }
      entries[index].visit.announced = false
    }
  }

  func index(of id: ReminderID) -> Int? {
    let index = entries.partition(firstWhere: { $0.reminder.id >= id })
    return index < entries.count && entries[index].reminder.id == id ? index : nil
  }

  @discardableResult
  private mutating func insert(_ reminder: Reminder) -> Int {
    let index = entries.partition(firstWhere: { $0.reminder.id >= reminder.id })
    entries.insert(Entry(reminder: reminder), at: index)
    return index
  }
}
