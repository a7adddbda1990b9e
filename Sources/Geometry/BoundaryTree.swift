/// Rings or a path, cut into short pieces under a tree of boxes: where the boundary is, and what is inside.
///
/// The pieces of a ring stay in the order of the ring, so that a node is a stretch of it. Its ends alone say how
/// often the stretch crosses a meridian, net, and a stretch wholly north of a point need not be looked into.
struct BoundaryTree: Sendable {
  /// A place on a ring: a vertex, or a point of a long edge.
  struct Station: Sendable {
    let place: Cartesian
    /// Degrees; beyond ±90 for those lines along a pole that must lie beyond it.
    let latitude: Double
    /// Degrees, -180 up to but not including 180.
    let longitude: Double
    /// Full turns to add to the longitude, counted along the ring.
    let turns: Int32
    /// Of the piece that begins here.
    let edge: Int32
    /// Where the piece lies on its edge; the first is greater where the ring runs the other way.
    let fractionAtStart: Double
    let fractionAtEnd: Double
    /// How far the piece strays from the straight line through the earth, metres.
    let sag: Double
    /// How far the piece can reach beyond the latitudes of its ends, degrees.
    let bulge: Double
    /// Whether inside and outside meet here.
    let bounds: Bool
    /// Of the edge.
    let kind: EdgeKind

    var unwrapped: Double { longitude + 360 * Double(turns) }
  }

  struct Node: Sendable {
    enum Kind: UInt8, Sendable {
      /// Children are pieces, `first` the first station.
      case leaf
      /// Children are nodes, together a stretch of one ring.
      case stretch
      /// Children are nodes of whole rings.
      case group
    }
    var kind: Kind
    /// Somewhere below is a ring around a pole: latitudes and longitudes say nothing.
    var isPolar = false
    var first: Int32
    var count: Int32
    /// Of the stretch, both included; without meaning in a group.
    var firstStation: Int32 = 0
    var lastStation: Int32 = 0
    /// Only of pieces that bound.
    var box = Box()
    var south = Double.infinity
    var north = -Double.infinity
    var west = Double.infinity
    var east = -Double.infinity
  }

  /// The rings of one part under one node.
  struct Part: Sendable {
    var root: Int32
    /// Whether the north pole is inside as far as the rings around it say.
    var isFlipped: Bool
  }

  var edges: [Edge] = []
  var stations: [Station] = []
  var nodes: [Node] = []
  var parts: [Part] = []
  var root = 0

  /// No boundary at all: the area is the whole earth, or nothing.
  var isBoundless: Bool { nodes[root].box.isEmpty }
}

/// A place asked about, made ready once.
struct Query {
  let coordinate: Coordinate
  let place: Cartesian
  let latitude: Double
  /// Degrees, -180 up to but not including 180.
  let longitude: Double

  init(_ coordinate: Coordinate) {
    self.coordinate = coordinate
    place = coordinate.ecef
    latitude = coordinate.latitude.degrees
    longitude = coordinate.longitude.degrees == 180 ? -180 : coordinate.longitude.degrees
  }
}
