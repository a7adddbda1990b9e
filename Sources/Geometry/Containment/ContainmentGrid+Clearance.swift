extension ContainmentGrid.Reader {
  /// A range in degrees in which a place keeps its outlines, ends included; empty if unknown.
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

  /// The free room around a spot: a box, in cells, that no boundary crosses. It is found while the spot is
  /// looked up.
  ///
  /// Every boundary cuts the box on the sides that face it and leaves the others as they are.
  struct Room {
    fileprivate let x: Float
    fileprivate let y: Float
    /// The room to the west, south, east and north that circles leave.
    private var sides: SIMD4<Float>
    /// The room that lines leave, by lane.
    private var west: SIMD4<Float>
    private var east: SIMD4<Float>
    private var south: SIMD4<Float>
    private var north: SIMD4<Float>

    /// The whole cell.
    @inline(__always) init(_ spot: ContainmentGrid.Spot) {
      (x, y) = (spot.x, spot.y)
      sides = SIMD4(x, y, 1 - x, 1 - y)
      west = SIMD4(repeating: x)
      east = SIMD4(repeating: 1 - x)
      south = SIMD4(repeating: y)
      north = SIMD4(repeating: 1 - y)
    }

    /// Cuts the room at four lines.
    /// - Parameters:
    ///   - s: the values of the lines at the spot; a and b are their slopes.
    ///   - free: the greatest change allowed to `s`.
    @inline(__always) mutating func keepOff(
      _ s: SIMD4<Float>, _ a: SIMD4<Float>, _ b: SIMD4<Float>, free: SIMD4<Float>
    ) {
      let zero = SIMD4<Float>.zero
      // True if the line is nearer in the east, and in the north.
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

    /// Returns two sides as long as they may be together, for the greatest area: a short one is kept, two
    /// long ones get half each.
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

    /// Limits the room on each side.
    @inline(__always) mutating func keepWithin(_ limits: SIMD4<Float>) {
      sides.replace(with: limits, where: limits .< sides)
    }

    /// Returns the box, in degrees.
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
        south: latitude - degrees(south, sides.y, up), west: longitude - degrees(west, sides.x, across),
        north: latitude + degrees(north, sides.w, up), east: longitude + degrees(east, sides.z, across))
    }
  }

  // MARK: Contents

  /// Reports the outlines of a place as `visit` does, and reduces the room around it to where they stay the
  /// same.
  ///
  /// A place so near a line or a circle that the outline has to be measured has no room there.
  /// - Parameters:
  ///   - distance: from an outline's boundary, negative inside; greater ones than the second number may be
  ///     returned as it.
  @inline(__always) func visit(
    _ spot: ContainmentGrid.Spot, _ degrees: (across: Double, up: Double), _ room: inout Room,
    distance: (Int, Double) -> Double, covers: (UnsafePointer<UInt32>, Int) -> Void, tell: (Int, Bool) -> Void
  ) {
    visitItems(spot.content, covers: covers) { item, next in
      var verdict = Verdict(isInside: true)
      var reach = 1e-6
      switch item.kind {
      case ContainmentGrid.ItemKind.lines.rawValue:
        let lines = Lines(next)
        verdict = self.verdict(lines, parity: item.parity, spot, &room)
        next += lines.words
      case ContainmentGrid.ItemKind.circle.rawValue:
        verdict = self.verdict(ContainmentGrid.KeptCircle(next), spot, &room)
        next += ContainmentGrid.circleWords
      default:
        verdict.isDoubtful = true
        reach = 2 * Earth.mostMetresPerDegree * (degrees.across + degrees.up)
      }
      guard verdict.isDoubtful else { return verdict.isInside }
      let metres = distance(item.outline, reach)
      // A square whose corners are so far away.
      let free = max(0, min(reach, abs(metres)) - 0.001) * 0.707 / Earth.mostMetresPerDegree
      let (aside, up) = (Float(free / degrees.across), Float(free / degrees.up))
      room.keepWithin(SIMD4(aside, up, aside, up))
      return metres <= 0
    } tell: {
      tell($0, $1)
    }
  }

  @inline(__always) private func verdict(
    _ lines: Lines, parity: Bool, _ spot: ContainmentGrid.Spot, _ room: inout Room
  ) -> Verdict {
    let x = SIMD4<Float>(repeating: spot.x)
    let y = SIMD4<Float>(repeating: spot.y)
    let place = SIMD4<Float>(repeating: spot.x * ContainmentGrid.units)
    let band = SIMD4<Float>(repeating: spot.band)
    var odd = SIMDMask<SIMD4<Int32>>(repeating: false)
    var near = odd
    var line = 0
    repeat {
      let exist = lines.exist(from: line)
      // Absent lines are set far away and level.
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
    return Verdict(odd: odd, parity: parity, near: near)
  }

  /// The least, or the greatest, metres that a cell has anywhere in it, by the formula of ``ContainmentGrid``, make an ellipse of
  /// the circle on which axes are straight: for places outside of it the one, inside the other.
  @inline(__always) private func verdict(
    _ circle: ContainmentGrid.KeptCircle, _ spot: ContainmentGrid.Spot, _ room: inout Room
  ) -> Verdict {
    let scale = circleScales[Int(spot.tile)]
    let place = SIMD2(spot.x, spot.y) - circle.center
    let middle = spot.up - scale.halfRow * place.y
    let away = place * (scale.metres + scale.changes * middle)
    let error = scale.error(of: circle)
    let rest = (away * away).sum() - circle.radius * circle.radius
    let verdict = Verdict(
      isInside: rest < 0, isDoubtful: rest.magnitude <= error * (2 * circle.radius + error))
    if verdict.isDoubtful { return verdict }
    // A cell's metres half way from the circle's centre to the latitude of the cell's southern or northern
    // side.
    let below = scale.metres + scale.changes * (middle - scale.halfRow * spot.y)
    let above = below + scale.changes * scale.halfRow
    let isAbove = above .> below
    if verdict.isInside {
      room.keepIn(place, below.replacing(with: above, where: isAbove), radius: circle.radius - error)
    } else {
      room.keepOut(place, above.replacing(with: below, where: isAbove), radius: circle.radius + error)
    }
    return verdict
  }
}

extension ContainmentGrid.Reader.Room {
  /// Stays out of a circle: this side of the line that touches it where it is nearest.
  /// - Parameters:
  ///   - place: from its centre, in cells.
  ///   - cell: its metres.
  ///   - radius: metres.
  @inline(__always) fileprivate mutating func keepOut(
    _ place: SIMD2<Float>, _ cell: SIMD2<Float>, radius: Float
  ) {
    let away = place * cell
    let square = (away * away).sum()
    // All of it times the distance.
    let free = square * 0.99999 - square.squareRoot() * (radius + 0.01)
    guard free > 0 else { return keepWithin(.zero) }
    let isHigh = place .< SIMD2<Float>.zero
    let spot = SIMD2(x, y)
    let steep = away.replacing(with: SIMD2<Float>.zero - away, where: isHigh) * cell
    let fall = steep * spot.replacing(with: 1 - spot, where: isHigh)
    var kept = free - SIMD2(fall.y, fall.x)
    kept.replace(with: SIMD2(repeating: free / 2), where: kept .< free / 2)
    let all = SIMD2<Float>(repeating: 2)
    let facing = all.replacing(with: kept / steep, where: kept .< fall)
    keepWithin(
      SIMD4(
        lowHalf: facing.replacing(with: all, where: isHigh),
        highHalf: all.replacing(with: facing, where: isHigh)))
  }

  /// Stays in a circle: in the square in it where that holds the place. Else its sides through the place go on until they meet
  /// the circle, and the box's corner is half way between the two ends: a circle has no dents.
  @inline(__always) fileprivate mutating func keepIn(
    _ place: SIMD2<Float>, _ cell: SIMD2<Float>, radius: Float
  ) {
    let radius = radius * 0.99999 - 0.01
    let away = place * cell
    let aside = SIMD2(away.x.magnitude, away.y.magnitude)
    let rest = radius * radius - aside * aside
    guard radius > 0, aside.x * aside.x < rest.y else { return keepWithin(.zero) }
    var half = SIMD2<Float>(repeating: radius * 0.7071)
    if max(aside.x, aside.y) > half.x {
      half = (aside + SIMD2(max(0, rest.y).squareRoot(), max(0, rest.x).squareRoot())) * 0.5
    }
    let sides = half / cell
    keepWithin(SIMD4(lowHalf: sides + place, highHalf: sides - place))
  }
}
