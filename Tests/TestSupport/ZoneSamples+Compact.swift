import AlarmEngine
import Geometry

extension ZoneSamples {
  /// A zone with every attribute whose layout is cheap: few vertices, within 20 km of an awkward place.
  ///
  /// What a layout costs is the length of the edges, which an index cuts wherever they cross the side of a cell: in a debug
  /// build 50 ms for an edge halfway round the earth, and some times more beside small zones, for which cells are small.
  /// Inset, size and number of vertices hardly count. One zone in twenty has vertices anywhere on the earth, up to four,
  /// so that long edges are there too.
  /// - Parameter most: vertices, 3 or more.
  public static func compactZone(_ generator: inout SeededGenerator, most: Int = 6) -> Zone {
    var zone = zone(&generator).draft
    let center = generator.awkwardCoordinate()
    let isLong = generator.next() % 20 == 0
    // Metres.
    let extent = isLong ? 2e7 : [0.001, 10, 1000, 20_000][Int(generator.next() % 4)]
    func places(_ count: Int) -> [Coordinate] {
      (0..<min(count, isLong ? min(4, most) : most)).map { _ in
        generator.coordinate(near: center, within: extent)
      }
    }
    switch zone.outline {
    case .locations(let all): zone.outline = .locations(places(all.count))
    case .path(let all): zone.outline = .path(places(all.count))
    case .area(let polygon):
      let parts = polygon.parts.prefix(isLong ? 1 : 2).compactMap { part -> Polygon.Part? in
        guard let outer = try? Ring(places(part.outer.vertices.count)) else { return nil }
        let holes = part.holes.prefix(isLong ? 0 : 1)
        return Polygon.Part(
          outer: outer, holes: holes.compactMap { try? Ring(places($0.vertices.count)) })
      }
      zone.outline =
        parts.isEmpty ? .locations([center]) : .area(Polygon(parts: parts, edges: polygon.edges))
    }
    return .valid(zone)
  }
}
