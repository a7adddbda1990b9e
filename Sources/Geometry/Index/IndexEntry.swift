extension OutlineIndex {
  /// An outline with an inset, as it is indexed.
  public struct Entry: Sendable {
    public let outline: Outline
    /// Positive shrinks, negative grows.
    public let inset: Distance
    public init(outline: Outline, inset: Distance = .zero) {
      self.outline = outline
      self.inset = inset
    }
  }

  /// One of the outlines that an index found.
  public struct Neighbour: Equatable, Sendable {
    /// Its position among the entries.
    public let outline: Int
    /// Effective distance, negative inside.
    public let distance: Distance
    public init(outline: Int, distance: Distance) {
      self.outline = outline
      self.distance = distance
    }
  }
}

extension OutlineIndex.Entry {
  /// Every place at an effective distance of zero or less is in it, and a place outside is at least as far from the
  /// outline as from the box.
  var box: Box { outline.box.grown(by: max(0, -inset.metres) + Chord.rounding) }

  /// The effective distance, in metres.
  func distance(from query: Query) -> Double { outline.signedMetres(from: query) + inset.metres }

  /// Exact where it is at most `reach`; more than that elsewhere.
  func distance(from query: Query, outside reach: Double) -> Double {
    outline.signedMetres(
      from: query, outside: min(Earth.halfMeridian, max(0, reach - inset.metres) + 1)) + inset.metres
  }

  /// Exact where it is at most `limit` from the effective boundary; elsewhere right in sign.
  func distance(from query: Query, limit: Double) -> Double {
    outline.signedMetres(from: query, limit: abs(inset.metres) + limit) + inset.metres
  }

  /// Returns a lower bound of the effective distance, without measuring over the ground.
  /// - Parameter box: the distance of the box, -infinity in it.
  @inline(__always) func leastDistance(from place: Cartesian, box: Double) -> Double {
    guard case .circle(_, let radius) = outline.extent else { return box }
    // No line over the ground is shorter than the one through the earth.
    let chord = place.squaredDistance(to: outline.box.center).squareRoot()
    return chord - radius + inset.metres - Chord.rounding
  }
}

extension EditedList where Element == OutlineIndex.Entry {
  /// The items of a tree over some of them.
  @inline(never) func treeItems(_ outlines: [Int32]) -> [BoxTree.Item] {
    outlines.map { BoxTree.Item(box: self[Int($0)].box, child: ~$0) }
  }
}
