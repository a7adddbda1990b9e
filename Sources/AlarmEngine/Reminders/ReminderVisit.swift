import Geometry

/// The distance of a phone from the places of one reminder, as states.
///
///     far --inside--> arriving --inside 10 s later--> near --beyond--> leaving --beyond 10 s later--> far
///      |                 |                           ^  |                 |
///      |                 +-----inside for sure-------+  +--beyond for sure+--> far
///      +-----------------------inside for sure-------+
///
/// *Inside*: the position is within the radius; *for sure* if its error is at most 30 m or half the radius.
/// *Beyond*: the position is more than `margin` outside the radius, farther than any at which the place was
/// announced (S220); *for sure* if the whole disc of its error is. A position back inside, or no longer
/// inside while arriving, starts anew.
struct ReminderVisit: Hashable, Sendable {
  struct Sighted: Hashable, Sendable {
    let place: Reminder.Place
    var distance: Distance
    var phase: Phase
    var isNear: Bool {
      switch phase {
      case .arriving: false
      case .near, .leaving: true
      }
    }
  }
  enum Phase: Hashable, Sendable {
    case arriving(since: Instant)
    case near
    case leaving(since: Instant)
  }
  /// A usable fix.
  struct Position: Hashable, Sendable {
    let coordinate: Coordinate
    /// Zero or more.
    let error: Distance
    let at: Instant
    /// True if it came too late to announce anything.
    let isLate: Bool

    func shifted(by jump: ClockJump) -> Self {
      Self(coordinate: coordinate, error: error, at: jump.shifted(at), isLate: isLate)
    }
  }

  mutating func shift(by jump: ClockJump) {
    for index in sighted.indices {
      switch sighted[index].phase {
      case .arriving(let since): sighted[index].phase = .arriving(since: jump.shifted(since))
      case .near: break
      case .leaving(let since): sighted[index].phase = .leaving(since: jump.shifted(since))
      }
    }
  }

  /// The places in another state than far, in the reminder's order.
  var sighted: [Sighted] = []
  /// True if a notification of this visit was shown and not withdrawn.
  var announced = false

  static let margin = Distance.metres(150)
  private static let agreement = TimeSpan.seconds(10)

  var isNear: Bool { sighted.contains { $0.isNear } }

  /// Nearest first; equal distances in the reminder's order.
  var near: [Sighted] {
    var order = sighted.indices.filter { sighted[$0].isNear }
    order.sort {
      sighted[$0].distance == sighted[$1].distance ? $0 < $1 : sighted[$0].distance < sighted[$1].distance
    }
    return order.map { sighted[$0] }
  }

  /// - Complexity: linear in the number of places; a place far to the north or south takes one comparison.
  mutating func see(_ position: Position, from reminder: Reminder) {
    let cutoff = (reminder.radius + Self.margin + position.error).metres / Earth.leastMetresPerDegree
    var next: [Sighted] = []
    for place in reminder.places {
      let north = place.coordinate.latitude.degrees - position.coordinate.latitude.degrees
      if abs(north) > cutoff { continue }
      let distance = position.coordinate.distance(to: place.coordinate)
      let before = sighted.first { $0.place == place }?.phase
      if let phase = Self.phase(after: before, distance, position, radius: reminder.radius) {
        next.append(Sighted(place: place, distance: distance, phase: phase))
      }
    }
    sighted = next
  }

  /// Returns the next state; nil means far.
  private static func phase(
    after before: Phase?, _ distance: Distance, _ position: Position, radius: Distance
  ) -> Phase? {
    let now = position.at
    let insideForSure = position.error <= max(.metres(30), radius * 0.5)
    let limit = radius + margin
    let beyondForSure = distance - position.error > limit
    switch before {
    case nil:
      guard distance <= radius else { return nil }
      return insideForSure ? .near : .arriving(since: now)
    case .arriving(let since):
      guard distance <= radius else { return nil }
      return insideForSure || now - since >= agreement ? .near : .arriving(since: since)
    case .near:
      guard distance > limit else { return .near }
      return beyondForSure ? nil : .leaving(since: now)
    case .leaving(let since):
      guard distance > limit else { return .near }
      return beyondForSure || now - since >= agreement ? nil : .leaving(since: since)
    }
  }

  /// Restores a place that was announced in an earlier run.
  mutating func restore(_ place: NearbyPlace) {
    sighted.append(Sighted(place: place.place, distance: place.distance, phase: .near))
    announced = true
  }

  mutating func forget(placesNotIn reminder: Reminder) {
    sighted.removeAll { !reminder.places.contains($0.place) }
  }
}
