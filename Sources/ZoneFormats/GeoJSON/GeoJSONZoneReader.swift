import AlarmEngine
import Geometry

/// Reads zones from GeoJSON (RFC 7946).
///
/// Polygons with their holes and parts become areas, lines corridors, points circles; their edges are
/// straight in longitude and latitude unless the properties state otherwise (`ZoneProperties`). A feature of
/// several lines or points becomes as many zones. Other requirements of RFC 7946 (winding order, precision)
/// are not checked.
package final class GeoJSONZoneReader: ZoneFormatReader {
  package var builder: ZoneFileBuilder
  private var slicer = JSONSlicer(keys: ["features"], takesOutermost: true)
  private var encoding = TextEncoding()
  /// The first bytes, which may name the reference system of a file that is cut off.
  private var head: [UInt8] = []
  private static let headLength = 1 << 16
  /// The reference system may be named behind the zones.
  package var holdsBack: Bool { true }
  /// The beginning of the document.
  private var start: ZoneFileBuilder.Mark

  package init(_ builder: ZoneFileBuilder) {
    self.builder = builder
    start = builder.mark
  }

  package func feed(_ chunk: [UInt8]) {
    if head.count < Self.headLength { head += chunk.prefix(Self.headLength - head.count) }
    slicer.feed(encoding.decode(chunk)) { take($0) }
  }

  package func finish() {
    slicer.feed(encoding.decode([], isLast: true)) { take($0) }
    slicer.finish { take($0) }
  }

  private func take(_ item: JSONSlicer.Item) {
    switch item {
    case .element(let bytes, let line):
      guard let value = parse(bytes, line) else { return }
      GeoJSONFeature(value, line: line).add(to: &builder)
    case .document(let bytes, let line, let count):
      if let value = parse(bytes, line) { takeDocument(value, line, features: count) }
      start = builder.mark
    case .nothing(let line):
      builder.report(.warning, .mended, line: line, "an extra comma found; it is passed over")
    case .tooDeep(let line):
      builder.report(
        .error, line: line, "brackets nest deeper than the maximum of \(JSONSlicer.maximumDepth) levels"
      )
    case .tooLong(let line):
      builder.report(
        .error, line: line, "a feature is longer than the maximum of \(JSONSlicer.maximumLength) bytes")
    case .cutOff(let line):
      builder.report(.error, .cutOff, line: line, "the file is cut off; the complete zones before are kept")
      refuseForeign(line)
    }
  }

  /// A truncated file may have named its reference system before its features.
  private func refuseForeign(_ line: Int) {
    guard let features = Self.place(of: Array("\"features\"".utf8), in: head),
      let members = head[..<features].lastIndex(of: UInt8(ascii: ",")),
      let object = try? JSONValue.parse(head[..<members] + [UInt8(ascii: "}")]),
      let name = GeoJSONReference.foreign(object)
    else { return }
    builder.takeBack(to: start)
    builder.report(
      .error, .foreignReference, line: line,
      "the file is cut off, and \(GeoJSONReference.refusal(name)); none of its zones is read")
  }

  private static func place(of word: [UInt8], in bytes: [UInt8]) -> Int? {
    guard bytes.count >= word.count else { return nil }
    return (0...(bytes.count - word.count)).first { bytes[$0..<($0 + word.count)].elementsEqual(word) }
  }

  private func parse(_ bytes: [UInt8], _ line: Int) -> JSONValue? {
    do throws(JSONError) {
      return try JSONValue.parse(bytes, line: line)
    } catch {
      let excerpt = bytes[max(0, error.offset - 20)..<min(bytes.count, error.offset + 20)]
      // Line ends would split the message.
      let near = TextEncoding.string(excerpt.map { max($0, 32) }[...])
      builder.report(.error, line: error.line, "not JSON near \"\(near)\" (\(error.message)); it is left out")
      return nil
    }
  }

  private func takeDocument(
    _ value: JSONValue, _ line: Int, features: Int
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
      builder.report(
        .error, .foreignReference, line: line, "\(GeoJSONReference.refusal(name)); none of its zones is read")
      return
    }
    switch value["type"]?.string {
    case "FeatureCollection":
      if features == 0, value["features"]?.list == nil {
        builder.report(.error, line: line, "a FeatureCollection without an array of features")
      }
    case let type where features > 0:
      builder.report(
        .warning, .mended, line: line,
        "type \(type ?? "missing") with features found, FeatureCollection allowed")
    default:
      GeoJSONFeature(value, line: line).add(to: &builder)
    }
  }
}
