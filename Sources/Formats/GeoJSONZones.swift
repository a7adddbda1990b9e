import AlarmEngine
import Foundation
import Geometry

/// Zones from and to GeoJSON (RFC 7946).
///
/// Polygons with their holes and parts become areas, lines corridors, points circles; their edges are straight in
/// longitude and latitude unless the properties say otherwise (`ZoneProperties`). A feature of several lines or
/// points becomes as many zones. What RFC 7946 asks for beyond what we need (winding order, precision) is not
/// checked.
enum GeoJSONZones {
  static func read(_ source: ZoneFileSource, into builder: inout ZoneFileBuilder) throws {
    var features = JSONFeatures()
    var isFirst = true
    while var chunk = try source.next() {
      if isFirst, chunk.starts(with: [0xef, 0xbb, 0xbf]) { chunk.removeFirst(3) }
      if isFirst, chunk.starts(with: [0xff, 0xfe]) || chunk.starts(with: [0xfe, 0xff]) {
        throw ReadError("UTF-16 found, UTF-8 allowed in GeoJSON")
      }
      isFirst = false
      features.feed(chunk) { take($0, &builder) }
    }
    features.finish { take($0, &builder) }
  }

  private static func take(_ item: JSONFeatures.Item, _ builder: inout ZoneFileBuilder) {
    switch item {
    case .feature(let bytes, let line):
      guard let value = parse(bytes, line, &builder) else { return }
      GeoJSONFeature(value, line: line).add(to: &builder)
    case .document(let bytes, let line, let count):
      guard let value = parse(bytes, line, &builder) else { return }
      takeDocument(value, line, features: count, &builder)
    case .tooDeep(let line):
      builder.report(
        .error, line: line, "brackets nest deeper than \(JSONFeatures.maximumDepth) levels, which are allowed"
      )
    case .tooLong(let line):
      builder.report(
        .error, line: line, "a feature is longer than \(JSONFeatures.maximumLength) bytes, which are allowed")
    case .cutOff(let line):
      builder.report(.error, line: line, "the file ends in the middle; what was complete before is kept")
    }
  }

  private static func parse(_ bytes: [UInt8], _ line: Int, _ builder: inout ZoneFileBuilder) -> JSONValue? {
    do {
      return try JSONValue.parse(bytes)
    } catch {
      let near = String(
        decoding: bytes[max(0, error.offset - 20)..<min(bytes.count, error.offset + 20)], as: UTF8.self)
      builder.report(.error, line: line, "not JSON near \"\(near)\"; it is left out")
      return nil
    }
  }

  private static func takeDocument(
    _ value: JSONValue, _ line: Int, features: Int, _ builder: inout ZoneFileBuilder
  ) {
    guard value.isObject else {
      builder.report(.error, line: line, "\(value.kind) found, a GeoJSON object allowed")
      return
    }
    switch value["type"]?.string {
    case "FeatureCollection":
      if features == 0, value["features"]?.list == nil {
        builder.report(.error, line: line, "a FeatureCollection without an array of features")
      }
    case let type where features > 0:
      builder.report(
        .warning, line: line, "type \(type ?? "missing") with features found, FeatureCollection allowed")
    default:
      GeoJSONFeature(value, line: line).add(to: &builder)
    }
  }
}
