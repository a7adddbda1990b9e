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
    /// Where the outline was among the bounds, or none.
    fileprivate let slot: Int32
    let isGeodesic: Bool
  }

  /// A candidate, by the square of the straight line through the earth.
  private struct Turn {
    let square: Double
    let number: Int
  }

  /// An outline whose boundary is nearer than what is farther through the earth than `reach`.
  struct Bound {
    let outline: Int32
    var reach: Float
  }

  /// As many as the stack has room for: a kilobyte of them.
  static let room = 42

  /// What is farther through the earth than this does not count.
  private(set) var reach: Float
  /// Outlines that were measured at once.
  private var ranking: Ranking
  /// Metres over the ground; what is farther never counts.
  private let most: Double
  /// What was read only to have it near.
  var fetched: UInt32 = 0
  let limit: Int
  private let bounds: UnsafeMutablePointer<Bound>
  private var boundCount = 0
  /// The bound that is the first to go, when there are as many as the limit.
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

  /// Metres over the ground; what is farther does not count.
  var groundReach: Double { min(measuredReach, Chord.ground(within: Double(reach))) }

  /// The same, by what was measured alone.
  @inline(__always) private var measuredReach: Double { min(most, ranking.reach) }

  /// What of one outline is farther than this does not count.
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

  /// Adds an outline that is measured; one farther than the reach does not count.
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
  ///   - bound: less than what is known of the outline, and than the reach.
  ///   - slot: where the outline is among the bounds, if it is.
  /// - Returns: where it is now.
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

  /// Whether a piece may still be the nearest of its outline, and the outline among the nearest.
  @inline(__always) private func counts(_ candidate: Candidate) -> Bool {
    guard candidate.least <= reach else { return false }
    guard limit > 1, Int(candidate.slot) < boundCount else { return true }
    // Another outline's by now, perhaps: what is known of this one is no more than the reach then.
    let bound = bounds[Int(candidate.slot)]
    return bound.outline != candidate.outline || candidate.least <= bound.reach
  }

  /// Leaves out what does not count any more, and takes more memory where that is not much.
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

  /// The nearest outlines.
  /// - Parameter distance: to a piece, with the square of the straight line through the earth.
  @inline(__always) mutating func settled(
    from place: Cartesian, distance: (Candidate, Double) -> Double
  ) -> [OutlineIndex.Neighbour] {
    var kept = 0
    for number in 0..<candidateCount where counts(candidates[number]) {
      candidates[kept] = candidates[number]
      kept &+= 1
    }
    // Never so; the compiler does not know it, and keeps the reading.
    if candidateCount < 0 { kept = Int(fetched) }
    guard kept > 0 else { return ranking.neighbours }
    withUnsafeTemporaryAllocation(of: Turn.self, capacity: kept) { turns in
      // All their places before any is measured, so that they are waited for together.
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

  /// Nearest first. Few are in order sooner when each is led to its place than by halves.
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
  /// Infinite for an outline that is not among the nearest so far.
  fileprivate func distance(of outline: Int) -> Double {
    for neighbour in neighbours where neighbour.outline == outline { return neighbour.distance.metres }
    return .infinity
  }

  /// Adds an outline, or brings a nearer one up.
  fileprivate mutating func bringUp(_ neighbour: OutlineIndex.Neighbour) {
    if let known = neighbours.firstIndex(where: { $0.outline == neighbour.outline }) {
      guard neighbour.distance < neighbours[known].distance else { return }
      neighbours.remove(at: known)
    }
    insert(neighbour)
  }
}
