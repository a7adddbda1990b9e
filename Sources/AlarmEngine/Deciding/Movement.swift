import Geometry

/// Signs that the phone moves, from its own fixes.
///
/// A fix is a sign if it states at least the speed of a slow walk, or if the errors of both do not explain
/// its distance from the place where the phone rests. Without a sign, a phone counts as resting: coarse
/// positions of one place differ, too.
struct Movement: Hashable, Sendable {
  /// The place of the phone since the last sign, by the most accurate fix; nil before the first fix.
  private(set) var place: Place?
  /// The time of the last sign; nil if there was none.
  private(set) var seenAt: Instant?

  struct Place: Hashable, Sendable {
    var position: Coordinate
    /// The radius that holds the phone with a probability of 68 %.
    var radius: Distance
  }

  /// The time for which a sign counts. It spans a stop at a traffic light.
  private static let lasts = TimeSpan.seconds(120)
  /// Half of a pedestrian's speed: receivers at rest state less.
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
  /// True if the distance between two places is more than their independent errors (99 %) explain.
  func excludes(_ other: Self) -> Bool {
    let (own, others) = (radius.metres, other.radius.metres)
    let error = Rule.errorFactor(.safety) * (own * own + others * others).squareRoot()
    return position.ecef.groundAtMost(to: other.position.ecef).metres > error
  }
}
