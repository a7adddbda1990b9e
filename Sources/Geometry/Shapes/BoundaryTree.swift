/// Rings or a path, cut into short pieces under a tree of boxes, to find the boundary and the inside.
///
/// The pieces of a ring stay in the order of the ring, so that a node is a stretch of it. Its ends alone say how
/// often the stretch crosses a meridian, net, and a stretch wholly north of a point need not be looked into.
///
/// Most trees are plain: each piece is a whole edge that bounds, none touches a pole or ±180°. Then two
/// places describe a piece, and a vertex takes 24 bytes besides its latitude and longitude, which the shape
/// has anyway.
final class BoundaryTree: Sendable {
  /// A place on a ring: a vertex, or a point of a long edge.
  struct Vertex: Sendable {
    let place: Cartesian
    /// Degrees; beyond ±90 for those lines along a pole that must lie beyond it.
    let latitude: Double
    /// Degrees, -180 up to but not including 180.
    let longitude: Double
    /// Full turns to add to the longitude, counted along the ring.
    var turns: Int32 = 0

    var unwrapped: Double { longitude + 360 * Double(turns) }
  }

  /// The piece that begins at a vertex, in a tree in which two vertices do not describe it.
  struct Detail: Sendable {
    let turns: Int32
    let edge: Int32
    /// The positions of the piece's ends on its edge, 0 to 1; the first is greater where the ring runs the
    /// other way.
    let fractionAtStart: Double
    let fractionAtEnd: Double
    /// How far the piece strays from the straight line through the earth, metres.
    let sag: Double
    /// How far the piece can reach beyond the latitudes of its ends, degrees.
    let bulge: Double
    /// True if inside and outside meet here.
    let bounds: Bool
  }

  struct Position: Sendable {
    let latitude: Double
    let longitude: Double
  }

  struct Node: Sendable {
    enum Kind: UInt8, Sendable {
      /// Children are pieces, `first` the first vertex.
      case leaf
      /// Children are nodes, together a stretch of one ring.
      case stretch
      /// Children are nodes of whole rings.
      case group
    }
    var kind: Kind
    /// True if a ring around a pole is below: the latitudes and longitudes are then meaningless.
    var isPolar = false
    var first: Int32
    var count: Int32
    /// The first and last vertices of the stretch, both included; meaningless in a group.
    var firstVertex: Int32 = 0
    var lastVertex: Int32 = 0
    /// The box of the pieces that bound.
    var box = Box()
    var south = Double.infinity
    var north = -Double.infinity
    var west = Double.infinity
    var east = -Double.infinity
  }

  /// The rings of one part under one node.
  struct Part: Sendable {
    var root: Int32
    /// True if the north pole is inside as far as the rings around it say.
    var isFlipped: Bool
  }

  /// The kind of all edges.
  let kind: EdgeKind
  /// The places of the vertices; the last of each ring equals its first.
  let places: PlaceList
  /// The shape's own, where one ring is all; else `positions` has those of the vertices.
  let vertices: [Coordinate]
  let positions: [Position]
  /// The last vertices of the rings.
  let ringEnds: [Int32]
  /// The `sag` of pieces straight in longitude and latitude, rounded up; empty where there are details.
  let sags: [Float]
  /// Empty in a plain tree.
  let details: [Detail]
  let edges: [Edge]
  let nodes: [Node]
  let parts: [Part]
  let root: Int

  /// No boundary at all: the area is the whole earth, or nothing.
  var isBoundless: Bool { nodes[root].box.isEmpty }

  init(_ build: BoundaryTreeBuilder, vertices: [Coordinate]) {
    (kind, nodes, parts, root) = (build.kind, build.nodes, build.parts, build.root)
    ringEnds = build.ringEnds
    let isPlain = build.isPlain
    let isShared = isPlain && vertices.count == build.vertices.count - 1
    self.vertices = isShared ? vertices : []
    places = PlaceList(build.vertices.count) { build.vertices[$0].place }
    positions =
      isShared ? [] : build.vertices.map { Position(latitude: $0.latitude, longitude: $0.longitude) }
    sags = isPlain && kind == .lonLat ? build.details.map { Float($0.sag).nextUp } : []
    details = isPlain ? [] : build.details
    edges = isPlain ? [] : build.edges
  }

  convenience init(_ polygon: Polygon) {
    let isOne = polygon.parts.count == 1 && polygon.parts[0].holes.isEmpty
    self.init(BoundaryTreeBuilder(polygon), vertices: isOne ? polygon.parts[0].outer.vertices : [])
  }

  /// An open line, without inside.
  convenience init(path: [Coordinate], kind: EdgeKind) {
    self.init(BoundaryTreeBuilder(path: path, kind: kind), vertices: [])
  }
}

/// The place of a query, prepared once.
struct Query {
  let coordinate: Coordinate
  let place: Cartesian
  let latitude: Double
  /// Degrees, -180 up to but not including 180.
  let longitude: Double

  /// - Parameter known: the place in space, if known.
  init(_ coordinate: Coordinate, at known: Cartesian? = nil) {
    self.coordinate = coordinate
    place = known ?? coordinate.ecef
    latitude = coordinate.latitude.degrees
    longitude = coordinate.longitude.degrees == 180 ? -180 : coordinate.longitude.degrees
  }
}
