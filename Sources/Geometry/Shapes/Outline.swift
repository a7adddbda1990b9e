/// A shape prepared for measuring: built once, immutable, shareable between threads.
///
/// Signed distances are metres over the ellipsoid, within 1e-6 m up to 10 km and 1e-3 m up to 1,000 km of what
/// GeographicLib gives, and never false in sign. The boundary belongs to the inside; what is nearer to it than
/// ten nanometres, which is as exact as degrees can be written, is on it, and its distance is 0.
///
/// - A circle and a corridor are measured from their centre line: `distance - radius`. Where a corridor's path bends
///   on itself the depth is that below the nearest stretch of path.
/// - A polygon is measured to the nearest edge. Parts that share edges are one area: an edge with one of them on either
///   side is no boundary (`JoinedParts`). Of other parts the one counts in which `p` lies deepest.
/// - Edges in longitude and latitude take the short way round the earth; from -180° to exactly 180° they have no
///   length, unless the ring would vanish without them. A ring around a pole has the smaller side for its inside,
///   unless it is led along a pole, as files of straight longitudes do, and so says which.
/// - An edge walked an even number of times by a part's rings bounds nothing and is not measured to.
public struct Outline: Sendable {
  public var shape: Shape { prepared.shape }
  var extent: Extent { prepared.extent }
  /// Holds the boundary and the inside.
  var box: Box { prepared.box }
  /// Nil where no parts of a polygon share edges.
  var joined: JoinedParts? { prepared.joined }

  /// One reference, whatever the shape: outlines are copied with lists of outlines.
  private let prepared: Prepared

  private final class Prepared: Sendable {
    let shape: Shape
    let extent: Extent
    let box: Box
    let joined: JoinedParts?
    init(shape: Shape, extent: Extent, box: Box, joined: JoinedParts?) {
      self.joined = joined
      self.shape = shape
      self.extent = extent
      self.box = box
    }
  }

  enum Extent: Sendable {
    case circle(center: Coordinate, radius: Double)
    case corridor(path: BoundaryTree, halfWidth: Double)
    case polygon(BoundaryTree)
  }

  /// - Precondition: a corridor's path has at least one place.
  /// - Complexity: O(n) in the number of vertices, and the length of edges over 20 km in units of that.
  public init(_ shape: Shape) {
    let extent: Extent
    let box: Box
    var joined: JoinedParts?
    switch shape {
    case .circle(let center, let radius):
      extent = .circle(center: center, radius: radius.metres)
      box = Self.box(around: center, radius: radius.metres)
    case .corridor(let path, let halfWidth, let edges):
      precondition(!path.isEmpty, "a corridor has a path")
      let tree = BoundaryTree(path: path, kind: edges)
      extent = .corridor(path: tree, halfWidth: halfWidth.metres)
      box = tree.nodes[tree.root].box.grown(by: max(0, halfWidth.metres))
    case .polygon(let polygon):
      let tree = BoundaryTree(polygon)
      extent = .polygon(tree)
      box = tree.areaBox
      if polygon.parts.count > 1 { joined = JoinedParts(polygon, tree) }
    }
    prepared = Prepared(shape: shape, extent: extent, box: box, joined: joined)
  }

  private static func box(around center: Coordinate, radius: Double) -> Box {
    var box = Box()
    box.include(center.ecef, margin: max(0, radius))
    return box
  }

  /// Metres over the ellipsoid to the nearest boundary point; negative inside, 0 on the boundary.
  ///
  /// Changes by at most the distance that `p` moves. An area without any boundary, the whole earth, is half a
  /// meridian deep.
  /// - Complexity: O(log n) for outlines as they occur.
  public func signedDistance(from p: Coordinate) -> Distance { .metres(signedMetres(from: Query(p))) }

  /// True if `p` is inside or on the boundary. Never wrong.
  public func contains(_ p: Coordinate) -> Bool { signedMetres(from: Query(p), limit: 2 * onBoundary) <= 0 }

  /// - Parameters:
  ///   - limit: a greater distance may be returned as this one, which takes less work.
  ///   - outside: the same for places outside.
  func signedMetres(
    from query: Query, limit: Double = Earth.halfMeridian, outside: Double = Earth.halfMeridian
  ) -> Double {
    switch extent {
    case .circle(let center, let radius):
      let square = query.place.squaredDistance(to: box.center)
      if square < ShortLine.longestSquared, square > ShortLine.shortestSquared {
        let distance = ShortLine.ground(from: query.place, to: box.center, square: square) - radius
        if abs(distance) > doubt(at: distance + radius) { return distance }
      }
      return onBoundaryIsZero(query.coordinate.distance(to: center).metres - radius)
    case .corridor(let path, let halfWidth):
      let reach = min(Earth.halfMeridian, max(0, halfWidth) + min(limit, outside))
      let distance = path.distance(from: query, below: path.root, limit: reach) - halfWidth
      if abs(distance) > doubt(at: distance + halfWidth) { return distance }
      return onBoundaryIsZero(
        path.distance(from: query, below: path.root, limit: reach, byGeodesics: true) - halfWidth)
    case .polygon(let tree):
      let around = tree.parts(around: query)
      if around.isEmpty {
        let distance = tree.distance(from: query, below: tree.root, limit: min(limit, outside))
        if distance > onBoundary { return distance }
        // On an edge; perhaps on one that two parts share.
        let touched = joined.map { _ in tree.parts(within: onBoundary, of: query) } ?? []
        return onBoundaryIsZero(-(joined?.depth(of: query, in: touched, limit: limit) ?? 0))
      }
      var depth = joined?.depth(of: query, in: around, limit: limit) ?? 0
      for part in around {
        let root = Int(tree.parts[part].root)
        depth = max(depth, tree.distance(from: query, below: root, limit: limit))
      }
      return onBoundaryIsZero(-depth)
    }
  }
}

/// Metres; degrees written as numbers of double precision are no finer.
private let onBoundary = 1e-8

/// Metres from a circle's or a corridor's boundary within which only a geodesic decides on which side a place
/// is.
/// - Parameter distance: from the centre line, metres.
private func doubt(at distance: Double) -> Double { 1e-6 + ShortLine.error(square: distance * distance) }

private func onBoundaryIsZero(_ distance: Double) -> Double { abs(distance) <= onBoundary ? 0 : distance }
