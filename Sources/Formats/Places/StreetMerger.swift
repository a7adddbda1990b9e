import Geometry

/// Merges the many ways of a street into one place: maps split a street wherever its surface or speed limit
/// changes.
///
/// Ways of one name in one settlement are one street. Away from settlements, ways of one name in one cell of a grid
/// are. A street lies in the settlement that is nearest in relation to its reach, so a suburb comes before the city
/// around it. Memory grows with the number of named ways, by about 200 bytes each.
struct StreetMerger {
  typealias Point = (latitude: Double, longitude: Double)

  /// The most points kept of a way, its ends among them.
  static let mostPoints = 5

  /// The values of `place` that are settlements, and how far from its middle the streets of each may lie.
  static let reaches: [String: Distance] = [
    "city": .kilometres(15), "town": .kilometres(6), "borough": .kilometres(4), "suburb": .kilometres(2.5),
    "village": .kilometres(3), "quarter": .kilometres(1.5), "neighbourhood": .kilometres(1),
    "hamlet": .kilometres(1), "isolated_dwelling": .metres(500),
  ]

  private struct Settlement {
    let name: String
    let coordinate: Coordinate
    let reach: Distance
  }

  private struct Way {
    let id: String
    let draft: PlaceDraft
    let points: [Point]
    let centre: Coordinate
  }

  private enum Area: Hashable {
    case settlement(Int)
    case cell(Cell)
  }

  private struct Key: Hashable {
    let name: String
    let area: Area
  }

  private var settlements: [Settlement] = []
  private var settlementsByCell: [Cell: [Int]] = [:]
  private var ways: [Way] = []

  /// Adds a settlement. Other places are ignored.
  mutating func addSettlement(_ place: Place) {
    guard let kind = place.categories.first(where: { $0.key == "place" }),
      let reach = Self.reaches[kind.value]
    else { return }
    settlementsByCell[Cell(place.coordinate), default: []].append(settlements.count)
    settlements.append(Settlement(name: place.title, coordinate: place.coordinate, reach: reach))
  }

  /// - Parameters:
  ///   - draft: the draft of a street.
  ///   - points: degrees, along the way.
  /// - Returns: false if there are no points, so that the street has no position.
  mutating func add(id: String, _ draft: PlaceDraft, _ points: [Point]) -> Bool {
    guard let centre = PlaceCentre.of(points) else { return false }
    let kept =
      points.count <= Self.mostPoints
      ? points : (0..<Self.mostPoints).map { points[$0 * (points.count - 1) / (Self.mostPoints - 1)] }
    ways.append(Way(id: id, draft: draft, points: kept, centre: centre))
    return true
  }

  /// Returns the streets in the order of their first ways, each at the point nearest to its middle.
  func places() -> [Place] {
    var order: [Key] = []
    var streets: [Key: [Int]] = [:]
    for (index, way) in ways.enumerated() {
      let area = settlement(at: way.centre).map(Area.settlement) ?? .cell(Cell(way.centre))
      let key = Key(name: way.draft.name, area: area)
      if streets[key] == nil { order.append(key) }
      streets[key, default: []].append(index)
    }
    return order.compactMap { key in
      let parts = streets[key, default: []].map { ways[$0] }
      guard let first = parts.first, let point = Self.middle(parts.flatMap(\.points)) else { return nil }
      var area: String?
      if case .settlement(let index) = key.area { area = settlements[index].name }
      return first.draft.place(id: first.id, at: point, in: area)
    }
  }

  /// Returns the index of the settlement of a street at this point.
  private func settlement(at coordinate: Coordinate) -> Int? {
    var best: (index: Int, share: Double)?
    for index in Cell(coordinate).neighbours().flatMap({ settlementsByCell[$0] ?? [] }) {
      let settlement = settlements[index]
      let north = abs(settlement.coordinate.latitude.degrees - coordinate.latitude.degrees)
      // The difference in latitude alone saves most measurements.
      guard north * Earth.leastMetresPerDegree <= settlement.reach.metres else { continue }
      let share = settlement.coordinate.distance(to: coordinate).metres / settlement.reach.metres
      if share <= 1, share < best?.share ?? .infinity { best = (index, share) }
    }
    return best?.index
  }

  private static func middle(_ points: [Point]) -> Coordinate? {
    guard let centre = PlaceCentre.of(points) else { return nil }
    return points.compactMap { try? Coordinate(latitudeDegrees: $0.latitude, longitudeDegrees: $0.longitude) }
      .min { $0.distance(to: centre) < $1.distance(to: centre) }
  }

  /// A cell of a grid of degrees.
  private struct Cell: Hashable {
    /// Degrees. A row is 16.6 km high: more than any settlement's reach.
    private static let size = 0.15
    private static let columnsAround = 2400
    /// Enough for a reach of 15 km up to a latitude of 63 degrees; farther north a city reaches less far east and west.
    private static let columnsBeside = 2

    private let row: Int
    private let column: Int

    init(_ coordinate: Coordinate) {
      self.init(
        row: Int((coordinate.latitude.degrees / Self.size).rounded(.down)),
        column: Int((coordinate.longitude.degrees / Self.size).rounded(.down)))
    }

    private init(row: Int, column: Int) {
      self.row = row
      // The column west of the antimeridian is beside the one east of it.
      self.column = (column % Self.columnsAround + Self.columnsAround) % Self.columnsAround
    }

    func neighbours() -> [Cell] {
      (row - 1...row + 1).flatMap { row in
        (column - Self.columnsBeside...column + Self.columnsBeside).map { Cell(row: row, column: $0) }
      }
    }
  }
}
