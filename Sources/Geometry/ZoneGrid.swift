/// Which zones contain a place, by a grid in which what is near is already cut out.
///
/// The earth is laid out in tiles of longitude and latitude, a tile in cells about as large as the edges in it are long.
/// A cell names the zones that cover it whole, and for each zone whose boundary passes it a record:
///
/// - *lines*: the pieces of the boundary near the cell, as normalised lines `s(x, y) = a x + b y + c`, in metres, with
///   the stretch of x on which each counts; and the parity of the cell's south-western corner. A place is inside when
///   parity and the number of lines below it make an odd number. Below means: `s > 0`, and x on the stretch. Pieces that
///   leave by the cell's southern side are cut there, and a line far below stands for what the cut leaves east of it.
/// - *circle*: centre, the metres of a cell there, and the squares of two radii a little smaller and a little larger.
/// - *ask*: only the outline itself can say.
///
/// **Why the answer is exact.** It is taken from the grid only outside a band around every line of the record, `|s| >
/// band`, or between the two radii of a circle; within, the outline is measured. The band of a tile is the sum of:
///
/// 1. *How far a boundary strays from its line.* A line straight in longitude and latitude bends, against the geodesic,
///    by no more than `1.1 tan φ / r` for each metre of its length squared: with `φ' = cos α / M` and `λ' = sin α / (N cos
///    φ)` its geodesic curvature is `sin α (1 + cos² α (M/N)...) tan φ / N`, greatest at `sin² α = 2/3`, where the sphere
///    gives 1.089; the ellipsoid adds less than 1 %. Between common ends it therefore strays by no more than `1.1 c² tan
///    φ / 8r`. `GridPieces` takes 1.4 for 1.1, φ at the end farther from the equator with what the piece can bulge
///    beyond, and cuts pieces so that 0.1 m is enough. Edges straight in longitude and latitude don't stray at all.
/// 2. *Rounding of what is kept.* a, b, c and the stretch of x are kept to 2⁻¹⁴ of a cell's greater side W, so each errs by
///    2⁻¹⁵ W: three of them in s, and a corner moved along x by one more, 2⁻¹³ W in all. x and y are single precision, and
///    so is the sum, below 2⁻²⁰ W. The band takes 1.1 times 2⁻¹³ W.
/// 3. *Rounding of places* to 2⁻⁴⁰ tiles, and the ten nanometres by which an outline's boundary is wide: below 1 µm.
///
/// Metres are those of a plane in which a tile's northern and southern sides are both as long as the shorter one, so a
/// distance in it is never longer than over the ground, and a band in it never narrower. Every piece nearer to a cell
/// than two bands is in the cell's record. So where the grid's polygon (straight lines, rounded corners) and the true one
/// differ, the place is within a band of a line of its cell, and the outline is asked.
///
/// *The count of lines is consistent* with the corner's parity because both are made from the same numbers: where a piece
/// crosses a row of cells is computed once, monotone along the piece, and says in which cell the cut lies, on which side
/// of the tile's western side the piece passes, and where the pieces on both sides of the cut end. Every closed boundary
/// so becomes a closed staircase through the cells, whatever the last bits are.
///
/// *A circle's* distance is `dx² + dy²` with `dx = Δλ E(φₘ)`, `dy = Δφ M(φₘ)` at the middle latitude, E and M by their
/// first derivatives at the centre. Against the sphere's `sin²(d/2) = sin²(Δφ/2) + (cos² φₘ - sin²(Δφ/2)) sin²(Δλ/2)` the
/// terms of fourth order leave `d⁴ (1/6 + 1/(3 cos² φ)) / r²` at most, so `d³ / (4 cos² φ r²)` in d; the derivatives leave
/// `d³ / (8 cos φ r²)`. Both together, and 1 % for the ellipsoid, are below `0.4 d³ / (cos² φ r²)`.
struct ZoneGrid: Sendable {
  struct Tile: Sendable {
    /// Of the tile's first cell, in `cells`.
    let firstCell: UInt32
    let columns: UInt16
    let rows: UInt16
    /// In 2⁻¹⁴ of a cell's greater side; within it only the outline can say.
    let band: Float
    /// Width over height of a cell, by the shorter side of the tile.
    let aspect: Float
  }

  /// How a zone's record is read, and what it is followed by.
  enum RecordKind: UInt32, Sendable {
    /// One word with the number of blocks, then blocks of four lines.
    case lines = 0
    /// Eight numbers: the centre, the metres of a cell and how they change, the squares of both radii.
    case circle = 1
    /// Nothing.
    case ask = 2
  }

  let scale: GridScale
  /// Where tiles are, first column and row of the tiles held.
  var directory = TileDirectory()
  var tiles: [Tile] = []
  /// For each cell where its content begins in `words`; 0 for nothing.
  var cells: [UInt32] = []
  /// Contents: the number of zones that cover the cell, the number of records, the zones, the records.
  var words: [UInt32] = [0, 0]

  /// Bytes of memory.
  var size: Int {
    directory.size + tiles.count * MemoryLayout<Tile>.stride + (cells.count + words.count) * 4
  }
}

extension ZoneGrid {
  /// Units of a cell's side.
  static let units: Float = 16_384
  static let zoneBits: UInt32 = 0x0fff_ffff
  static let kindShift: UInt32 = 28
  static let parityBit: UInt32 = 0x4000_0000
  /// Words of four lines: a, b and c, and the stretch of x.
  static let blockWords = 10
  static let circleWords = 8
}
