/// A grid to find the outlines that contain a place. Each cell holds the pieces of boundary near it.
///
/// The earth is laid out in tiles of longitude and latitude, a tile in cells about as large as the edges in it are long.
/// A cell lists the outlines that cover it whole, and then those whose boundary passes it, with what is needed to decide:
///
/// - *lines*: the pieces of the boundary near the cell, as normalised lines `s(x, y) = a x + b y + c`, in metres, with
///   the stretch of x on which each counts; and the parity of the cell's south-western corner. A place is inside when
///   parity and the number of lines below it make an odd number. Below means: `s > 0`, and x on the stretch. Pieces that
///   leave by the cell's southern side are cut there, and a line far below stands for what the cut leaves east of it.
/// - *circle*: the centre and the radius; the metres of a cell are stored with the tile.
/// - *ask*: the outline itself has to be measured.
///
/// **Why the answer is exact.** It is taken from the grid only outside a band around every line, `|s| > band`, and where a
/// place is farther from a circle than its distance may be wrong; elsewhere the outline is measured. The band of a tile is
/// the sum of:
///
/// 1. *How far a boundary strays from its line.* A line straight in longitude and latitude bends, against the geodesic,
///    by no more than `1.1 tan φ / r` for each metre of its length squared: with `φ' = cos α / M` and `λ' = sin α / (N cos
///    φ)` its geodesic curvature is `sin α (1 + cos² α (M/N)...) tan φ / N`, greatest at `sin² α = 2/3`, where the sphere
///    gives 1.089; the ellipsoid adds less than 1 %. Between common ends it therefore strays by no more than `1.1 c² tan
///    φ / 8r`. `GridPart` takes 1.4 for 1.1, φ at the end farther from the equator with what the piece can bulge
///    beyond, up to 200 km and 75 degrees where it is more than 20 km long, and cuts pieces so that 0.1 m is enough, or,
///    where all outlines have long edges, so that each strays by no more than 1/128 of the shortest and 1/1024 of a tile: a
///    grid of countries takes a tenth of the memory then. Edges straight in longitude and latitude don't stray at all.
/// 2. *Rounding of what is kept.* a, b, c and the stretch of x are kept to 2⁻¹⁴ of a cell's greater side W, so each errs by
///    2⁻¹⁵ W: three of them in s, and a corner moved along x by one more, 2⁻¹³ W in all. x and y are single precision, and
///    so is the sum, below 2⁻²⁰ W. The band takes 1.1 times 2⁻¹³ W.
/// 3. *Rounding of places* to 2⁻⁴⁰ tiles, and the ten nanometres by which an outline's boundary is wide: below 1 µm.
///
/// Metres are those of a plane in which a tile's northern and southern sides are both as long as the shorter one, so a
/// distance in it is never longer than over the ground, and a band in it never narrower. Every piece nearer to a cell
/// than two bands is among the cell's lines. So where the grid's polygon (straight lines, rounded corners) and the true one
/// differ, the place is within a band of a line of its cell, and the outline is asked.
///
/// *The count of lines is consistent* with the corner's parity because both are made from the same numbers: where a piece
/// crosses a row of cells is computed once, monotone along the piece, and says in which cell the cut lies, on which side
/// of the tile's western side the piece passes, and where the pieces on both sides of the cut end. Every closed boundary
/// so becomes a closed staircase through the cells, whatever the last bits are.
///
/// *A circle's* distance is `dx² + dy²` with `dx = Δλ E(φₘ)`, `dy = Δφ M(φₘ)` at the middle latitude, E and M by their
/// first derivatives at the middle of the tile. Against the sphere's `sin²(d/2) = sin²(Δφ/2) + (cos² φₘ - sin²(Δφ/2))
/// sin²(Δλ/2)` the terms of fourth order leave `d⁴ (1/6 + 1/(3 cos² φ)) / r²` at most, so `d³ / (4 cos² φ r²)` in d, and 1 %
/// for the ellipsoid; `GridCircle` takes 0.4 for 1/4. The derivatives leave the share `δ² / 2` of the greatest E and less of M, δ
/// being how far the middle latitude is from that of the tile, and so of d.
final class ContainmentGrid: Sendable {
  struct Tile: Sendable {
    /// The index of the tile's first cell in `cells`.
    let firstCell: UInt32
    let columns: UInt16
    let rows: UInt16
    /// In 2⁻¹⁴ of a cell's greater side. A place this near a line is decided by measuring the outline.
    let band: Float
  }

  /// The scale of a tile, for its circles.
  struct CircleScale: Sendable {
    /// Metres of a cell to the east and to the north, on the tile's southern side.
    var metres = SIMD2<Float>.zero
    /// The change of `metres` up to the northern side.
    var changes = SIMD2<Float>.zero
    /// Half of a row of cells, in tiles.
    var halfRow: Float = 0
    /// The greatest error of a distance near the circle: a share of the radius, plus metres (`rounding`).
    var share: Float = 0
    var rounding: Float = 0

    @inline(__always) func error(of circle: KeptCircle) -> Float { circle.radius * share + rounding }
  }

  /// How an item of a cell is read, and what follows its head.
  enum ItemKind: UInt32, Sendable {
    /// Nothing: the outline covers the cell.
    case cover = 0
    /// The number of lines as a half word, then as many of a, b and c each, and of the beginnings and ends of their stretches
    /// of x; a whole number of words.
    case lines = 1
    /// The centre, in cells, and the radius.
    case circle = 2
    /// Nothing.
    case ask = 3
  }

  /// A grid while it is built.
  struct Draft {
    var tiles: [Tile] = []
    /// For each tile; none where nothing is a circle.
    var circleScales: [CircleScale] = []
    /// For each cell where its content begins in `words`; 0 for nothing.
    var cells: [UInt32] = []
    /// Contents: how many outlines cover the cell and how many others there are (``writeCounts(_:_:to:)``); those that cover it; the
    /// others, each with a head that holds outline, kind and parity. Both in the order of outlines.
    var words: [UInt32] = [0]
  }

  let scale: GridScale
  let directory: TileDirectory
  let tiles: [Tile]
  let circleScales: [CircleScale]
  let cells: [UInt32]
  let words: [UInt32]

  init(_ draft: Draft, _ directory: TileDirectory, scale: GridScale) {
    self.scale = scale
    self.directory = directory
    tiles = draft.tiles.trimmed
    circleScales = draft.circleScales.trimmed
    cells = draft.cells.trimmed
    var words = draft.words
    words.append(contentsOf: repeatElement(0, count: Self.spareWords))
    self.words = words.trimmed
  }

  /// Bytes of memory.
  var size: Int {
    directory.size + tiles.count * (MemoryLayout<Tile>.stride + MemoryLayout<CircleScale>.stride)
      + (cells.count + words.count) * 4
  }
}

extension ContainmentGrid {
  /// Units of a cell's side.
  static let units: Float = 16_384
  static let outlineBits: UInt32 = 0x0fff_ffff
  static let kindShift: UInt32 = 28
  /// For lines: whether the cell's south-western corner is inside.
  static let parityBit: UInt32 = 0x4000_0000
  /// Set if the item before is of the same outline.
  static let againBit: UInt32 = 0x8000_0000
  static let circleWords = 3
  /// Words that may be read beyond the last content.
  static let spareWords = 32

  static let mostCounted: UInt32 = 0xffff

  /// In one word, or, if they are many, in two behind a word that says so.
  static func writeCounts(_ covers: Int, _ others: Int, to words: inout [UInt32]) {
    if covers < Int(mostCounted), others < Int(mostCounted) {
      words.append(UInt32(covers) | UInt32(others) << 16)
    } else {
      words += [mostCounted, UInt32(covers), UInt32(others)]
    }
  }

  static func head(_ outline: Int32, _ kind: ItemKind) -> UInt32 {
    UInt32(outline) | kind.rawValue << kindShift
  }
}

extension Array {
  /// The same without room for more.
  fileprivate var trimmed: Self {
    var copy: Self = []
    copy.reserveCapacity(count)
    copy.append(contentsOf: self)
    return copy
  }
}
