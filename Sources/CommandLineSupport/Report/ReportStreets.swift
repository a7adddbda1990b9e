import Foundation
import Geometry
import StreetMap

/// The streets around a track or a simulated journey, as a subdued background of its zones. The page contains
/// the shapes, and loads nothing.
package struct ReportStreets {
  /// The most bytes that streets may add to a page.
  package static let mostBytes = 1_500_000
  private static let mostTiles = 24
  private static let mostNames = 60
  /// Units of the drawing are written in tenths, as whole numbers.
  private static let fineness = 10.0
  private static let layers: Set<String> = [
    "ground", "water", "waterway", "building", "road", "road_name", "rail", "sea", "land",
  ]
  /// The layers from the lowest to the uppermost, by their names in the styles.
  private static let order = [
    "ground", "sea", "wood", "green", "water", "stream", "house", "trail", "lane", "line", "street", "avenue",
  ]
  private static let edged: Set<String> = ["lane", "street", "avenue"]
  private static let avenues: Set<String> = ["motorway", "trunk", "primary"]
  private static let streets: Set<String> = [
    "secondary", "tertiary", "motorway_link", "trunk_link", "primary_link", "secondary_link", "tertiary_link",
  ]
  private static let lanes: Set<String> = ["minor", "pedestrian", "service", "runway", "taxiway"]
  private static let greens: Set<String> = [
    "grass", "park", "cemetery", "pitch", "scrub", "wetland", "reserve",
  ]

  /// Styles and their paths, from the lowest to the uppermost, in tenths of units.
  package let paths: [(style: String, path: String)]
  /// Names of main roads, in units.
  package let names: [(text: String, at: DrawnPoint)]

  /// - Parameter box: the area to cover, in metres on the projection.
  /// - Parameter unit: converts from there to units of the drawing.
  /// - Parameter limit: the most bytes of all paths. The highest zoom at which they fit is drawn.
  /// - Returns: nil if the archive has nothing there.
  package init?(
    _ archive: TileArchive, box: DrawnBox, on projection: MapProjection, limit: Int = mostBytes,
    unit: (DrawnPoint) -> DrawnPoint
  ) {
    let corners = [box.low, box.high].map { TilePlace(projection.place($0)) }
    for zoom in archive.zooms.reversed() {
      let side = Double(1 << zoom)
      let xs = Int(corners[0].x * side)...max(Int(corners[0].x * side), Int(corners[1].x * side))
      let ys = Int(corners[0].y * side)...max(Int(corners[0].y * side), Int(corners[1].y * side))
      guard xs.count * ys.count <= Self.mostTiles else { continue }
      var drawing = Drawing()
      for x in xs {
        for y in ys {
          // A damaged tile leaves a hole in the background, and does not prevent the report.
          guard let bytes = try? archive.tile(zoom: zoom, x: x, y: y),
            let tile = try? VectorTile(bytes, layers: Self.layers)
          else { continue }
          for layer in tile.layers {
            let scale = 1 / (Double(layer.extent) * side)
            for feature in layer.features {
              let lines = feature.lines.map { line in
                line.map { point in
                  unit(
                    projection.point(
                      TilePlace(
                        x: Double(x) / side + Double(point.x) * scale,
                        y: Double(y) / side + Double(point.y) * scale
                      ).coordinate))
                }
              }
              drawing.add(feature, of: layer.name, lines)
            }
          }
          if drawing.size > limit { break }
        }
      }
      if drawing.size > limit { continue }
      guard drawing.size > 0 else { return nil }
      paths = Self.order.compactMap { style in drawing.paths[style].map { (style, $0) } }
      names = drawing.labels
      return
    }
    return nil
  }

  private struct Drawing {
    package var paths: [String: String] = [:]
    package var names: [String: (line: [DrawnPoint], length: Double)] = [:]
    package var size: Int { paths.values.reduce(0) { $0 + $1.utf8.count } }

    package mutating func add(_ feature: VectorTile.Feature, of layer: String, _ lines: [[DrawnPoint]]) {
      let kind = feature.text("kind") ?? ""
      if layer == "road_name" {
        guard avenues.contains(kind) || streets.contains(kind), let name = feature.text("name"),
          name.count <= 40
        else { return }
        for line in lines {
          let length = zip(line, line.dropFirst()).reduce(0) { $0 + hypot($1.1.x - $1.0.x, $1.1.y - $1.0.y) }
          if length > names[name]?.length ?? 0 { names[name] = (line, length) }
        }
        return
      }
      guard let style = Self.style(layer, kind) else { return }
      paths[style, default: ""] += Self.path(lines, closed: feature.shape == .area)
    }

    private static func style(_ layer: String, _ kind: String) -> String? {
      switch layer {
      case "land": "ground"
      case "sea": "sea"
      case "ground": kind == "wood" ? "wood" : greens.contains(kind) ? "green" : nil
      case "water": "water"
      case "waterway": "stream"
      case "building": "house"
      case "rail": "line"
      default:
        avenues.contains(kind)
          ? "avenue"
          : ReportStreets.streets.contains(kind) ? "street" : lanes.contains(kind) ? "lane" : "trail"
      }
    }

    /// Steps in whole numbers; anything smaller than a step is left out.
    private static func path(_ lines: [[DrawnPoint]], closed: Bool) -> String {
      var data = ""
      for line in lines where line.count > 1 {
        var at: (x: Int, y: Int)?
        for point in line {
          let next = (x: Int((point.x * fineness).rounded()), y: Int((point.y * fineness).rounded()))
          if let former = at {
            guard abs(next.x - former.x) + abs(next.y - former.y) > 3 else { continue }
            data += "l\(next.x - former.x) \(next.y - former.y)"
          } else {
            data += "M\(next.x) \(next.y)"
          }
          at = next
        }
        if closed { data += "z" }
      }
      return data
    }

    /// Names at the middle of the longest piece of their road, with a distance from each other.
    package var labels: [(text: String, at: DrawnPoint)] {
      var placed: [DrawnBox] = []
      var labels: [(text: String, at: DrawnPoint)] = []
      let longest = names.sorted { ($1.value.length, $0.key) < ($0.value.length, $1.key) }
      for (name, road) in longest where labels.count < mostNames {
        let middle = road.line[road.line.count / 2]
        let half = 4.0 * Double(name.count)
        guard
          let box = DrawnBox([
            DrawnPoint(x: middle.x - half, y: middle.y - 9), DrawnPoint(x: middle.x + half, y: middle.y + 9),
          ]), !placed.contains(where: { $0.touches(box) })
        else { continue }
        placed.append(box)
        labels.append((name, middle))
      }
      return labels
    }
  }
}

extension ReportStreets {
  package var markup: String {
    let shapes = paths.map { style, path in
      // Roads are drawn twice, so that those of one class join without seams.
      guard Self.edged.contains(style) else { return "<path class=\"\(style)\" d=\"\(path)\"/>" }
      return "<g class=\"\(style) edge\"><path id=\"roads-\(style)\" class=\"roads\" d=\"\(path)\"/></g>"
    }
    let surfaces = paths.filter { Self.edged.contains($0.style) }.map { style, _ in
      "<use href=\"#roads-\(style)\" class=\"\(style)\"/>"
    }
    let labels = names.map { text, at in
      "<text data-x=\"\(drawn(at.x))\" data-y=\"\(drawn(at.y))\" "
        + "transform=\"translate(\(drawn(at.x)) \(drawn(at.y)))\">\(escaped(text))</text>"
    }
    return
      "<g id=\"streets\" aria-hidden=\"true\"><g transform=\"scale(\(1 / Self.fineness))\">\(shapes.joined())\(surfaces.joined())</g>"
      + "<g class=\"names\">\(labels.joined())</g></g>"
  }

  /// The streets for a page's script: styles and paths in tenths of units, names in the same.
  package var json: String {
    let quoted = JSONLine.quoted
    let paths = paths.map { "[\(quoted($0.style)),\(quoted($0.path))]" }
    let names = names.map { text, at in
      "[\(quoted(text)),\(drawn(at.x * Self.fineness)),\(drawn(at.y * Self.fineness))]"
    }
    return "{\"paths\":[\(paths.joined(separator: ","))],\"names\":[\(names.joined(separator: ","))]}"
  }
}

/// A place in the square of the world that is divided into tiles, 0 to 1 from its north-western corner.
private struct TilePlace {
  package let x: Double
  package let y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  package init(_ place: Coordinate) {
    let latitude = max(-85.05, min(85.05, place.latitude.degrees)) * .pi / 180
    x = max(0, min(0.999_999_999, (place.longitude.degrees + 180) / 360))
    y = max(0, min(0.999_999_999, (1 - asinh(tan(latitude)) / .pi) / 2))
  }

  package var coordinate: Coordinate {
    Coordinate(
      latitude: .radians(atan(sinh(.pi * (1 - 2 * y)))), longitude: .degrees(x * 360 - 180))
  }
}
