import Geometry

/// All reminders of one phone, and what is near: events in, effects out (S200-S220).
///
/// A reminder is announced once for each visit, for the nearest of its places, when its state is active. Snoozed
/// and completed ones are followed too, so that one which becomes active again near a place is announced at once,
/// unless the last fix is older than ``Settings/positionHorizon``: then the next one decides.
///
/// Time is that of the inputs and never runs backwards, unless it is said that the clock was set. A fix that is older than the last one used is ignored, by
/// name: what was near some time ago is of no use to a shopper, so there is no `Timeline` here.
public struct ReminderList: Hashable, Sendable {
  public enum Input: Hashable, Sendable {
    case fix(Fix)
    case command(Command, at: Instant)
    /// Lets time pass with nothing new: snoozes end.
    case advance(to: Instant)
    /// The phone's clock was set, and says this since: what is known of places goes on, and a snooze ends at the earlier
    /// of what the old and the new clock make of its end.
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
    /// Shows a notification, with sound.
    case notify(ReminderID, Reminder.Place, distance: Distance)
    /// Takes it back: snoozed, completed, removed or left.
    case withdraw(ReminderID)
    /// Other places than before, or in another order.
    case nearbyChanged([NearbyPlace])
    case ignored(Fix, Ignored)
    /// The command changed nothing.
    case refused(ReminderID, Refusal)
  }
  /// Why a fix changed nothing.
  public enum Ignored: UInt8, Hashable, Sendable {
    case invalidAccuracy
    /// Measured after it was received, by more than the allowance.
    case fromTheFuture
    /// Measured no later than the last fix that was used.
    case notNewer
    /// Its error is larger than `largestError`.
    case tooCoarse
    /// It needs more than the maximum speed; the next one that agrees with it is used.
    case wild
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
  private var entries: [Entry] = []
  private let settings: Settings
  private var now: Instant?
  private var last: ReminderVisit.Position?
  private var suspect: ReminderVisit.Position?

  /// - Parameters:
  ///   - reminders: of several with one id the first is taken.
  ///   - settings: of these the maximum speed, the accuracy that stands in for an unstated one, the clock allowance
  ///     and the position horizon count.
  ///   - nearby: what `nearby` was when the phone last knew; these were announced and are not again.
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

  /// The snoozed reminders (S214), the one that comes back first first, ties by id.
  public var snoozed: [(reminder: Reminder, until: Instant)] {
    var all: [(reminder: Reminder, until: Instant)] = []
    for entry in entries {
      if case .snoozed(let until) = entry.reminder.state { all.append((entry.reminder, until)) }
    }
    all.sort { $0.until == $1.until ? $0.reminder.id < $1.reminder.id : $0.until < $1.until }
    return all
  }

  /// True if positions matter: a reminder has places, and is not done for good.
  public var followsPlaces: Bool {
    entries.contains {
      !$0.reminder.places.isEmpty && ($0.reminder.state != .completed || $0.reminder.repeats)
    }
  }

  /// When the list should next be told to `advance`, if nothing else happens.
  public var nextWake: Instant? { snoozed.first?.until }

  public static let largestError = Distance.metres(1000)

  /// - Returns: what to do, in this order: ignored or refused, notifications by id, the changed list.
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
  /// Nothing on the ground goes faster, so two fixes that need more don't agree.
  private static let soundSpeed = 340.0
  /// What position errors larger than stated may add.
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
    let position = ReminderVisit.Position(coordinate: fix.position, error: error, at: fix.measuredAt)
    if let last, !Self.agree(last, position, settings.maximumSpeed.metresPerSecond) {
      guard let suspect, Self.agree(suspect, position, Self.soundSpeed) else {
        suspect = position
        return .wild
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

  /// Judges the places of one reminder by the last position; twice by the same changes nothing.
  private mutating func look(_ index: Int) {
    if let last, knowsPosition { entries[index].visit.see(last, from: entries[index].reminder) }
  }

  /// The last position is not so old that the phone may be anywhere.
  private var knowsPosition: Bool {
    guard let last, let now else { return false }
    return now - last.at <= settings.positionHorizon
  }
}

// Commands, and what follows from all.
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

  /// Brings one reminder's state and notification in line with the time and what is near.
  private mutating func settle(_ index: Int, _ effects: inout [Effect]) {
    let id = entries[index].reminder.id
    if case .snoozed(let until) = entries[index].reminder.state, let now, until <= now {
      entries[index].reminder.state = .active
    }
    let nearest = entries[index].visit.near.first
    if nearest == nil, entries[index].reminder.repeats, entries[index].reminder.state == .completed {
      entries[index].reminder.state = .active
      for item in entries[index].reminder.items.indices { entries[index].reminder.items[item].done = false }
    }
    let announced = entries[index].visit.announced
    if let nearest, entries[index].reminder.state == .active {
      guard !announced, knowsPosition else { return }
      effects.append(.notify(id, nearest.place, distance: nearest.distance))
      entries[index].visit.announced = true
    } else {
      if announced { effects.append(.withdraw(id)) }
      entries[index].visit.announced = false
    }
  }

  private func index(of id: ReminderID) -> Int? {
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
