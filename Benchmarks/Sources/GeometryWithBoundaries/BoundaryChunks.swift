/// The boundaries of many polygons in chunks of up to eight pieces, laid out so that the distances to all
/// eight are bounded at once.
///
/// A coordinate is a 16-bit number of steps from the middle of its chunk: 88 bytes for eight pieces. These
/// coordinates only select the pieces whose distance is then measured exactly.
struct BoundaryChunks: Sendable {
  private(set) var count = 0
  private var words: [UInt32] = []

  /// The words of a chunk. First the nine vertices as half words: all x, all y, all z. Then a half word of
  /// bits: one for each piece that is part of the boundary, `geodesic`, and `gaps` if some piece is not.
  private static let stride = 22
  private static let lanes = 27
  private static let geodesic: UInt16 = 1 << 8
  private static let gaps: UInt16 = 1 << 9
  private static let middle = 14
  private static let step = 17
  private static let slack = 18
  private static let outline = 19
  /// Two words: the address of the vertex at which the first piece begins.
  private static let place = 20
  private static let mostSteps = 32_767.0

  /// Adds the boundary of an outline: a chunk for each leaf of its tree. Calls `box` with each leaf's box.
  mutating func add(_ tree: BoundaryTree, of outline: Int32, box: (Box) -> Void) {
    var open = [tree.root]
    while let index = open.popLast() {
      let node = tree.nodes[index]
      let below = Int(node.first)..<Int(node.first + node.count)
      guard node.kind == .leaf else {
        open.append(contentsOf: below)
        continue
      }
      guard !node.box.isEmpty else { continue }
      add(below, tree, outline, node.box.center)
      box(node.box)
    }
  }

  private mutating func add(_ pieces: Range<Int>, _ tree: BoundaryTree, _ outline: Int32, _ center: Cartesian)
  {
    // Rounded to single precision, in which it is stored: readers subtract the same value.
    let middle = (Float(center.x), Float(center.y), Float(center.z))
    let origin = Cartesian(x: Double(middle.0), y: Double(middle.1), z: Double(middle.2))
    var (reach, sag) = (0.0, 0.0)
    var lanes: UInt16 = tree.kind == .geodesic ? Self.geodesic : 0
    for index in pieces.lowerBound...pieces.upperBound {
      let place = tree.places[index] - origin
      reach = max(reach, abs(place.x), abs(place.y), abs(place.z))
      guard index < pieces.upperBound else { continue }
      guard tree.bounds(index) else {
        lanes |= Self.gaps
        continue
      }
      lanes |= 1 << UInt16(index - pieces.lowerBound)
      sag = max(sag, tree.sag(of: index))
    }
    // Slightly larger than needed, so that rounding cannot overflow a half word.
    let step = Float(max(1e-3, reach * 1.000_001 / Self.mostSteps))
    let first = words.count
    words.append(contentsOf: repeatElement(0, count: Self.stride))
    for number in 0..<9 {
      let place = tree.places[min(pieces.lowerBound + number, pieces.upperBound)] - origin
      put(place.x / Double(step), first, number)
      put(place.y / Double(step), first, number + 9)
      put(place.z / Double(step), first, number + 18)
    }
    put(lanes, first, Self.lanes)
    words[first + Self.middle] = middle.0.bitPattern
    words[first + Self.middle + 1] = middle.1.bitPattern
    words[first + Self.middle + 2] = middle.2.bitPattern
    words[first + Self.step] = step.bitPattern
    // The sag of a piece, half a step along each axis, and the rounding of single precision.
    let slack = sag * 1.000_001 + 0.87 * Double(step) + 2 * reach * Self.rounding + 1e-3
    words[first + Self.slack] = Float(slack).nextUp.bitPattern
    words[first + Self.outline] = UInt32(bitPattern: outline)
    let address = UInt64(UInt(bitPattern: tree.places.start + pieces.lowerBound))
    words[first + Self.place] = UInt32(truncatingIfNeeded: address)
    words[first + Self.place + 1] = UInt32(truncatingIfNeeded: address >> 32)
    count += 1
  }

  private mutating func put(_ steps: Double, _ first: Int, _ number: Int) {
    put(UInt16(bitPattern: Int16((steps + (steps < 0 ? -0.5 : 0.5)))), first, number)
  }

  private mutating func put(_ half: UInt16, _ first: Int, _ number: Int) {
    words[first + number / 2] |= UInt32(half) << (number & 1 == 0 ? 0 : 16)
  }

  /// The greatest error of a distance in single precision, per metre of its operands: about ten roundings of
  /// 2⁻²⁴ each.
  private static let rounding = 2e-6

  /// Puts the chunks into another order, in an array of exactly their size.
  mutating func reorder(_ order: [Int32]) {
    var copy: [UInt32] = []
    copy.reserveCapacity(words.count)
    for chunk in order {
      let first = Int(chunk) * Self.stride
      copy.append(contentsOf: words[first..<first + Self.stride])
    }
    words = copy
  }

  /// Reads the chunks' memory. Valid only while `read` runs.
  struct Reader {
    fileprivate let words: UnsafePointer<UInt32>

    @inline(__always) func outline(of chunk: Int) -> Int {
      Int(Int32(bitPattern: words[chunk &* BoundaryChunks.stride &+ BoundaryChunks.outline]))
    }
    /// Reads one word of each cache line of a chunk, to bring the chunk into the cache.
    @inline(__always) func fetch(_ chunk: Int) -> UInt32 {
      let start = words + chunk &* BoundaryChunks.stride
      return start[0] ^ start[10] ^ start[21]
    }
    /// Returns the vertex at which the first piece begins. The pointer is valid as long as the boundaries are
    /// (``BoundaryLayer``).
    @inline(__always) func place(of chunk: Int) -> UnsafePointer<Cartesian> {
      let word = words + (chunk &* BoundaryChunks.stride &+ BoundaryChunks.place)
      let address = UInt64(word[0]) | UInt64(word[1]) << 32
      return UnsafePointer(bitPattern: UInt(truncatingIfNeeded: address)).unsafelyUnwrapped
    }
    @inline(__always) func isGeodesic(_ chunk: Int) -> Bool {
      let half = UnsafeRawPointer(words + chunk &* BoundaryChunks.stride)
      return half.load(fromByteOffset: BoundaryChunks.lanes &* 2, as: UInt16.self) & BoundaryChunks.geodesic
        != 0
    }

    /// Returns bounds of the distances to the eight pieces, through the earth.
    @inline(never) func distances(from place: Cartesian, to chunk: Int) -> Distances {
      let start = words + chunk &* BoundaryChunks.stride
      let here = UnsafeRawPointer(start)
      @inline(__always) func number(_ word: Int) -> Float { Float(bitPattern: start[word]) }
      @inline(__always) func half(_ number: Int) -> Float {
        Float(here.load(fromByteOffset: number &* 2, as: Int16.self))
      }
      // Distances are computed in steps, the unit of the stored coordinates.
      let step = number(BoundaryChunks.step)
      let inverse = 1 / step
      let qx = Float(place.x - Double(number(BoundaryChunks.middle))) * inverse
      let qy = Float(place.y - Double(number(BoundaryChunks.middle &+ 1))) * inverse
      let qz = Float(place.z - Double(number(BoundaryChunks.middle &+ 2))) * inverse
      let away = (qx * qx + qy * qy + qz * qz).squareRoot() * step
      let slack = number(BoundaryChunks.slack) + away * Float(BoundaryChunks.rounding)
      let bits = UInt32(here.load(fromByteOffset: BoundaryChunks.lanes &* 2, as: UInt16.self))
      // A loop over lanes that writes to memory without aliases: the compiler vectorizes it.
      return withUnsafeTemporaryAllocation(of: Float.self, capacity: 8) { squares in
        let squares = squares.baseAddress!
        for lane in 0..<8 {
          let (x, y, z) = (half(lane), half(lane &+ 9), half(lane &+ 18))
          let (dx, dy, dz) = (half(lane &+ 1) - x, half(lane &+ 10) - y, half(lane &+ 19) - z)
          let (px, py, pz) = (qx - x, qy - y, qz - z)
          // Positive also for pieces of zero length.
          let length = dx * dx + dy * dy + dz * dz + 1e-30
          let along = (px * dx + py * dy + pz * dz) / length
          let forward = along > 0 ? along : 0
          let share = forward < 1 ? forward : 1
          let (ax, ay, az) = (px - share * dx, py - share * dy, pz - share * dz)
          squares[lane] = ax * ax + ay * ay + az * az
        }
        if bits & UInt32(BoundaryChunks.gaps) != 0 {
          for lane in 0..<8 where bits & 1 << UInt32(lane) == 0 { squares[lane] = .greatestFiniteMagnitude }
        }
        return Distances(
          squares: UnsafeRawPointer(squares).loadUnaligned(as: SIMD8<Float>.self), step: step, slack: slack,
          bits: bits)
      }
    }
  }

  /// Bounds of the distances to the eight pieces of a chunk, from single precision.
  struct Distances {
    /// Squared distances, in steps. A missing piece has the distance to the end of the last piece.
    fileprivate let squares: SIMD8<Float>
    fileprivate let step: Float
    fileprivate let slack: Float
    fileprivate let bits: UInt32

    /// A lower bound of the distance to the pieces, in metres through the earth; may be negative. The
    /// distance is at most this bound plus the spread.
    @inline(__always) var least: Float { least(squares.least) }
    var spread: Float { 2.001 * slack }

    @inline(__always) private func least(_ square: Float) -> Float { square.squareRoot() * step - slack }

    /// Calls `body` with the number of each piece that may be within `reach`, and with a lower bound of its
    /// distance, in metres.
    @inline(__always) func visit(within reach: Float, _ body: (Int, Float) -> Void) {
      let steps = max(0, reach + slack) / step
      let square = steps * steps * (1 + 1e-6)
      for lane in 0..<8 where squares[lane] <= square {
        if bits & 1 << UInt32(lane) != 0 { body(lane, least(squares[lane])) }
      }
    }
  }

  @inline(__always) func read<Result>(_ body: (Reader) -> Result) -> Result {
    words.withUnsafeBufferPointer { body(Reader(words: $0.baseAddress ?? Self.noWord)) }
  }

  // Never read: without chunks no item refers to a word.
  private static var noWord: UnsafePointer<UInt32> { UnsafePointer(bitPattern: 16)! }
}

extension PlaceList {
  /// The first place. The pointer is valid as long as this list exists.
  var start: UnsafePointer<Cartesian> { UnsafePointer(memory.baseAddress!) }
}
