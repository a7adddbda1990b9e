import Geometry

/// The distance between two devices while both moved along straight lines: the least one, and when it was
/// within a level.
///
/// Positions in space are subtracted, so poles and the antimeridian need no special case. Lines over the
/// ground are cut into pieces of at most 2 km (64 to a leg at most), whose chords are less than 0.1 m below
/// them.
struct RelativePath: Hashable, Sendable {
  private(set) var closest: Distance
  private(set) var closestAt: Instant
  /// The time at which the distance was first within the level.
  private(set) var enteredAt: Instant?
  /// The time at which the distance last exceeded the level.
  private(set) var leftAt: Instant?

  private static let piece = Distance.metres(2000)
  private static let piecesAtMost = 64
  private static let earth = Earth.meanRadius

  /// - Parameters:
  ///   - span: a span of time within both paths.
  ///   - level: the distance that counts.
  init?(_ a: CompanionTrack, _ b: CompanionTrack, in span: ClosedRange<Instant>, level: Distance) {
    var former: (at: Instant, apart: Cartesian)?
    var found: Self?
    let chord = Self.chord(of: level)
    for time in Self.times(a, b, span) {
      guard let first = a.place(at: time), let second = b.place(at: time) else { return nil }
      let next = (at: time, apart: first.ecef - second.ecef)
      let start = former ?? next
      var piece = found ?? Self(at: time, apart: next.apart)
      piece.add(from: start, to: next, level: chord)
      found = piece
      former = next
    }
    guard let found else { return nil }
    self = found
    closest = Self.ground(of: closest)
  }

  private init(at time: Instant, apart: Cartesian) {
    closest = .metres(apart.length)
    closestAt = time
  }

  /// Returns the times at which either path turns, and enough times in between.
  private static func times(
    _ a: CompanionTrack, _ b: CompanionTrack, _ span: ClosedRange<Instant>
  ) -> [Instant] {
    var turns = [span.lowerBound, span.upperBound]
    turns += (a.path + b.path).map { $0.measuredAt }.filter { span.contains($0) }
    turns.sort()
    var times: [Instant] = []
    for turn in turns {
      guard let last = times.last else {
        times.append(turn)
        continue
      }
      guard turn > last else { continue }
      let count = max(pieces(of: a, last, turn), pieces(of: b, last, turn))
      let step = (turn - last).seconds / Double(count)
      for number in 1..<max(1, count) { times.append(last + .seconds(step * Double(number))) }
      times.append(turn)
    }
    return times
  }

  private static func pieces(of track: CompanionTrack, _ from: Instant, _ to: Instant) -> Int {
    guard let start = track.place(at: from), let end = track.place(at: to) else { return 1 }
    // An arc over the ground is at most π/2 times as long as its chord.
    let chord = (start.ecef - end.ecef).length
    return max(1, min(piecesAtMost, Int((chord / piece.metres).rounded(.up))))
  }

  private mutating func add(
    from: (at: Instant, apart: Cartesian), to: (at: Instant, apart: Cartesian), level: Double
  ) {
    let way = to.apart - from.apart
    let gap = (to.at - from.at).seconds
    func time(_ share: Double) -> Instant { from.at + .seconds(gap * share) }
    let square = way.squaredLength
    let along = square > 0 ? max(0, min(1, -from.apart.dot(way) / square)) : 0
    let least = (from.apart + way * along).length
    if least < closest.metres {
      closest = .metres(least)
      closestAt = time(along)
    }
    let (wasIn, isIn) = (from.apart.length <= level, to.apart.length <= level)
    guard least <= level, square > 0 else { return }
    // |from + s·way| = level
    let half = from.apart.dot(way) / square
    let root = max(0, half * half - (from.apart.squaredLength - level * level) / square).squareRoot()
    if !wasIn, enteredAt == nil { enteredAt = time(max(0, min(1, -half - root))) }
    if !isIn { leftAt = time(max(0, min(1, -half + root))) }
  }

  /// Returns the chord of an arc over the ground, in metres.
  private static func chord(of arc: Distance) -> Double {
    arc.metres * (1 - arc.metres * arc.metres / (24 * earth * earth))
  }

  private static func ground(of chord: Distance) -> Distance {
    .metres(chord.metres * (1 + chord.metres * chord.metres / (24 * earth * earth)))
  }
}
