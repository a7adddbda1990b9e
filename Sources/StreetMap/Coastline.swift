import Geometry

/// Builds the sea within a rectangle from the coastlines of an extract: lines with land on their left and
/// water on their right.
package struct Coastline {
  package typealias Point = ExtractGeometry.Point

  /// West, south, east, north, in degrees.
  package struct Bounds: Equatable, Sendable {
    package var west: Double
    package var south: Double
    package var east: Double
    package var north: Double
    package init(west: Double, south: Double, east: Double, north: Double) {
      self.west = west
      self.south = south
      self.east = east
      self.north = north
    }
    func contains(_ point: Point) -> Bool {
      (west...east).contains(point.x) && (south...north).contains(point.y)
    }
    /// The corners from the south-west one, clockwise; the first is repeated at the end.
    package var ring: [Point] {
      [
        Point(west, south), Point(west, north), Point(east, north), Point(east, south), Point(west, south),
      ]
    }
  }

  private let bounds: Bounds
  private var lines: [[Point]] = []

  package init(within bounds: Bounds) { self.bounds = bounds }

  package mutating func add(_ line: [Point]) { if line.count > 1 { lines.append(line) } }

  /// The sea, and the number of coastline ends within the rectangle.
  package struct Sea: Sendable {
    /// Polygons, each with its outer ring first, then its islands. Empty if there is no coast.
    package var polygons: [[[Point]]] = []
    /// The number of coastline ends within the rectangle. Each is joined by a straight line to the beginning
    /// of another coast or to the rectangle's edge, whichever is nearer: extracts are cut along borders, not
    /// along their rectangle.
    package var gaps = 0
  }

  package func sea() -> Sea {
    var rings: [[Point]] = []
    var pieces: [Piece] = []
    var sea = Sea()
    for line in bridged(joined(), &sea.gaps) {
      if let first = line.first, first == line.last, line.allSatisfy(bounds.contains) {
        rings.append(line)
      } else {
        pieces += clipped(line)
      }
    }
    if rings.isEmpty && pieces.isEmpty { return sea }
    var outers = close(pieces)
    // An anticlockwise ring encloses land (on its left), a clockwise one water.
    let islands = rings.filter { ExtractGeometry.doubleArea($0) > 0 }
    outers += rings.filter { ExtractGeometry.doubleArea($0) < 0 }
    if outers.isEmpty { outers = [bounds.ring] }
    var polygons = outers.map { [$0] }
    for island in islands {
      // The island belongs to the smallest polygon around it: a lake on an island has its own.
      let around = polygons.indices.filter { Self.contains(polygons[$0][0], island[0]) }
      let smallest = around.min {
        abs(ExtractGeometry.doubleArea(polygons[$0][0])) < abs(ExtractGeometry.doubleArea(polygons[$1][0]))
      }
      if let smallest { polygons[smallest].append(island) }
    }
    sea.polygons = polygons
    return sea
  }

  /// Joins lines that continue where another one ends.
  private func joined() -> [[Point]] {
    var next: [Point: [Int]] = [:]
    for (index, line) in lines.enumerated() { next[line[0], default: []].append(index) }
    let ends = Set(lines.filter { $0.first != $0.last }.compactMap(\.last))
    var isUsed = [Bool](repeating: false, count: lines.count)
    var all: [[Point]] = []
    func follow(from start: Int) {
      var line = lines[start]
      isUsed[start] = true
      while let last = line.last, last != line[0],
        let found = next[last]?.first(where: { !isUsed[$0] })
      {
        isUsed[found] = true
        line += lines[found].dropFirst()
      }
      all.append(line)
    }
    // Lines that no other leads to come first; the remaining ones are rings.
    for (index, line) in lines.enumerated() where !isUsed[index] && !ends.contains(line[0]) {
      follow(from: index)
    }
    for index in lines.indices where !isUsed[index] { follow(from: index) }
    return all
  }

  /// Extends or joins lines so that none begins or ends within the rectangle.
  private func bridged(_ lines: [[Point]], _ gaps: inout Int) -> [[Point]] {
    var lines = lines.map(withoutStubs)
    func isOpen(_ line: [Point], _ end: Point?) -> Bool {
      line.first != line.last && end.map(bounds.contains) == true
    }
    for index in lines.indices {
      while isOpen(lines[index], lines[index].last), let end = lines[index].last {
        gaps += 1
        let way = self.way(out: end)
        let others = lines.indices.filter { isOpen(lines[$0], lines[$0].first) }
        let nearest = others.min { Self.square(end, lines[$0][0]) < Self.square(end, lines[$1][0]) }
        guard let nearest, Self.square(end, lines[nearest][0]) < Self.square(end, way.edge) else {
          lines[index].append(way.outside)
          break
        }
        if nearest == index {
          lines[index].append(lines[index][0])
        } else {
          lines[index] += lines[nearest]
          lines[nearest] = []
        }
      }
    }
    for index in lines.indices where isOpen(lines[index], lines[index].first) {
      gaps += 1
      lines[index].insert(way(out: lines[index][0]).outside, at: 0)
    }
    return lines.filter { !$0.isEmpty }
  }

  /// Removes an end just within the rectangle that belongs to a coast outside: bridging it would reverse the
  /// coast.
  private func withoutStubs(_ line: [Point]) -> [Point] {
    func cut(_ line: [Point]) -> [Point] {
      guard line.first != line.last, let first = line.first, bounds.contains(first),
        let outside = line.firstIndex(where: { !bounds.contains($0) }),
        line[..<outside].allSatisfy(isNearEdge)
      else { return line }
      return Array(line[outside...])
    }
    return cut(cut(line).reversed()).reversed()
  }

  /// True if a point is nearer to the edge than a twentieth of the rectangle's shorter side.
  private func isNearEdge(_ point: Point) -> Bool {
    let limit = min(bounds.east - bounds.west, bounds.north - bounds.south) / 20
    return min(
      min(point.x - bounds.west, bounds.east - point.x), min(point.y - bounds.south, bounds.north - point.y))
      < limit
  }

  private static func square(_ a: Point, _ b: Point) -> Double {
    (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)
  }

  /// Returns the nearest point of the edge, and one beyond it.
  private func way(out point: Point) -> (edge: Point, outside: Point) {
    let (width, height) = (bounds.east - bounds.west, bounds.north - bounds.south)
    let ways = [
      (point.x - bounds.west, Point(bounds.west, point.y), Point(bounds.west - width, point.y)),
      (bounds.east - point.x, Point(bounds.east, point.y), Point(bounds.east + width, point.y)),
      (point.y - bounds.south, Point(point.x, bounds.south), Point(point.x, bounds.south - height)),
      (bounds.north - point.y, Point(point.x, bounds.north), Point(point.x, bounds.north + height)),
    ]
    let nearest = ways.min { $0.0 < $1.0 } ?? ways[0]
    return (nearest.1, nearest.2)
  }

  /// A stretch of coast that enters and leaves over the rectangle's edge.
  private struct Piece {
    var points: [Point]
    /// The places on the edge where it enters and leaves: 0 to 4, clockwise from the south-west corner.
    var enters: Double
    var leaves: Double
  }

  private func clipped(_ line: [Point]) -> [Piece] {
    var pieces: [Piece] = []
    var current: Piece?
    var line = line
    if let first = line.first, first == line.last,
      let outside = line.firstIndex(where: { !bounds.contains($0) }), outside > 0
    {
      // A ring that is partly outside is made to begin outside.
      line = Array(line[outside...] + line[1...outside])
    }
    for (a, b) in zip(line, line.dropFirst()) {
      guard let (from, to) = crossing(a, b) else { continue }
      if current == nil {
        let entry = from > 0 ? Self.between(a, b, from) : a
        current = Piece(points: [entry], enters: position(entry), leaves: 0)
      }
      let exit = to < 1 ? Self.between(a, b, to) : b
      current?.points.append(exit)
      if to < 1, var done = current {
        done.leaves = position(exit)
        pieces.append(done)
        current = nil
      }
    }
    return pieces
  }

  private static func between(_ a: Point, _ b: Point, _ part: Double) -> Point {
    Point(a.x + part * (b.x - a.x), a.y + part * (b.y - a.y))
  }

  /// Returns the part of the segment from `a` to `b` within the rectangle, as fractions (Liang and Barsky,
  /// 1984).
  private func crossing(_ a: Point, _ b: Point) -> (Double, Double)? {
    var (from, to) = (0.0, 1.0)
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    for (p, q) in [
      (-dx, a.x - bounds.west), (dx, bounds.east - a.x), (-dy, a.y - bounds.south), (dy, bounds.north - a.y),
    ] {
      if p == 0 {
        if q < 0 { return nil }
      } else if p < 0 {
        from = max(from, q / p)
      } else {
        to = min(to, q / p)
      }
    }
    return from < to ? (from, to) : nil
  }

  private func position(_ point: Point) -> Double {
    let (width, height) = (bounds.east - bounds.west, bounds.north - bounds.south)
    let up = (point.y - bounds.south) / height
    let along = (point.x - bounds.west) / width
    // The nearest edge is taken, since rounding may put the point beside it.
    let distances = [abs(point.x - bounds.west) / width, 1 - up, 1 - along, up]
    return switch distances.indices.min(by: { abs(distances[$0]) < abs(distances[$1]) }) ?? 0 {
    case 0: up
    case 1: 1 + along
    case 2: 2 + (1 - up)
    default: (3 + (1 - along)).truncatingRemainder(dividingBy: 4)
    }
  }

  /// Closes pieces to rings around water: along a coast, then clockwise along the edge to where the next one
  /// enters.
  private func close(_ pieces: [Piece]) -> [[Point]] {
    var isUsed = [Bool](repeating: false, count: pieces.count)
    var rings: [[Point]] = []
    for start in pieces.indices where !isUsed[start] {
      var ring: [Point] = []
      var piece = start
      while !isUsed[piece] {
        isUsed[piece] = true
        ring += pieces[piece].points
        let leaves = pieces[piece].leaves
        func ahead(_ other: Int) -> Double {
          let way = pieces[other].enters - leaves
          return way < 0 ? way + 4 : way
        }
        let candidates = pieces.indices.filter { !isUsed[$0] || $0 == start }
        guard let next = candidates.min(by: { ahead($0) < ahead($1) }) else { break }
        ring += corners(from: leaves, over: ahead(next))
        piece = next
      }
      if let first = ring.first { ring.append(first) }
      rings.append(ring)
    }
    return rings
  }

  private func corners(from start: Double, over way: Double) -> [Point] {
    let all = bounds.ring.dropLast()
    var found: [Point] = []
    var corner = start.rounded(.down) + 1
    while corner - start < way, found.count < 4 {
      found.append(all[Int(corner) % 4])
      corner += 1
    }
    return found
  }

  private static func contains(_ ring: [Point], _ point: Point) -> Bool {
    var isWithin = false
    for (a, b) in zip(ring, ring.dropFirst()) where (a.y > point.y) != (b.y > point.y) {
      if point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x) { isWithin.toggle() }
    }
    return isWithin
  }
}
