import Geometry

/// The answer to the question if the alarms of a device would ring now.
///
/// Everything that shows the state is made from this one answer, so nothing that is not being watched looks as if it
/// were. The engine cannot see what the browser allows; ``Circumstances`` tells it.
public enum WatchState: Hashable, Sendable {
  /// A person switched the alarms off.
  case off
  /// So many alarms ring: of this device's zones, and of phones that a server watches. `obstacle`: what keeps this
  /// device from watching meanwhile.
  case ringing(own: Int, phones: Int, obstacle: Obstacle?)
  /// The alarms are on, and no zone would ring.
  case cannotWatch(Obstacle)
  /// At least one zone would ring, with what is promised for it.
  case watching(Guarantee)

  /// What keeps every zone from being watched, the first that a person has to mend.
  public enum Obstacle: Hashable, Sendable {
    case noZones
    /// None of the zones has an area.
    case noArea
    /// Every zone is switched off.
    case zonesOff
    /// Every zone that is on is outside its hours or quiet for today; until then, if that is known.
    case zonesAsleep(until: Instant?)
    /// The position is not allowed to be known.
    case notAuthorized
    /// The page is not in view, and hears no positions.
    case hidden
    /// The clock shows an earlier time than before, or than the last position.
    case clockSetBack
    /// There was no position yet.
    case noPosition(isAvailable: Bool)
    /// There was none since the page came into view again.
    case awaitingPosition
    /// The last position is so old.
    case positionTooOld(age: TimeSpan)
    /// The phone may be so far from the last position.
    case positionTooCoarse(accuracy: Distance)
  }

  /// - Parameters:
  ///   - ringing: alarms of this device that ring, closed ones among them: they sound again.
  ///   - promise: of the zones that are watched; asked for only if nothing is in the way.
  public init(
    armed: Bool, ringing: Int, zones: ZonesOnDuty, position: Fix?, latest: Instant?,
    circumstances: Circumstances, at now: Instant, promise: () -> Guarantee
  ) {
    let obstacle =
      armed
      ? zones.obstacle ?? circumstances.obstacle(position: position, latest: latest, at: now) : nil
    if ringing + circumstances.phonesRinging > 0 {
      self = .ringing(own: ringing, phones: circumstances.phonesRinging, obstacle: obstacle)
    } else if !armed {
      self = .off
    } else if let obstacle {
      self = .cannotWatch(obstacle)
    } else {
      self = .watching(promise())
    }
  }
}

/// How many zones are on duty, and why none is.
public enum ZonesOnDuty: Hashable, Sendable {
  case none
  case withoutArea
  case off
  case asleep(until: Instant?)
  case watched(Int)

  var obstacle: WatchState.Obstacle? {
    switch self {
    case .none: .noZones
    case .withoutArea: .noArea
    case .off: .zonesOff
    case .asleep(let until): .zonesAsleep(until: until)
    case .watched: nil
    }
  }

  public var watched: Int {
    guard case .watched(let count) = self else { return 0 }
    return count
  }
}

extension Surroundings {
  /// - Complexity: O(k + s) for the k zones of which something is known and the s schedules there are, however many zones.
  public var zonesOnDuty: ZonesOnDuty {
    if slots.isEmpty { return withoutArea.isEmpty ? .none : .withoutArea }
    guard armed else { return .watched(0) }
    var quiet: [Zone] = []
    var next: Instant?
    var watched = watchedCount
    for (zone, alarm) in zip(alarms.slots, alarms.values) where zones[zone].active {
      guard let end = alarm.memory.quietUntil, now < end else { continue }
      if isWatched(zone) { watched -= 1 }
      quiet.append(zones[zone])
      next = min(next ?? end, end)
    }
    if watched > 0 { return .watched(watched) }
    guard zones.summary.activeCount > 0 else { return .off }
    let opening = zones.summary.nextOpening(after: now, without: quiet)
    return .asleep(until: opening.map { min(next ?? $0, $0) } ?? next)
  }
}

/// What only the page knows of the device that it runs on.
public struct Circumstances: Hashable, Sendable {
  /// What the browser says of positions.
  public enum Positioning: UInt8, Hashable, Sendable, CaseIterable {
    /// Not asked yet.
    case unknown
    /// Asked, without an answer yet.
    case asking
    case granted, denied
    /// Allowed, but none can be had just now.
    case unavailable
  }

  public var positioning = Positioning.unknown
  public var isVisible = true
  /// Positions received before this do not count: the page was out of view until then, longer than ``briefAbsence``.
  public var returnedAt: Instant?
  /// Alarms of the account's phones that ring on the server.
  public var phonesRinging = 0

  public init() {}

  /// Since the last position, after which the page asks for one: a device that lies still may give none by itself.
  public static let askAfter = TimeSpan.seconds(60)
  /// Since the last position, after which nothing is watched; equal to ``Settings/signalTimeout``.
  public static let oldAfter = TimeSpan.seconds(120)
  /// Between two requests while there is no position to watch by.
  public static let askAgain = TimeSpan.seconds(30)
  /// Out of view for no longer, the last position still counts.
  public static let briefAbsence = TimeSpan.seconds(10)
  /// What clocks are put back by, now and then, without anybody's doing.
  public static let clockSlack = TimeSpan.seconds(5)
  /// A position that is coarser says nothing of zones of ordinary size: it is that of the network's address, or of a
  /// phone that gives its position only roughly.
  public static let coarsest = Distance.metres(1000)
  /// From here on the promise says that the position is known only roughly.
  public static let rough = Distance.metres(100)

  /// What of the device keeps all zones from being watched.
  ///
  /// - Parameter latest: the latest time that the clock showed before.
  public func obstacle(position: Fix?, latest: Instant?, at now: Instant) -> WatchState.Obstacle? {
    if positioning == .denied { return .notAuthorized }
    if !isVisible { return .hidden }
    if let latest, latest - now > Self.clockSlack { return .clockSetBack }
    guard let position else { return .noPosition(isAvailable: positioning != .unavailable) }
    if position.measuredAt - now > Self.oldAfter { return .clockSetBack }
    if let returnedAt, position.receivedAt < returnedAt { return .awaitingPosition }
    let age = now - position.measuredAt
    if age >= Self.oldAfter { return .positionTooOld(age: age) }
    if case .radius(let radius) = position.accuracy, radius > Self.coarsest {
      return .positionTooCoarse(accuracy: radius)
    }
    return nil
  }

  /// When the page shall ask for a position though nothing else happens; a time that has come means now. Nil where
  /// asking is of no use.
  public func nextRequest(position: Fix?, latest: Instant?, at now: Instant) -> Instant? {
    switch obstacle(position: position, latest: latest, at: now) {
    case .notAuthorized, .hidden, .clockSetBack, .noZones, .noArea, .zonesOff, .zonesAsleep: nil
    case .noPosition, .awaitingPosition, .positionTooOld, .positionTooCoarse: now
    case nil: position.map { $0.measuredAt + Self.askAfter }
    }
  }
}

extension Timeline {
  /// The latest time that was let pass: a clock that shows an earlier one was set back.
  public var reached: Instant? { now }
}
