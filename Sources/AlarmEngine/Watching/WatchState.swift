import Geometry

/// States if the alarms of a device would ring now.
///
/// Every display of the state is made from this value, so no zone that is not watched looks as if it were.
/// The page reports to the engine what only the browser knows (``Circumstances``).
public enum WatchState: Hashable, Sendable {
  /// A person switched the alarms off.
  case off
  /// The number of ringing alarms: of this device's zones, and of phones that a server watches. `obstacle`
  /// keeps this device from watching meanwhile.
  case ringing(own: Int, phones: Int, obstacle: Obstacle?)
  /// The alarms are on, but no zone would ring.
  case cannotWatch(Obstacle)
  /// At least one zone would ring, with this promise.
  case watching(Guarantee)

  /// The reason why no zone is watched; the first one that a person has to remove.
  public enum Obstacle: Hashable, Sendable {
    case noZones
    /// None of the zones has an area.
    case noArea
    /// Every zone is switched off.
    case zonesOff
    /// Every active zone is outside its hours or quiet for today, until this time if it is known.
    case zonesAsleep(until: Instant?)
    /// The person has not allowed access to the position.
    case notAuthorized
    /// The page is not in view and receives no positions.
    case hidden
    /// The clock shows an earlier time than before, or one well before that of the last position.
    case clockSetBack
    /// There is no position yet.
    case noPosition(isAvailable: Bool)
    /// No position has come since the page came into view again.
    case awaitingPosition
    /// The last position is too old.
    case positionTooOld(age: TimeSpan)
    /// The last position is too coarse.
    case positionTooCoarse(accuracy: Distance)
  }

  /// - Parameters:
  ///   - ringing: the number of this device's ringing alarms, including closed ones, which sound again.
  ///   - latest: the latest time that the clock has shown before.
  ///   - promise: the promise for the watched zones; called only if there is no obstacle.
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

/// The number of zones on duty, or the reason why there is none.
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
  /// - Complexity: O(k + s) for k zones with an alarm state and s schedules, independent of the number of
  ///   zones.
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

/// Facts about the device that only the page knows.
public struct Circumstances: Hashable, Sendable {
  /// The browser's answer to the request for positions.
  public enum Positioning: UInt8, Hashable, Sendable, CaseIterable {
    /// The browser was not asked yet.
    case unknown
    /// The browser was asked and has not answered yet.
    case asking
    case granted, denied
    /// Positions are allowed, but there are none at the moment.
    case unavailable
  }

  public var positioning = Positioning.unknown
  public var isVisible = true
  /// Positions received before this time do not count: until then the page was out of view for longer than
  /// ``briefAbsence``.
  public var returnedAt: Instant?
  /// The number of alarms of the account's phones that ring on the server.
  public var phonesRinging = 0

  public init() {}

  /// The age of the last position at which the page requests one, since a device that lies still may report
  /// none by itself.
  public static let askAfter = TimeSpan.seconds(60)
  /// The age of the last position from which on nothing is watched; equal to ``Settings/signalTimeout``.
  public static let oldAfter = TimeSpan.seconds(120)
  /// The time between two requests while there is no usable position.
  public static let askAgain = TimeSpan.seconds(30)
  /// The longest absence from view after which the last position still counts.
  public static let briefAbsence = TimeSpan.seconds(10)
  /// Clocks are sometimes corrected backwards by up to this much automatically.
  public static let clockSlack = TimeSpan.seconds(5)
  /// A position coarser than this says nothing about zones of ordinary size: it is derived from the network
  /// address, or the phone reports only an approximate location.
  public static let coarsest = Distance.metres(1000)
  /// From this error on, the promise says that the position is known only roughly.
  public static let rough = Distance.metres(100)

  /// Returns the obstacle on this device that keeps all zones from being watched; nil if there is none.
  ///
  /// - Parameter latest: the latest time that the clock has shown before.
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

  /// Returns when the page should request a position if nothing else happens; a time that has passed means
  /// now. Returns nil where a request is of no use.
  ///
  /// - Parameter stay: the end of a stay that no position has decided (``Surroundings/undecidedStay(at:)``).
  public func nextRequest(
    position: Fix?, latest: Instant?, stay: Instant? = nil, at now: Instant
  ) -> Instant? {
    switch obstacle(position: position, latest: latest, at: now) {
    case .notAuthorized, .hidden, .clockSetBack, .noZones, .noArea, .zonesOff, .zonesAsleep: nil
    case .noPosition, .awaitingPosition, .positionTooOld, .positionTooCoarse: now
    case nil: position.map { min($0.measuredAt + Self.askAfter, stay ?? $0.measuredAt + Self.askAfter) }
    }
  }
}

extension Timeline {
  /// The latest time to which the timeline has advanced. A clock that shows an earlier time was set back.
  public var reached: Instant? { now }
}
