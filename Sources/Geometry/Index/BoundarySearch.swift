/// Outlines' boundaries looked for by bounds alone, and only those measured that no bound has ruled out.
///
/// A measured distance takes as long as the bounds of some chunks, and much longer where it is more than 2,000 km.
struct BoundarySearch {
  /// A piece that may be the nearest of its outline, and its outline among the nearest.
  struct Candidate {
    /// Metres through the earth, at least.
    let least: Float
    let outline: Int32
    /// Where it begins.
    let place: UnsafePointer<Cartesian>
    let isGeodesic: Bool
    /// Of the straight line through the earth, when it is known.
    fileprivate(set) var square = 0.0
  }

  /// An outline whose boundary is nearer than what is farther through the earth than `reach`.
  struct Bound {
    let outline: Int32
    var reach: Float
  }

  /// As many as come where outlines don't lie over one another by the dozen: what the stack has room for.
  static let room = 32

  /// What is farther through the earth than this does not count.
  private(set) var reach: Float
  /// Outlines that were measured at once.
  private var ranking: Ranking
  let limit: Int
  private let bounds: UnsafeMutablePointer<Bound>
  private var boundCount = 0
  private var candidates: UnsafeMutablePointer<Candidate>
  private var candidateCount = 0
  private var capacity: Int
  private var isOwn = false

  /// - Parameter bounds: room for `limit` of them, which is at least 1.
  init(
    limit: Int, most: Double, _ bounds: UnsafeMutableBufferPointer<Bound>,
    _ candidates: UnsafeMutableBufferPointer<Candidate>
  ) {
    self.limit = limit
    self.bounds = bounds.baseAddress!
    self.candidates = candidates.baseAddress!
    capacity = candidates.count
    ranking = Ranking(limit: limit, most: most)
    reach = Self.chord(most)
  }

  func end() { if isOwn { candidates.deallocate() } }

  private static func chord(_ ground: Double) -> Float { Float(Chord.upTo(ground: ground)).nextUp }

  /// Metres over the ground; what is farther does not count.
  var groundReach: Double { min(ranking.reach, Chord.ground(within: Double(reach))) }

  /// What of one outline is farther than this does not count.
  @inline(__always) func reach(of outline: Int) -> Float {
    if limit > 1 {
      for number in 0..<boundCount where bounds[number].outline == Int32(truncatingIfNeeded: outline) {
        return min(reach, bounds[number].reach)
      }
    }
    return reach
  }

  /// - Parameters:
  ///   - least: of eight pieces, by ``BoundaryChunks/Reader/leastDistances(from:to:)``.
  ///   - nearest: the least of them, no more than the reach of the outline.
  @inline(__always) mutating func add(
    _ least: SIMD8<Float>, nearest: Float, _ spread: Float, outline: Int, place: UnsafePointer<Cartesian>,
    isGeodesic: Bool
  ) {
    let known = reach(of: outline)
    guard nearest <= known else { return }
    let bound = Self.chord(Chord.ground(within: max(0, Double(nearest + spread))))
    insert(Bound(outline: Int32(truncatingIfNeeded: outline), reach: bound))
    if candidateCount &+ 8 > capacity { makeRoom() }
    let farthest = min(known, bound)
    for lane in 0..<8 where least[lane] <= farthest {
      candidates[candidateCount] = Candidate(
        least: least[lane], outline: Int32(truncatingIfNeeded: outline), place: place + lane,
        isGeodesic: isGeodesic
      )
      candidateCount &+= 1
    }
  }

  /// Adds an outline that is measured; one farther than the reach does not count.
  mutating func add(_ neighbour: OutlineIndex.Neighbour) {
    guard neighbour.distance.metres <= ranking.reach else { return }
    ranking.insert(neighbour)
    insert(Bound(outline: Int32(neighbour.outline), reach: Self.chord(neighbour.distance.metres)))
  }

  @inline(__always) private mutating func insert(_ bound: Bound) {
    guard bound.reach < reach else { return }
    if limit == 1 {
      reach = bound.reach
    } else {
      rank(bound)
    }
  }

  private mutating func rank(_ bound: Bound) {
    var (place, farthest) = (0, 0)
    while place < boundCount, bounds[place].outline != bound.outline {
      if bounds[place].reach > bounds[farthest].reach { farthest = place }
      place &+= 1
    }
    if place < boundCount {
      bounds[place].reach = min(bounds[place].reach, bound.reach)
    } else if boundCount < limit {
      bounds[boundCount] = bound
      boundCount &+= 1
    } else {
      bounds[farthest] = bound
    }
    guard boundCount == limit else { return }
    var most = bounds[0].reach
    for number in 1..<limit { most = max(most, bounds[number].reach) }
    reach = min(reach, most)
  }

  /// Leaves out what does not count any more, and takes more memory where that is not much.
  @inline(never) private mutating func makeRoom() {
    var kept = 0
    for number in 0..<candidateCount
    where candidates[number].least <= reach(of: Int(candidates[number].outline)) {
      candidates[kept] = candidates[number]
      kept &+= 1
    }
    candidateCount = kept
    guard kept > capacity / 2 else { return }
    let more = UnsafeMutablePointer<Candidate>.allocate(capacity: 4 * capacity)
    more.initialize(from: candidates, count: kept)
    end()
    (candidates, capacity, isOwn) = (more, 4 * capacity, true)
  }

  /// The nearest outlines.
  /// - Parameter distance: to a piece.
  @inline(__always) mutating func settled(
    from place: Cartesian, distance: (Candidate) -> Double
  ) -> [OutlineIndex.Neighbour] {
    var kept = 0
    for number in 0..<candidateCount where candidates[number].least <= reach {
      candidates[kept] = candidates[number]
      kept &+= 1
    }
    // All their places before any is measured, so that they are waited for together.
    for number in 0..<kept {
      let piece = candidates[number].place
      candidates[number].square = place.projected(from: piece[0], to: piece[1]).squaredDistance
    }
    if kept > 1 {
      var left = UnsafeMutableBufferPointer(start: candidates, count: kept)
      left.sort { $0.square < $1.square }
    }
    for number in 0..<kept {
      let candidate = candidates[number]
      let outline = Int(candidate.outline)
      guard candidate.least <= Self.chord(min(ranking.reach, ranking.distance(of: outline))) else { continue }
      let metres = distance(candidate)
      if metres <= ranking.reach {
        ranking.insert(OutlineIndex.Neighbour(outline: outline, distance: .metres(metres)))
      }
    }
    return ranking.neighbours
  }
}
