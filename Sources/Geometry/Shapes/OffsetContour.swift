/// The line on which a distance field has one level, found on a grid of squares.
///
/// The field changes by at most one metre a metre, so a square whose middle is far from the level holds none of
/// the line and is left alone: the work goes with the length of the line, not with the area.
/// Marching squares: W. Lorensen, H. Cline, SIGGRAPH 21 (1987), in two dimensions.
public struct OffsetContour {
  /// A point of the plane that is drawn on.
  public struct Point: Hashable, Sendable {
    public var x: Double
    public var y: Double
    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  private let origin: Point
  private let step: Double
  private let size: Int
  private let level: Double
  private let slope: Double
  private let field: (Point) -> Double
  private var corners: [Int: Double] = [:]
  private var segments: [(Int, Int)] = []
  private var places: [Int: Point] = [:]

  /// Closed lines around what lies at or below the level.
  ///
  /// - Parameters:
  ///   - corner: the lowest of a square that holds the whole line.
  ///   - side: of that square; none is traced where it is not positive.
  ///   - resolution: squares along the side, a power of two.
  ///   - slope: at most how fast the field changes for one unit of the drawing.
  /// - Complexity: O(l log r) in the length l of the line in squares and the resolution r.
  public static func trace(
    from corner: Point, side: Double, resolution: Int, level: Double, slope: Double,
    field: @escaping (Point) -> Double
  ) -> [[Point]] {
    let step = side / Double(resolution)
    guard step > 0 else { return [] }
    var line = OffsetContour(
      origin: corner, step: step, size: resolution, level: level, slope: slope, field: field)
    line.search(0, 0, resolution)
    return line.joined()
  }

  private init(
    origin: Point, step: Double, size: Int, level: Double, slope: Double,
    field: @escaping (Point) -> Double
  ) {
    self.origin = origin
    self.step = step
    self.size = size
    self.level = level
    self.slope = slope
    self.field = field
  }

  private func point(_ x: Double, _ y: Double) -> Point {
    Point(x: origin.x + x * step, y: origin.y + y * step)
  }

  private mutating func search(_ x: Int, _ y: Int, _ width: Int) {
    if width == 1 { return cut(x, y) }
    let half = Double(width) / 2
    let middle = field(point(Double(x) + half, Double(y) + half)) - level
    if abs(middle) > slope * step * half * 1.4143 * 1.01 { return }
    let next = width / 2
    for dy in [0, next] { for dx in [0, next] { search(x + dx, y + dy, next) } }
  }

  private mutating func value(_ x: Int, _ y: Int) -> Double {
    let key = y * (size + 1) + x
    if let known = corners[key] { return known }
    let value = field(point(Double(x), Double(y))) - level
    corners[key] = value
    return value
  }

  /// Finds where the line crosses the edges of one square. An edge is named by its first corner and its
  /// direction.
  private mutating func cut(_ x: Int, _ y: Int) {
    let a = value(x, y)
    let b = value(x + 1, y)
    let c = value(x + 1, y + 1)
    let d = value(x, y + 1)
    var crossed: [Int] = []
    func edge(_ x: Int, _ y: Int, _ vertical: Bool) -> Int { (y * (size + 1) + x) * 2 + (vertical ? 1 : 0) }
    func note(_ from: Double, _ to: Double, _ key: Int, _ at: (Double) -> Point) {
      guard (from <= 0) != (to <= 0) else { return }
      crossed.append(key)
      places[key] = at(from / (from - to))
    }
    let (u, v) = (Double(x), Double(y))
    note(a, b, edge(x, y, false)) { point(u + $0, v) }
    note(b, c, edge(x + 1, y, true)) { point(u + 1, v + $0) }
    note(d, c, edge(x, y + 1, false)) { point(u + $0, v + 1) }
    note(a, d, edge(x, y, true)) { point(u, v + $0) }
    if crossed.count == 2 {
      segments.append((crossed[0], crossed[1]))
    } else if crossed.count == 4 {
      // A saddle: the middle says which corners belong together.
      let middleInside = a + b + c + d <= 0
      let joinsFirst = (a <= 0) == middleInside
      segments.append(joinsFirst ? (crossed[0], crossed[1]) : (crossed[0], crossed[3]))
      segments.append(joinsFirst ? (crossed[2], crossed[3]) : (crossed[1], crossed[2]))
    }
  }

  private func joined() -> [[Point]] {
    var neighbours: [Int: [Int]] = [:]
    for (a, b) in segments {
      neighbours[a, default: []].append(b)
      neighbours[b, default: []].append(a)
    }
    var lines: [[Point]] = []
    // Those that were passed have no neighbours any more.
    for (start, _) in segments where !neighbours[start]!.isEmpty {
      var line: [Point] = []
      var current: Int? = start
      while let key = current {
        let next = neighbours[key]!
        neighbours[key] = []
        line.append(places[key]!)
        current = next.first { !neighbours[$0]!.isEmpty }
      }
      if line.count > 2 { lines.append(line) }
    }
    return lines
  }
}
