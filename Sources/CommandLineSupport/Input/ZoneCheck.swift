import AlarmEngine
import Formats
import Geometry

/// The findings about one zone.
package struct ZoneCheck {
  package enum Kind: String {
    case circle, capsule, path, polygon, area, none

    package var words: String {
      switch self {
      case .circle, .capsule, .path, .polygon, .area: rawValue
      case .none: "no area"
      }
    }
  }

  package let kind: Kind
  /// The number of places that define it, holes included.
  package let places: Int
  /// The depth of the deepest point inside the effective edge, negative if the inset leaves nothing; nil
  /// without an area.
  package private(set) var depth: Distance?
  package private(set) var canAlarm = false
  /// One sentence each.
  package private(set) var findings: [String] = []

  /// A suggestion for a zone without an error.
  package private(set) var advice: String?

  /// The typical error of a phone under open sky.
  package static let phoneError = Distance.metres(15)

  /// The most crossings named for one zone.
  private static let crossingsNamed = 3

  package init(_ zone: Zone, defaultRadius: Distance) {
    switch zone.outline {
    case .locations(let locations):
      kind =
        locations.count == 1
        ? .circle : locations.count == 2 ? .capsule : locations.isEmpty ? .none : .polygon
      places = locations.count
    case .path(let locations):
      kind = .path
      places = locations.count
    case .area(let polygon):
      kind = .area
      places = polygon.rings.reduce(0) { $0 + $1.vertices.count }
    }
    do {
      let shape = try zone.shape(defaultRadius: defaultRadius)
      if case .polygon(let polygon) = shape { check(polygon) }
      check(zone, Outline(shape).deepestPoint())
    } catch {
      findings.append("can never alarm: \(error.message)")
    }
    if !zone.active { findings.append("is switched off") }
  }

  private mutating func check(_ zone: Zone, _ deepest: Outline.DeepestPoint) {
    depth = deepest.depth - zone.inset
    let finding = Self.emptied(zone, deepest)
    canAlarm = finding == nil
    if let finding { return findings.append(finding) }
    let reach = deepest.depth - zone.inset + max(.zero, zone.alertDistance)
    guard reach < Self.phoneError else { return }
    advice =
      "reaches only \(lengthWords(reach)) from its middle line to the edge at which it rings, and phones are accurate to 5 to 15 m "
      + "under open sky, 20 to 65 m between houses: visits may go unnoticed. An alert distance or a negative inset "
      + "enlarges it"
  }

  /// A description of a zone whose area the inset removes completely; nil for other zones.
  package static func emptied(_ zone: Zone, _ deepest: Outline.DeepestPoint) -> String? {
    guard deepest.isEmptied(by: zone.inset) else { return nil }
    return
      "can never alarm: the inset of \(lengthWords(zone.inset)) leaves nothing of a zone whose deepest point lies "
      + "\(lengthWords(deepest.depth)) inside"
  }

  private mutating func check(_ polygon: Polygon) {
    for ring in polygon.rings {
      let crossings = selfCrossings(of: ring, edges: polygon.edges, limit: Self.crossingsNamed)
      for crossing in crossings {
        findings.append(
          "edges \(crossing.first + 1) and \(crossing.second + 1) cross; areas enclosed an even number of times count "
            + "as outside")
      }
    }
  }

  /// "120 m deep"
  package var depthWords: String {
    guard let depth else { return "" }
    return depth < .zero ? "nothing left" : "\(lengthWords(depth)) deep"
  }
}

extension Polygon {
  /// All rings, outer and holes.
  fileprivate var rings: [Ring] { parts.flatMap { [$0.outer] + $0.holes } }
}
