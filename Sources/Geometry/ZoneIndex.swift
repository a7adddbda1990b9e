/// Answers for many zones at once: which contain a fix, which are near.
///
/// A zone is an outline with an inset; its effective distance is `signedDistance + inset`, and a fix is inside
/// when that is zero or less. Zones are named by their position in the array the index was built from.
/// Built once, immutable, shareable between threads. All answers are exact: boxes only choose whom to ask.
public struct ZoneIndex: Sendable {
  public struct Entry: Sendable {
    public let outline: Outline
    /// Positive shrinks, negative grows.
    public let inset: Distance
    public init(outline: Outline, inset: Distance = .zero) {
      self.outline = outline
      self.inset = inset
    }
  }
  public struct Neighbour: Equatable, Sendable {
    public let zone: Int
    /// Effective distance, negative inside.
    public let distance: Distance
    public init(zone: Int, distance: Distance) {
      self.zone = zone
      self.distance = distance
    }
  }

  public let entries: [Entry]
  /// What was laid out at once, and, after edits, the zones that came since.
  let base: ZoneLayer
  let recent: ZoneLayer?

  /// - Parameter density: how finely boundaries are cut, in cells for an edge; less is slower and takes less memory.
  /// - Complexity: O(n log n); 10,000 zones take some tens of milliseconds.
  public init(_ entries: [Entry], density: Double = 1.2) {
    precondition(density > 0, "an index needs some memory")
    self.entries = entries
    base = ZoneLayer(entries, zones: (0..<Int32(entries.count)).map { $0 }, density: density)
    recent = nil
  }

  init(entries: [Entry], base: ZoneLayer, recent: ZoneLayer?) {
    self.entries = entries
    self.base = base
    self.recent = recent
  }

  public var count: Int { entries.count }

  /// The zones whose effective distance is at most `radius`, ascending by zone.
  ///
  /// A negative radius asks for zones in which `p` lies that deep.
  public func within(_ radius: Distance, of p: Coordinate) -> [Neighbour] {
    let query = Query(p)
    var found: [Neighbour] = []
    visit(within: max(0, radius.metres), of: query.place) { zone in
      guard leastDistance(query, zone, -.infinity) <= radius.metres else { return }
      let distance = distance(query, zone, outside: radius.metres)
      if distance <= radius.metres { found.append(Neighbour(zone: zone, distance: .metres(distance))) }
    }
    found.sort { $0.zone < $1.zone }
    return found
  }

  /// The `k` zones of least effective distance, nearest first, equal distances by zone.
  public func nearest(_ k: Int, to p: Coordinate) -> [Neighbour] {
    let query = Query(p)
    var ranking = Ranking(limit: k)
    visitNearestFirst(from: query.place) { zone, least in
      leastDistance(query, zone, least)
    } _: { zone in
      let distance = distance(query, zone, outside: ranking.reach)
      if distance <= ranking.reach { ranking.insert(Neighbour(zone: zone, distance: .metres(distance))) }
    } reach: {
      ranking.reach
    }
    return ranking.neighbours
  }

  /// The effective distance to one zone.
  public func distance(from p: Coordinate, to zone: Int) -> Distance {
    .metres(distance(Query(p), zone))
  }

  func distance(_ query: Query, _ zone: Int) -> Double {
    entries[zone].outline.signedMetres(from: query) + entries[zone].inset.metres
  }

  /// Exact where it is at most `reach`; more than that elsewhere.
  func distance(_ query: Query, _ zone: Int, outside reach: Double) -> Double {
    let inset = entries[zone].inset.metres
    return entries[zone].outline.signedMetres(
      from: query, outside: min(Earth.halfMeridian, max(0, reach - inset) + 1)) + inset
  }

  /// What the effective distance is at least, found without measuring over the ground.
  /// - Parameter box: the distance of the zone's box, -infinity in it.
  @inline(__always) func leastDistance(_ query: Query, _ zone: Int, _ box: Double) -> Double {
    leastDistance(query.place, zone, box)
  }

  @inline(__always) func leastDistance(_ place: Cartesian, _ zone: Int, _ box: Double) -> Double {
    guard case .circle(_, let radius) = entries[zone].outline.extent else { return box }
    // No line over the ground is shorter than the one through the earth.
    let chord = place.squaredDistance(to: entries[zone].outline.box.center).squareRoot()
    return chord - radius + entries[zone].inset.metres - Chord.rounding
  }

  /// Exact where it is at most `limit` from the effective boundary; elsewhere right in sign.
  func distance(_ query: Query, _ zone: Int, limit: Double) -> Double {
    let inset = entries[zone].inset.metres
    return entries[zone].outline.signedMetres(from: query, limit: abs(inset) + limit) + inset
  }

  // MARK: Safe area

  /// The circle around `p` in which no zone's effective boundary lies: while a device stays in it, `containing`
  /// answers the same, and no effective distance has changed sign.
  ///
  /// Costs as much as `nearest(1, to:)`. The radius is that of the nearest boundary, less a millimetre.
  /// - Parameter limit: farther boundaries are not looked for.
  public func safeArea(at p: Coordinate, limit: Distance = .kilometres(1000)) -> SafeArea {
    let nearest = nearestBoundaries(1, Query(p), within: limit.metres)
    let least = nearest.first?.distance.metres ?? limit.metres
    return SafeArea(center: p, radius: .metres(max(0, least - 0.001)))
  }
}

/// The nearest zones so far.
struct Ranking {
  private let limit: Int
  /// Farther ones never count.
  private let most: Double
  private(set) var neighbours: [ZoneIndex.Neighbour] = []
  /// Farther zones don't count any more.
  private(set) var reach: Double

  init(limit: Int, most: Double = .infinity) {
    self.limit = max(0, limit)
    self.most = most
    reach = limit > 0 ? most : -.infinity
  }

  /// Infinite for a zone that is not among the nearest so far.
  func distance(of zone: Int) -> Double {
    for neighbour in neighbours where neighbour.zone == zone { return neighbour.distance.metres }
    return .infinity
  }

  /// Adds a zone, or brings a nearer one up.
  mutating func insert(_ neighbour: ZoneIndex.Neighbour) {
    var place: Int
    if let known = neighbours.firstIndex(where: { $0.zone == neighbour.zone }) {
      guard neighbour.distance < neighbours[known].distance else { return }
      neighbours[known] = neighbour
      place = known
    } else if neighbours.count < limit {
      if neighbours.isEmpty { neighbours.reserveCapacity(min(limit, 16)) }
      neighbours.append(neighbour)
      place = neighbours.count - 1
    } else {
      guard limit > 0, isBefore(neighbour, neighbours[limit - 1]) else { return }
      neighbours[limit - 1] = neighbour
      place = limit - 1
    }
    while place > 0, isBefore(neighbour, neighbours[place - 1]) {
      neighbours.swapAt(place, place - 1)
      place -= 1
    }
    if neighbours.count == limit { reach = min(most, neighbours[limit - 1].distance.metres) }
  }

  private func isBefore(_ a: ZoneIndex.Neighbour, _ b: ZoneIndex.Neighbour) -> Bool {
    a.distance != b.distance ? a.distance < b.distance : a.zone < b.zone
  }
}
