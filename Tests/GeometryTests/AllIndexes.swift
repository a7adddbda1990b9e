import Geometry

/// The two indexes of the same outlines, edited together.
struct AllIndexes {
  let near: OutlineIndex
  let containment: ContainmentIndex

  init(_ entries: [OutlineIndex.Entry]) {
    near = OutlineIndex(entries)
    containment = ContainmentIndex(entries)
  }

  init(_ entries: [OutlineIndex.Entry], replacing former: AllIndexes, unchanged: [Int32]) {
    let (edit, places) = ListEdit.of(former.near.count, unchanged: unchanged)
    let coming = places.map { entries[$0] }
    near = OutlineIndex(editing: former.near, by: edit, coming)
    containment = ContainmentIndex(editing: former.containment, by: edit, coming)
  }

  func containing(_ p: Coordinate) -> [Int] { containment.containing(p) }
  func containing(_ places: [Coordinate], into hits: inout ContainmentIndex.Hits) {
    containment.containing(places, into: &hits)
  }
  func within(_ radius: Distance, of p: Coordinate) -> [OutlineIndex.Neighbour] { near.within(radius, of: p) }
  func nearest(_ k: Int, to p: Coordinate) -> [OutlineIndex.Neighbour] { near.nearest(k, to: p) }
}

extension ListEdit {
  /// Returns the edit after which each element was at a former position (-1: new), and the later positions of
  /// inserted elements. Elements that moved past others are removed and inserted.
  static func of(_ former: Int, unchanged: [Int32]) -> (edit: ListEdit, coming: [Int]) {
    // The longest sequence of elements that keep their order: its length, and the previous element.
    var best = [(length: Int, before: Int)](repeating: (0, -1), count: unchanged.count)
    for place in unchanged.indices where unchanged[place] >= 0 {
      best[place] = (1, -1)
      for earlier in 0..<place
      where unchanged[earlier] >= 0 && unchanged[earlier] < unchanged[place]
        && best[earlier].length >= best[place].length
      {
        best[place] = (best[earlier].length + 1, earlier)
      }
    }
    var stays: Set<Int> = []
    var place = unchanged.indices.max { best[$0].length < best[$1].length } ?? -1
    while place >= 0, unchanged[place] >= 0 {
      stays.insert(place)
      place = best[place].before
    }
    let kept = Set(stays.map { Int(unchanged[$0]) })
    var next = former
    var inserted: [Int] = []
    var coming: [Int] = []
    for place in unchanged.indices.reversed() {
      if stays.contains(place) {
        next = Int(unchanged[place])
      } else {
        inserted.append(next)
        coming.append(place)
      }
    }
    return (
      ListEdit(removed: (0..<former).filter { !kept.contains($0) }, inserted: inserted.reversed()),
      coming.reversed()
    )
  }
}
