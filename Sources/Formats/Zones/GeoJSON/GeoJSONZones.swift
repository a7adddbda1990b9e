import AlarmEngine
import Foundation
import Geometry

/// Reads and writes zones as GeoJSON (RFC 7946).
///
/// Polygons with their holes and parts become areas, lines corridors, points circles; their edges are
/// straight in longitude and latitude unless the properties state otherwise (`ZoneProperties`). A feature of
/// several lines or points becomes as many zones. Other requirements of RFC 7946 (winding order, precision)
/// are not checked.
enum GeoJSONZones {
  static func read(_ source: ByteSource, into builder: inout ZoneFileBuilder) throws {
    let head = try source.peek(1 << 16)
    var start = builder.mark
    try JSONSlicer.read(source, keys: ["features"], takesOutermost: true) { item in
      take(item, since: start, &builder)
      switch item {
      case .document: start = builder.mark
      case .cutOff(let line): refuseForeign(head, line, since: start, &builder)
      case .element, .nothing, .tooDeep, .tooLong: break
      }
    }
  }

  /// - Parameter start: the mark at the beginning of the document.
  private static func take(
    _ item: JSONSlicer.Item, since start: ZoneFileBuilder.Mark, _ builder: inout ZoneFileBuilder
  ) {
    switch item {
    case .element(let bytes, let line):
      guard let value = parse(bytes, line, &builder) else { return }
      GeoJSONFeature(value, line: line).add(to: &builder)
    case .document(let bytes, let line, let count):
      guard let value = parse(bytes, line, &builder) else { return }
      takeDocument(value, line, features: count, since: start, &builder)
    case .nothing(let line): builder.report(.warning, line: line, "an extra comma found; it is passed over")
    case .tooDeep(let line):
      builder.report(
        .error, line: line, "brackets nest deeper than the maximum of \(JSONSlicer.maximumDepth) levels"
      )
    case .tooLong(let line):
      builder.report(
        .error, line: line, "a feature is longer than the maximum of \(JSONSlicer.maximumLength) bytes")
    case .cutOff(let line):
      builder.report(.error, line: line, "the file is cut off; the complete zones before are kept")
    }
  }

  /// A truncated file may have named its reference system before its features.
  private static func refuseForeign(
    _ head: [UInt8], _ line: Int, since start: ZoneFileBuilder.Mark, _ builder: inout ZoneFileBuilder
  ) {
    let text = String(decoding: head, as: UTF8.self)
    guard let features = text.range(of: "\"features\""),
      let members = text[..<features.lowerBound].lastIndex(of: ","),
      let object = try? JSONValue.parse(Array((text[..<members] + "}").utf8)),
      let name = GeoJSONReference.foreign(object)
    else { return }
    builder.takeBack(to: start)
    builder.report(
      .error, line: line,
      "the file is cut off, and \(GeoJSONReference.refusal(name)); none of its zones is read")
  }

  private static func parse(_ bytes: [UInt8], _ line: Int, _ builder: inout ZoneFileBuilder) -> JSONValue? {
    do {
      return try JSONValue.parse(bytes, line: line)
    } catch {
      let excerpt = bytes[max(0, error.offset - 20)..<min(bytes.count, error.offset + 20)]
      // Line ends would split the message.
      let near = TextEncoding.string(excerpt.map { max($0, 32) }[...])
      builder.report(.error, line: error.line, "not JSON near \"\(near)\" (\(error.message)); it is left out")
      return nil
    }
  }

  private static func takeDocument(
    _ value: JSONValue, _ line: Int, features: Int, since start: ZoneFileBuilder.Mark,
    _ builder: inout ZoneFileBuilder
  ) {
    guard value.isObject else {
      // The features of an array have been read.
      if value.list == nil || features == 0 {
        builder.report(.error, line: line, "\(value.kind) without features found, a GeoJSON object allowed")
      }
      return
    }
    if features > 0, let name = GeoJSONReference.foreign(value) {
      // The name may follow the features.
      builder.takeBack(to: start)
      builder.report(.error, line: line, "\(GeoJSONReference.refusal(name)); none of its zones is read")
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
