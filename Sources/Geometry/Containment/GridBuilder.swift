/// Lays outlines out on a grid: first the patches of each outline in the tiles, then the cells, tile by tile.
struct GridBuilder {
  /// The part of an outline in a tile.
  struct Patch {
    enum Kind: UInt8 {
      case cover, lines, circle, ask
    }
    /// `row * columns + column`
    let tile: Int
    let outline: Int32
    let kind: Kind
    /// For lines: whether the outline contains the tile's south-western corner.
    var parity = false
    /// For lines: the first of the pieces in `pieces`. For a circle: its index in `circles`.
    var first: Int32 = 0
    var count: Int32 = 0
  }

  let entries: EditedList<OutlineIndex.Entry>
  let scale: GridScale
  var patches: [Patch] = []
  var pieces: [GridPiece] = []
  var circles: [GridCircle] = []
  /// Tiles that get cells.
  var lineTiles = 1
  /// The most cells of a tile beyond those that its edges require.
  private let mostSpare: Double
  /// The approximate number of edges of all outlines.
  private let edges: Double
  /// Cells of a tile beyond those that its edges require. With few tiles they cost little. They are not worth
  /// it for few edges in many tiles, as of one outline around the earth.
  var spare: Double {
    min(mostSpare, max(262_144, min(256 * Double(lineTiles), 64 * edges)) / Double(lineTiles))
  }
  private var sheet = TileRasterizer()

  /// Builds the grid of some outlines.
  /// - Parameters:
  ///   - outlines: positions in `entries`, ascending.
  ///   - density: the approximate number of cells per edge.
  ///   - isSmall: whether to leave out cells beyond those that the edges require.
  static func grid(
    of entries: EditedList<OutlineIndex.Entry>, outlines: [Int32], density: Double, isSmall: Bool = false
  ) -> ContainmentGrid {
    var builder = GridBuilder(entries: entries, outlines: outlines, mostSpare: isSmall ? 64 : 16_384)
    for outline in outlines { builder.add(outline) }
    return builder.grid(density: density)
  }

  /// How much of an edge a piece counts for, where cells are dealt out: long edges are cut into many.
  var weight: Double { min(1, max(65_536, edges) / Double(max(1, pieces.count))) }

  private init(entries: EditedList<OutlineIndex.Entry>, outlines: [Int32], mostSpare: Double) {
    self.entries = entries
    self.mostSpare = mostSpare
    var tiles = 0.0
    var edges = 0.0
    var shortest = Double.greatestFiniteMagnitude
    for outline in outlines {
      let size = Self.size(of: entries[Int(outline)])
      let count = Double(entries[Int(outline)].outline.vertexCount)
      tiles += (size.height * 4 + 1) * (size.width * 4 + 1)
      edges += 1 + count
      shortest = min(shortest, size.height * 2 * Earth.leastMetresPerDegree / max(1, count))
    }
    self.edges = edges
    var halvings = 0
    // Long edges lie in few large tiles as well as in many small ones.
    while halvings < GridScale.mostHalvings,
      tiles > 16_384 + 16 * edges
        || tiles > 1024 + edges && GridScale.side(halvings: halvings + 1) < 16 * shortest
    {
      tiles /= 4
      halvings += 1
    }
    scale = GridScale(halvings: halvings, edge: shortest)
  }

  /// Degrees of latitude and of longitude over which an outline reaches, about, with what a negative inset adds to its outline.
  private static func size(of entry: OutlineIndex.Entry) -> (height: Double, width: Double) {
    let bounds = entry.outline.bounds
    guard entry.inset < .zero else {
      return (bounds.north.degrees - bounds.south.degrees, bounds.width.degrees)
    }
    let grown = -entry.inset.metres / Earth.leastMetresPerDegree
    let (south, north) = (max(-90, bounds.south.degrees - grown), min(90, bounds.north.degrees + grown))
    let highest = min(89.75, max(abs(south), abs(north)))
    let side = grown / Trigonometry.sineAndCosine(ofDegrees: highest).cosine
    return (north - south, min(360, bounds.width.degrees + 2 * side))
  }

  private mutating func add(_ outline: Int32) {
    let entry = entries[Int(outline)]
    switch entry.outline.extent {
    case .circle(let center, let radius):
      let circle = GridCircle(center: center, radius: radius - entry.inset.metres, scale: scale)
      if circle.isSmall, circle.rows.lowerBound > 0, circle.rows.upperBound < scale.rows - 1 {
        add(circle, of: outline)
      } else {
        ask(outline)
      }
    case .corridor:
      ask(outline)
    case .polygon(let tree):
      guard entry.inset == .zero, !tree.isBoundless, case .polygon(let polygon) = entry.outline.shape else {
        return ask(outline)
      }
      addParts(of: polygon, tree, outline)
    }
  }

  private mutating func add(_ circle: GridCircle, of outline: Int32) {
    guard circle.radius >= 0 else { return }
    circles.append(circle)
    for row in circle.rows {
      for column in circle.columns {
        patches.append(
          Patch(
            tile: row * scale.columns + scale.wrapped(column), outline: outline, kind: .circle,
            first: Int32(circles.count - 1)))
      }
    }
  }

  // MARK: Polygons

  private mutating func addParts(of polygon: Polygon, _ tree: BoundaryTree, _ outline: Int32) {
    let rings = tree.rings
    var first = 0
    var parts: [GridPart] = []
    for (number, part) in polygon.parts.enumerated() {
      let count = 1 + part.holes.count
      parts.append(
        GridPart(
          tree, rings: rings[first..<first + count], isFlipped: tree.parts[number].isFlipped, scale: scale))
      first += count
    }
    if parts.contains(where: { $0.isWound || $0.hasPoint }) { return ask(outline) }
    for part in parts {
      sheet.lay(part, scale)
      sheet.takePatches(of: outline, scale, into: &patches, &pieces)
    }
  }

  // MARK: Whatever else

  /// Finds tiles wholly inside or outside by the distance at their middle. In the others the outline is
  /// measured.
  private mutating func ask(_ outline: Int32) {
    let entry = entries[Int(outline)]
    let bounds = entry.outline.bounds
    let margin = (max(0, -entry.inset.metres) + 1) / Earth.leastMetresPerDegree
    let (south, north) = (max(-90, bounds.south.degrees - margin), min(90, bounds.north.degrees + margin))
    // The rows at the poles are no part of the grid.
    let first = max(1, Int(scale.v(south)))
    let rows = first..<max(first, min(scale.rows - 1, Int(scale.v(north)) + 1))
    // Degrees of longitude to add on each side for the margin; the whole circle near a pole.
    let highest = max(abs(south), abs(north))
    var side = 360.0
    if highest < 89 {
      side = margin * 1.02 / Trigonometry.sineAndCosine(ofDegrees: highest).cosine
    }
    let (west, width) = (bounds.west.degrees - side, bounds.width.degrees + 2 * side)
    guard width < 359 else { return ask(outline, columns: 0..<scale.columns, rows: rows) }
    let firstColumn = Int(((west + 540) * scale.tilesPerDegree).rounded(.down)) - scale.columns
    let lastColumn = Int(((west + width + 540) * scale.tilesPerDegree).rounded(.down)) - scale.columns
    ask(outline, columns: firstColumn..<min(firstColumn + scale.columns, lastColumn + 1), rows: rows)
  }

  private mutating func ask(_ outline: Int32, columns: Range<Int>, rows: Range<Int>) {
    guard !columns.isEmpty, !rows.isEmpty else { return }
    let frame = GridFrame(scale: scale, u: 0, v: 0, perTile: (1, 1))
    frame.classify(entries[Int(outline)], columns: columns, rows: rows) { columns, rows, isInside in
      for row in rows {
        for column in columns {
          patches.append(
            Patch(
              tile: row * scale.columns + scale.wrapped(column), outline: outline,
              kind: isInside == true ? .cover : .ask))
        }
      }
    }
  }
}

extension Outline {
  /// As drawn: long edges are not counted by the pieces that they are cut into.
  var vertexCount: Int {
    switch shape {
    case .circle: 1
    case .corridor(let path, _, _): path.count
    case .polygon(let polygon):
      polygon.parts.reduce(0) { sum, part in
        part.holes.reduce(sum + part.outer.vertices.count) { $0 + $1.vertices.count }
      }
    }
  }
}
