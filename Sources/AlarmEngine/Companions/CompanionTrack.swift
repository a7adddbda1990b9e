import Geometry

/// What is known of one of the two devices: its last believed position, and its path since the two paths were compared
/// last.
struct CompanionTrack: Hashable, Sendable {
  var tracking: Tracking
  /// Accepted fixes by time: the last one at or before the time up to which the paths are compared, and all later ones
  /// that are kept. The last is the last accepted one.
  private(set) var path: [Fix]

  /// Closer together than this, a fix between two others is left out of the path.
  private static let spacing = TimeSpan.seconds(4)
  /// Enough for ``Rule/passingGap`` at that spacing.
  static let most = 80
  /// A phone whose speed nobody states walks, fast.
  private static let unstatedSpeed = Speed.metresPerSecond(2)

  init(settings: Settings) { self.init(tracking: Tracking(settings: settings), path: []) }

  init(tracking: Tracking, path: [Fix]) {
    self.tracking = tracking
    self.path = path
  }

  var anchor: Fix? { tracking.anchor }

  mutating func append(_ fix: Fix) {
    if let last = path.last, fix.measuredAt < last.measuredAt { return }
    if path.count > 1, fix.measuredAt - path[path.count - 2].measuredAt < Self.spacing { path.removeLast() }
    if path.count == Self.most { path.removeFirst() }
    path.append(fix)
  }

  /// Drops what lies before a time and is not needed to say where the device was then.
  mutating func forget(before time: Instant) {
    let first = path.partitioningIndex { $0.measuredAt > time }
    if first > 1 { path.removeFirst(first - 1) }
  }

  /// Where the device was, on straight lines between its fixes; nil outside of the path.
  func place(at time: Instant) -> Coordinate? {
    let next = path.partitioningIndex { $0.measuredAt >= time }
    guard next < path.count else { return nil }
    if path[next].measuredAt == time { return path[next].position }
    guard next > 0 else { return nil }
    let (from, to) = (path[next - 1], path[next])
    let line = Geodesic(from: from.position, to: to.position)
    guard line.length > .zero else { return to.position }
    let share = (time - from.measuredAt).seconds / (to.measuredAt - from.measuredAt).seconds
    return line.point(at: line.length * share)
  }

  /// The length of the path, from the leg on in which a time lies, straight through the earth.
  func chords(since time: Instant) -> Distance {
    var sum = 0.0
    for (former, next) in zip(path, path.dropFirst()) where next.measuredAt > time {
      sum += (former.position.ecef - next.position.ecef).length
    }
    return .metres(sum)
  }

  /// The fixes between which the device was at a time; nil outside of the path.
  func surrounding(_ time: Instant) -> (before: Fix, after: Fix)? {
    let next = path.partitioningIndex { $0.measuredAt >= time }
    guard next < path.count else { return nil }
    if path[next].measuredAt == time { return (path[next], path[next]) }
    return next > 0 ? (path[next - 1], path[next]) : nil
  }

  /// How fast the device seems to move: what its last fix states, or what the last two show.
  func speed(_ settings: Settings) -> Speed {
    guard let last = tracking.anchor else { return Self.unstatedSpeed }
    let shown: Speed
    if let stated = last.speed {
      shown = stated
    } else if let former = tracking.previous, former.measuredAt < last.measuredAt,
      last.measuredAt - former.measuredAt <= Rule.passingGap
    {
      let far = former.position.distance(to: last.position) - former.radius(settings) - last.radius(settings)
      shown = .metresPerSecond(max(0, far.metres) / (last.measuredAt - former.measuredAt).seconds)
    } else {
      shown = Self.unstatedSpeed
    }
    return min(shown, settings.maximumSpeed)
  }
}
