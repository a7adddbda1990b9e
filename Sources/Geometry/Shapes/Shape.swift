/// The kind of line between two vertices.
public enum EdgeKind: UInt8, Hashable, Sendable {
  /// The geodesic of WGS 84: drawn outlines, PAD, OpenAir.
  case geodesic = 0
  /// Straight in longitude and latitude, as in RFC 7946: GeoJSON, KML.
  case lonLat = 1
}

/// A closed line of at least three vertices; the last joins the first without repeating it.
public struct Ring: Hashable, Sendable {
  public let vertices: [Coordinate]

  /// A closing vertex equal to the first is dropped.
  /// - Throws: `.tooFewVertices` when fewer than three are left.
  public init(_ vertices: [Coordinate]) throws(ShapeError) {
    var kept = vertices
    if kept.count > 1, kept.first == kept.last { kept.removeLast() }
    guard kept.count >= 3 else { throw .tooFewVertices(given: kept.count) }
    self.vertices = kept
  }
}

/// Areas bounded by rings.
///
/// A point is inside a part when it is inside an odd number of that part's rings (so holes are outside, and a
/// ring that crosses itself is even-odd); it is inside the polygon when it is inside a part.
public struct Polygon: Hashable, Sendable {
  public struct Part: Hashable, Sendable {
    public let outer: Ring
    public let holes: [Ring]
    public init(outer: Ring, holes: [Ring] = []) {
      self.outer = outer
      self.holes = holes
    }
  }
  public let parts: [Part]
  public let edges: EdgeKind

  /// - Precondition: at least one part.
  public init(parts: [Part], edges: EdgeKind) {
    precondition(!parts.isEmpty, "a polygon has at least one part")
    self.parts = parts
    self.edges = edges
  }
}

/// The area of an outline before any inset.
public enum Shape: Hashable, Sendable {
  case circle(center: Coordinate, radius: Distance)
  /// All within `halfWidth` of a path of two or more points; with two it is a capsule.
  case corridor(path: [Coordinate], halfWidth: Distance, edges: EdgeKind)
  case polygon(Polygon)
}

public enum ShapeError: Error, Equatable, Sendable {
  /// Allowed: 3 and more.
  case tooFewVertices(given: Int)
}
