/// A search for the nearest boundaries that bounds distances first, and measures only the pieces that no
/// bound has ruled out.
///
/// Measuring takes as long as bounding a few chunks, and much longer for distances above 2,000 km.
struct BoundarySearch {
  /// A piece that may be the nearest piece of one of the nearest outlines.
  struct Candidate {
    /// A lower bound of the distance, in metres through the earth.
    let least: Float
    let outline: Int32
    /// The vertex at which the piece begins.
    let place: UnsafePointer<Cartesian>
    /// The position of the outline among the bounds when the candidate was added, or 0 if it had no bound.
    /// Another outline may have the position now.
    fileprivate let slot: Int32
    let isGeodesic: Bool
  }

  /// A candidate's number, with the square of its distance through the earth, to sort by.
  private struct Turn {
    let square: Double
    let number: Int
  }

  /// An outline whose boundary is within `reach`, in metres through the earth.
  struct Bound {
    let outline: Int32
    var reach: Float
  }

  /// The number of candidates that are allocated on the stack: a kilobyte.
  static let room = 42

  /// The search radius, in metres through the earth: pieces that are farther cannot be in the result.
  private(set) var reach: Float
  /// The nearest outlines among those that were measured.
  private var ranking: Ranking
  /// The caller's search radius, in metres over the ground.
  private let most: Double
  /// The exclusive or of all prefetched words. It is kept so that the compiler does not remove the reads.
  var fetched: UInt32 = 0
  let limit: Int
  private let bounds: UnsafeMutablePointer<Bound>
  private var boundCount = 0
  /// The position of the farthest bound, which a nearer one replaces once there are `limit` bounds.
  private var farthest = 0
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
    ranking = Ranking(limit: limit)
    self.most = most
    reach = Self.chord(most)
  }

  func end() { if isOwn { candidates.deallocate() } }

  private static func chord(_ ground: Double) -> Float { Float(Chord.upTo(ground: ground)).nextUp }

  /// The search radius in metres over the ground, from bounds and measured distances.
  var groundReach: Double { min(measuredReach, Chord.ground(within: Double(reach))) }

  /// The search radius in metres over the ground, from measured distances alone.
  @inline(__always) private var measuredReach: Double { min(most, ranking.reach) }

  /// Returns the search radius for pieces of one outline, in metres through the earth.
  @inline(__always) func reach(of outline: Int) -> Float {
    guard limit > 1, let slot = slot(of: outline) else { return reach }
    return min(reach, bounds[slot].reach)
  }

  @inline(__always) private func slot(of outline: Int) -> Int? {
    let name = Int32(truncatingIfNeeded: outline)
    var slot = 0
    while slot < boundCount {
      if bounds[slot].outline == name { return slot }
      slot &+= 1
    }
    return nil
  }

  /// Adds the pieces of a chunk that may be nearest.
  /// - Parameter nearest: the least of the distances.
  @inline(__always) mutating func add(
    _ distances: BoundaryChunks.Distances, nearest: Float, outline: Int, from start: UnsafePointer<Cartesian>,
    isGeodesic: Bool
  ) {
    let slot = limit > 1 ? slot(of: outline) : nil
    let known = slot.map { min(reach, bounds[$0].reach) } ?? reach
    guard nearest <= known else { return }
    let bound = Self.chord(Chord.ground(within: max(0, Double(nearest + distances.spread))))
    let place = Int32(truncatingIfNeeded: bound < known ? insert(bound, of: outline, at: slot) : slot ?? 0)
    if candidateCount &+ 8 > capacity { makeRoom() }
    distances.visit(within: min(known, bound)) { piece, least in
      candidates[candidateCount] = Candidate(
        least: least, outline: Int32(truncatingIfNeeded: outline), place: start + piece, slot: place,
        isGeodesic: isGeodesic)
      candidateCount &+= 1
    }
  }

  /// Adds an outline that was measured, unless it is beyond the search radius.
  mutating func add(_ neighbour: OutlineIndex.Neighbour) {
    guard neighbour.distance.metres <= measuredReach else { return }
    ranking.bringUp(neighbour)
    let slot = limit > 1 ? slot(of: neighbour.outline) : nil
    let bound = Self.chord(neighbour.distance.metres)
    if bound < (slot.map { min(reach, bounds[$0].reach) } ?? reach) {
      _ = insert(bound, of: neighbour.outline, at: slot)
    }
  }

  /// - Parameters:
  ///   - bound: less than the bound of the outline so far, and less than the reach.
  ///   - slot: the position of the outline among the bounds, or nil.
  /// - Returns: its new position.
  @inline(__always) private mutating func insert(_ bound: Float, of outline: Int, at slot: Int?) -> Int {
    guard limit > 1 else {
      reach = bound
      return 0
    }
    var place = slot ?? farthest
    if slot == nil, boundCount < limit {
      place = boundCount
      boundCount &+= 1
    }
    bounds[place] = Bound(outline: Int32(truncatingIfNeeded: outline), reach: bound)
    guard boundCount == limit, place == farthest || slot == nil else { return place }
    var most = -Float.infinity
    for number in 0..<limit where bounds[number].reach > most {
      most = bounds[number].reach
      farthest = number
    }
    reach = min(reach, most)
    return place
  }

  /// Returns true if a piece may still be the nearest piece of one of the nearest outlines.
  @inline(__always) private func counts(_ candidate: Candidate) -> Bool {
    guard candidate.least <= reach else { return false }
    guard limit > 1, Int(candidate.slot) < boundCount else { return true }
    // The slot may be another outline's by now. Then the only limit for this one is the reach.
    let bound = bounds[Int(candidate.slot)]
    return bound.outline != candidate.outline || candidate.least <= bound.reach
  }

  /// Removes candidates that are ruled out, and allocates more memory if more than half remain.
  @inline(never) private mutating func makeRoom() {
    var kept = 0
    for number in 0..<candidateCount where counts(candidates[number]) {
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

  /// Measures the remaining candidates and returns the nearest outlines.
  /// - Parameter distance: returns the distance over the ground to a piece, in metres, given the square of
  ///   its distance through the earth.
  @inline(__always) mutating func settled(
    from place: Cartesian, distance: (Candidate, Double) -> Double
  ) -> [OutlineIndex.Neighbour] {
    var kept = 0
    for number in 0..<candidateCount where counts(candidates[number]) {
      candidates[kept] = candidates[number]
      kept &+= 1
    }
    // Never true. The compiler cannot know this, and so keeps the prefetching reads.
    if candidateCount < 0 { kept = Int(fetched) }
    guard kept > 0 else { return ranking.neighbours }
    withUnsafeTemporaryAllocation(of: Turn.self, capacity: kept) { turns in
      // The vertices of all candidates are read before any is measured, so that the cache misses overlap.
      for number in 0..<kept {
        let piece = candidates[number].place
        let square = place.projected(from: piece[0], to: piece[1]).squaredDistance
        turns[number] = Turn(square: square, number: number)
      }
      Self.sort(turns)
      for turn in turns {
        let candidate = candidates[turn.number]
        let outline = Int(candidate.outline)
        let farthest = min(measuredReach, ranking.distance(of: outline))
        guard candidate.least <= Self.chord(farthest) else { continue }
        let metres = distance(candidate, turn.square)
        if metres <= measuredReach {
          ranking.bringUp(OutlineIndex.Neighbour(outline: outline, distance: .metres(metres)))
        }
      }
    }
    return ranking.neighbours
  }

  /// Sorts the nearest first. Insertion sort is the fastest for few elements.
  private static func sort(_ turns: UnsafeMutableBufferPointer<Turn>) {
    guard turns.count <= 40 else {
      var turns = turns
      turns.sort { $0.square < $1.square }
      return
    }
    let start = turns.baseAddress!
    var number = 1
    while number < turns.count {
      let turn = start[number]
      var place = number
      while place > 0, start[place &- 1].square > turn.square {
        start[place] = start[place &- 1]
        place &-= 1
      }
      start[place] = turn
      number &+= 1
    }
  }
}

extension Ranking {
  /// Returns the distance of an outline, infinite if it is not among the nearest so far.
  fileprivate func distance(of outline: Int) -> Double {
    for neighbour in neighbours where neighbour.outline == outline { return neighbour.distance.metres }
    return .infinity
  }

  /// Adds an outline, or moves it up if its new distance is less.
  fileprivate mutating func bringUp(_ neighbour: OutlineIndex.Neighbour) {
    if let known = neighbours.firstIndex(where: { $0.outline == neighbour.outline }) {
      guard neighbour.distance < neighbours[known].distance else { return }
      neighbours.remove(at: known)
    }
    insert(neighbour)
  }
}
