extension ZoneGrid.Reader {
  /// Degrees between which a place keeps its zones, ends included; none where nothing is known.
  struct QuietBox: Sendable {
    var south = Double.infinity
    var west = Double.infinity
    var north = -Double.infinity
    var east = -Double.infinity

    mutating func cut(to other: Self) {
      west = max(west, other.west)
      east = min(east, other.east)
      south = max(south, other.south)
      north = min(north, other.north)
    }
  }

  /// How far one can go from a spot to each side, all of them at once, without crossing a boundary, in cells; found while
  /// the spot is looked up.
  ///
  /// Every boundary cuts the box on the sides that face it and leaves the others alone.
  struct Room {
    fileprivate let x: Float
    fileprivate let y: Float
    /// To the west and south, and to the east and north, as far as circles let.
    private var low: SIMD2<Float>
    private var high: SIMD2<Float>
    /// As far as lines let, of each lane.
    private var west: SIMD4<Float>
    private var east: SIMD4<Float>
    private var south: SIMD4<Float>
    private var north: SIMD4<Float>

    /// The whole cell.
    @inline(__always) init(_ spot: ZoneGrid.Spot) {
      (x, y) = (spot.x, spot.y)
      low = SIMD2(x, y)
      high = SIMD2(1 - x, 1 - y)
      west = SIMD4(repeating: x)
      east = SIMD4(repeating: 1 - x)
      south = SIMD4(repeating: y)
      north = SIMD4(repeating: 1 - y)
    }

    /// Leaves four lines alone.
    /// - Parameters:
    ///   - s: the lines at the spot, of which a and b are the steepness.
    ///   - free: what `s` may change by.
    @inline(__always) mutating func keepOff(
      _ s: SIMD4<Float>, _ a: SIMD4<Float>, _ b: SIMD4<Float>, free: SIMD4<Float>
    ) {
      let zero = SIMD4<Float>.zero
      // Whether the line is nearer in the east, and in the north.
      let (isEast, isNorth) = ((a * s) .< zero, (b * s) .< zero)
      let aside = SIMD4<Float>(repeating: x).replacing(with: 1 - x, where: isEast)
      let up = SIMD4<Float>(repeating: y).replacing(with: 1 - y, where: isNorth)
      let (steepAside, steepUp) = (Self.magnitude(a), Self.magnitude(b))
      let (dx, dy) = Self.shares(steepAside * aside, steepUp * up, of: free)
      let (x, y) = (dx.kept / steepAside, dy.kept / steepUp)
      east.replace(with: x, where: dx.isLess .& isEast .& (x .< east))
      west.replace(with: x, where: dx.isLess .& .!isEast .& (x .< west))
      north.replace(with: y, where: dy.isLess .& isNorth .& (y .< north))
      south.replace(with: y, where: dy.isLess .& .!isNorth .& (y .< south))
    }

    private typealias Share = (kept: SIMD4<Float>, isLess: SIMDMask<SIMD4<Int32>>)

    /// Makes two sides as long as they may be together, so that what they enclose is greatest: a short one is kept, two long
    /// ones get half each.
    @inline(__always) private static func shares(
      _ u: SIMD4<Float>, _ v: SIMD4<Float>, of free: SIMD4<Float>
    ) -> (Share, Share) {
      let half = free * 0.5
      var (first, second) = (free - v, free - u)
      first.replace(with: half, where: first .< half)
      second.replace(with: half, where: second .< half)
      first.replace(with: SIMD4<Float>.zero, where: first .< SIMD4<Float>.zero)
      second.replace(with: SIMD4<Float>.zero, where: second .< SIMD4<Float>.zero)
      return ((first, first .< u), (second, second .< v))
    }

    @inline(__always) static func magnitude(_ numbers: SIMD4<Float>) -> SIMD4<Float> {
      unsafeBitCast(unsafeBitCast(numbers, to: SIMD4<UInt32>.self) & 0x7fff_ffff, to: SIMD4<Float>.self)
    }

    /// No farther than so to any side.
    @inline(__always) mutating func keepWithin(low l: SIMD2<Float>, high h: SIMD2<Float>) {
      low.replace(with: l, where: l .< low)
      high.replace(with: h, where: h .< high)
    }

    /// The box, in degrees.
    /// - Parameters:
    ///   - p: the place of the spot.
    ///   - across: degrees of a cell.
    @inline(__always) func box(around p: Coordinate, across: Double, up: Double) -> QuietBox {
      // A little less on every side, for the rounding of the spot and of the box.
      func degrees(_ sides: SIMD4<Float>, _ side: Float, _ cell: Double) -> Double {
        let least = min(min(sides.x, sides.y), min(sides.z, sides.w))
        return Double(min(least, side) - 0x1p-22) * cell - 1e-9
      }
      let (latitude, longitude) = (p.latitude.degrees, p.longitude.degrees)
      return QuietBox(
        south: latitude - degrees(south, low.y, up), west: longitude - degrees(west, low.x, across),
        north: latitude + degrees(north, high.y, up), east: longitude + degrees(east, high.x, across))
    }
  }

  // MARK: Contents

  /// Tells the zones of a place as `visit` does, and brings down the room around it to where they stay the same.
  ///
  /// Beside a line or a circle where only the outline can say, there is no room.
  /// - Parameters:
  ///   - distance: from a zone's boundary, negative inside; what is farther than the second number may be said to be so far.
  @inline(__always) func visit(
    _ spot: ZoneGrid.Spot, _ degrees: (across: Double, up: Double), _ room: inout Room,
    distance: (Int, Double) -> Double, tell: (Int, Bool) -> Void
  ) {
    var next = words + spot.content
    var items = next.pointee
    next += 1
    var last = -1
    while items > 0 {
      items &-= 1
      let head = next.pointee
      let zone = Int(head & ZoneGrid.zoneBits)
      next += 1
      var verdict = Verdict(isInside: true)
      var reach = 1e-6
      switch head >> ZoneGrid.kindShift & 3 {
      case ZoneGrid.ItemKind.cover.rawValue: break
      case ZoneGrid.ItemKind.lines.rawValue:
        let lines = Lines(next)
        verdict = self.verdict(lines, parity: head & ZoneGrid.parityBit != 0, spot, &room)
        next += lines.words
      case ZoneGrid.ItemKind.circle.rawValue:
        verdict = self.verdict(ZoneGrid.KeptCircle(next), spot, &room)
        next += ZoneGrid.circleWords
      default:
        verdict.isDoubtful = true
        reach = 2 * Earth.mostMetresPerDegree * (degrees.across + degrees.up)
      }
      if verdict.isDoubtful {
        let metres = distance(zone, reach)
        verdict.isInside = metres <= 0
        // A square whose corners are so far away.
        let free = max(0, min(reach, abs(metres)) - 0.001) * 0.707 / Earth.mostMetresPerDegree
        let sides = SIMD2(Float(free / degrees.across), Float(free / degrees.up))
        room.keepWithin(low: sides, high: sides)
      }
      var isInside = verdict.isInside
      if head & ZoneGrid.againBit != 0, last == zone { isInside = false }
      last = isInside ? zone : last
      tell(zone, isInside)
    }
  }

  @inline(__always) private func verdict(
    _ lines: Lines, parity: Bool, _ spot: ZoneGrid.Spot, _ room: inout Room
  ) -> Verdict {
    let x = SIMD4<Float>(repeating: spot.x)
    let y = SIMD4<Float>(repeating: spot.y)
    let place = SIMD4<Float>(repeating: spot.x * ZoneGrid.units)
    let band = SIMD4<Float>(repeating: spot.band)
    var odd = SIMDMask<SIMD4<Int32>>(repeating: false)
    var near = odd
    var line = 0
    repeat {
      let exist = lines.exist(from: line)
      // What does not exist is far away and level.
      let a = SIMD4<Float>.zero.replacing(with: lines.four(0, from: line), where: exist)
      let b = SIMD4<Float>.zero.replacing(with: lines.four(1, from: line), where: exist)
      let c = SIMD4<Float>(repeating: 32_767).replacing(with: lines.four(2, from: line), where: exist)
      let s = a * x + b * y + c
      let isAbove = (place .>= lines.four(3, from: line)) .& (place .< lines.four(4, from: line))
      odd .^= exist .& (s .> SIMD4<Float>.zero) .& isAbove
      let free = Room.magnitude(s) - band
      near .|= (free .<= SIMD4<Float>.zero)
      room.keepOff(s, a, b, free: free - 1)
      line = line &+ 4
    } while line < lines.count
    let count = SIMD4<Int32>.zero.replacing(with: 1, where: odd).wrappedSum()
    return Verdict(isInside: (count & 1 != 0) != parity, isDoubtful: any(near))
  }

  /// The least, or the greatest, metres that a cell has anywhere in it, by the formula of ``ZoneGrid``, make an ellipse of
  /// the circle on which axes are straight: for places outside of it the one, inside the other.
  @inline(__always) private func verdict(
    _ circle: ZoneGrid.KeptCircle, _ spot: ZoneGrid.Spot, _ room: inout Room
  ) -> Verdict {
    let scale = circleScales[Int(spot.tile)]
    let place = SIMD2(spot.x, spot.y) - circle.center
    let middle = spot.up - 0.5 * place.y
    let away = place * (scale.metres + scale.changes * middle)
    let rest = (away * away).sum() - circle.square
    let doubt = circle.square * scale.doubtOfSquare + scale.doubt
    let verdict = Verdict(isInside: rest < 0, isDoubtful: rest.magnitude <= doubt)
    if verdict.isDoubtful { return verdict }
    // Of the cell's southern and northern side: half way between their latitudes and the centre's.
    let below = scale.metres + scale.changes * (middle - 0.5 * spot.y)
    let above = below + 0.5 * scale.changes
    if verdict.isInside {
      let radius = max(0, circle.square - doubt).squareRoot()
      room.keepIn(place, below.replacing(with: above, where: above .> below), radius: radius)
    } else {
      let radius = (circle.square + doubt).squareRoot()
      room.keepOut(place, below.replacing(with: above, where: above .< below), radius: radius)
    }
    return verdict
  }
}

extension ZoneGrid.Reader.Room {
  /// Stays out of a circle.
  /// - Parameters:
  ///   - place: from its centre, in cells.
  ///   - cell: its metres.
  ///   - radius: metres.
  @inline(__always) fileprivate mutating func keepOut(
    _ place: SIMD2<Float>, _ cell: SIMD2<Float>, radius: Float
  ) {
    let zero = SIMD2<Float>.zero
    let away = place * cell
    let distance = (away * away).sum().squareRoot()
    // The circle lies beyond the line that touches it where it is nearest.
    let free = distance * 0.99999 - radius - 0.01
    guard free > 0 else { return keepWithin(low: zero, high: zero) }
    let isHigh = place .< zero
    let spot = SIMD2(x, y)
    let steep = away.replacing(with: zero - away, where: isHigh) * cell / distance
    let fall = steep * spot.replacing(with: 1 - spot, where: isHigh)
    var kept = free - SIMD2(fall.y, fall.x)
    kept.replace(with: SIMD2(repeating: free / 2), where: kept .< free / 2)
    let sides = SIMD2<Float>(repeating: 2).replacing(with: kept / steep, where: kept .< fall)
    let all = SIMD2<Float>(repeating: 2)
    keepWithin(
      low: sides.replacing(with: all, where: isHigh), high: all.replacing(with: sides, where: isHigh))
  }

  /// Stays in a circle: in the square in it where that holds the place, else in a box half as far from the place as the
  /// circle is.
  @inline(__always) fileprivate mutating func keepIn(
    _ place: SIMD2<Float>, _ cell: SIMD2<Float>, radius: Float
  ) {
    let zero = SIMD2<Float>.zero
    let radius = radius * 0.99999 - 0.01
    var away = place * cell
    away.replace(with: zero - away, where: away .< zero)
    let squares = away * away
    guard radius > 0, squares.sum() < radius * radius else { return keepWithin(low: zero, high: zero) }
    var half = SIMD2<Float>(repeating: radius * 0.7071)
    if away.x > half.x {
      half.x = (away.x + (radius * radius - squares.y).squareRoot()) / 2
      half.y = max(0, radius * radius - half.x * half.x).squareRoot()
    } else if away.y > half.y {
      half.y = (away.y + (radius * radius - squares.x).squareRoot()) / 2
      half.x = max(0, radius * radius - half.y * half.y).squareRoot()
    }
    let sides = half / cell
    keepWithin(low: sides + place, high: sides - place)
  }
}
