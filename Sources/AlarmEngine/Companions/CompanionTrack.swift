import Geometry

/// The knowledge of one of the two devices: its last accepted position, and its path since the last
/// comparison of the paths.
struct CompanionTrack: Hashable, Sendable {
  var tracking: Tracking
  /// Accepted fixes by time: the last one at or before the time up to which the paths were compared, and all
  /// later ones that are kept. The last element is the last accepted fix.
  private(set) var path: [Fix]

  /// A fix between two others is left out of the path if these are closer in time than this.
  private static let spacing = TimeSpan.seconds(4)
  /// The greatest number of fixes in the path, enough for ``Rule/passingGap`` at that spacing.
  static let most = 80
  /// The assumed speed if none is known: a fast walk.
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

  /// Removes fixes before a time that are not needed for the position at that time.
  mutating func forget(before time: Instant) {
    let first = path.partitioningIndex { $0.measuredAt > time }
    if first > 1 { path.removeFirst(first - 1) }
  }

  /// Returns the position at a time, on straight lines between fixes; nil outside the path.
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

  /// Returns the length of the path since a time, along chords; the leg that contains the time counts in
  /// full.
  func chords(since time: Instant) -> Distance {
    var sum = 0.0
    for (former, next) in zip(path, path.dropFirst()) where next.measuredAt > time {
      sum += (former.position.ecef - next.position.ecef).length
    }
    return .metres(sum)
  }

  /// Returns the fixes between which a time lies; nil outside the path.
  func surrounding(_ time: Instant) -> (before: Fix, after: Fix)? {
    let next = path.partitioningIndex { $0.measuredAt >= time }
    guard next < path.count else { return nil }
    if path[next].measuredAt == time { return (path[next], path[next]) }
    return next > 0 ? (path[next - 1], path[next]) : nil
  }

  /// Returns the device's speed as its last fix states it, or as the last two fixes show it.
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
