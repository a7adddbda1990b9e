import Geometry

/// The three indexes of the same outlines, edited together.
struct AllIndexes {
  let near: OutlineIndex
  let containment: ContainmentIndex
  let boundaries: BoundaryIndex

  init(_ entries: [OutlineIndex.Entry]) {
    near = OutlineIndex(entries)
    containment = ContainmentIndex(entries)
    boundaries = BoundaryIndex(entries)
  }

  init(_ entries: [OutlineIndex.Entry], replacing former: AllIndexes, unchanged: [Int32]) {
    near = OutlineIndex(entries, replacing: former.near, unchanged: unchanged)
    containment = ContainmentIndex(entries, replacing: former.containment, unchanged: unchanged)
    boundaries = BoundaryIndex(entries, replacing: former.boundaries, unchanged: unchanged)
  }

  func containing(_ p: Coordinate) -> [Int] { containment.containing(p) }
  func containing(_ places: [Coordinate], into hits: inout ContainmentIndex.Hits) {
    containment.containing(places, into: &hits)
  }
  func within(_ radius: Distance, of p: Coordinate) -> [OutlineIndex.Neighbour] { near.within(radius, of: p) }
  func nearest(_ k: Int, to p: Coordinate) -> [OutlineIndex.Neighbour] { near.nearest(k, to: p) }
  func nearestBoundaries(_ k: Int, to p: Coordinate) -> [OutlineIndex.Neighbour] {
    boundaries.nearestBoundaries(k, to: p)
  }
  func safeArea(at p: Coordinate) -> SafeArea { boundaries.safeArea(at: p) }
}
