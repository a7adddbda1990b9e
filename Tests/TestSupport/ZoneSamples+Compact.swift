import AlarmEngine
import Geometry

extension ZoneSamples {
  /// A zone with every attribute whose layout is cheap: few vertices, within 20 km of an awkward place.
  ///
  /// The cost of a layout is the length of its edges, which an index cuts wherever they cross the side of a
  /// cell: in a debug build 50 ms for an edge halfway round the earth, and several times that next to small
  /// zones, whose cells are small. Inset, size and number of vertices hardly matter. One zone in twenty has
  /// up to four vertices anywhere on earth, so that long edges occur too.
  /// - Parameter most: the greatest number of vertices, at least 3.
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
