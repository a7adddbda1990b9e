import Formats
import Foundation

/// Writes the drawn features of a region, one GeoJSON feature per line, each with its layer and first zoom
/// for tippecanoe.
package final class StreetFeatureWriter {
  private let handle: FileHandle
  private var buffer: [UInt8] = []
  private var coast: Coastline
  private let bounds: Coastline.Bounds
  /// The number of lines of the extract that were read.
  package private(set) var read = 0
  /// The number of features drawn.
  package private(set) var written = 0
  /// The number of invalid lines; the fault of the first one is kept.
  package private(set) var faults = 0
  package private(set) var firstFault: String?

  package init(_ url: URL, bounds: Coastline.Bounds) throws {
    guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
      throw ReadError("\(url.path) cannot be made")
    }
    handle = try FileHandle(forWritingTo: url)
    self.bounds = bounds
    coast = Coastline(within: bounds)
  }

  /// Reads one line of the extract.
  package func take(_ line: [UInt8]) throws {
    guard !line.isEmpty else { return }
    read += 1
    let feature: ExtractFeature?
    do { feature = try ExtractFeature(line: line) } catch {
      faults += 1
      if firstFault == nil { firstFault = "feature \(read): \(error)" }
      return
    }
    guard let feature else { return }
    if feature.shape == .line, feature.tags["natural"] == "coastline",
      let points = try? ExtractGeometry(feature.geometry).parts.first?.first
    {
      coast.add(points)
    }
    for drawn in StreetClassifier.features(of: feature) {
      switch drawn.place {
      case .asGiven:
        try write(drawn.layer, drawn.zoom, drawn.attributes, id: feature.id, geometry: feature.geometry)
      case .middle:
        guard let middle = try? ExtractGeometry(feature.geometry).middle else { continue }
        let geometry = JSONValue.object([("type", .string("Point")), ("coordinates", middle.json)])
        try write(drawn.layer, drawn.zoom, drawn.attributes, id: feature.id, geometry: geometry.bytes)
      }
    }
  }

  /// Writes the sea and the buffered features.
  /// - Returns: the number of gaps of coastlines that were closed by straight lines.
  package func finish() throws -> Int {
    let sea = coast.sea()
    if !sea.polygons.isEmpty {
      // The world's coast below is kilometres off, so the land is drawn too where the sea is known.
      try write("land", StreetZooms.least, [], id: nil, geometry: Self.polygons([[bounds.ring]]))
      try write("sea", StreetZooms.least, [], id: nil, geometry: Self.polygons(sea.polygons))
    }
    try flush()
    try handle.synchronize()
    try handle.close()
    return sea.gaps
  }

  private static func polygons(_ polygons: [[[Coastline.Point]]]) -> [UInt8] {
    JSONValue.object([
      ("type", .string("MultiPolygon")),
      ("coordinates", .array(polygons.map { .array($0.map { .array($0.map(\.json)) }) })),
    ]).bytes
  }

  private func write(
    _ layer: String, _ zoom: Int, _ attributes: [(String, JSONValue)], id: Int64?, geometry: [UInt8]
  ) throws {
    buffer += Array(#"{"type":"Feature","#.utf8)
    if let id { buffer += Array("\"id\":\(id),".utf8) }
    buffer += Array("\"tippecanoe\":{\"layer\":\"\(layer)\",\"minzoom\":\(zoom)},\"properties\":".utf8)
    JSONValue.object(attributes).write(to: &buffer)
    buffer += Array(",\"geometry\":".utf8)
    buffer += geometry
    buffer += Array("}\n".utf8)
    written += 1
    if buffer.count > 1 << 20 { try flush() }
  }

  private func flush() throws {
    try handle.write(contentsOf: buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}
