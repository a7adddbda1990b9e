import Geometry

/// Signs that the phone moves, from its own fixes.
///
/// A fix is a sign if it states at least a slow walk, or if it is farther from where the phone rests than both may be wrong.
/// Without a sign, a phone counts as resting: coarse positions of one place differ, and say nothing new of it.
struct Movement: Hashable, Sendable {
  /// Where the phone has been since the last sign, by the most accurate fix; nil before the first one.
  private(set) var place: Place?
  /// The last sign; nil if there was none.
  private(set) var seenAt: Instant?

  struct Place: Hashable, Sendable {
    var position: Coordinate
    /// The radius that holds the phone with a probability of 68 %.
    var radius: Distance
  }

  /// A phone that stops at a traffic light has not come to rest.
  private static let lasts = TimeSpan.seconds(120)
  /// Half of a pedestrian's speed: receivers state less while they rest.
  private static let leastSpeed = Speed.metresPerSecond(0.7)

  init() {}

  init(place: Place?, seenAt: Instant?) {
    self.place = place
    self.seenAt = seenAt
  }

  func isMoving(at now: Instant) -> Bool { seenAt.map { now - $0 <= Self.lasts } ?? false }

  /// Looks for a sign in an accepted fix.
  mutating func note(_ fix: Fix, _ settings: Settings) {
    let here = Place(position: fix.position, radius: fix.radius(settings))
    let hasLeft = place.map { $0.excludes(here) } ?? false
    let states = fix.speed.map { $0 >= Self.leastSpeed } ?? false
    if hasLeft || states { seenAt = fix.measuredAt }
    if hasLeft || states || place.map({ here.radius < $0.radius }) ?? true { place = here }
  }

  func shifted(by jump: ClockJump) -> Self {
    Self(place: place, seenAt: seenAt.map { jump.shifted($0) })
  }
}

extension Movement.Place {
  /// Two fixes cannot both be of this place: independent errors of 99 % do not explain how far apart they are.
  fileprivate func excludes(_ other: Self) -> Bool {
    let (own, others) = (radius.metres, other.radius.metres)
    let error = Rule.errorFactor(.safety) * (own * own + others * others).squareRoot()
    return position.ecef.groundAtMost(to: other.position.ecef).metres > error
  }
}
