import Foundation

/// A file of places: an extract of OpenStreetMap, or features of GeoJSON.
public enum PlaceFile {
  public enum Format: String, CaseIterable, Sendable {
    case osmPBF = "osm.pbf"
    case geojson
  }

  /// What a file held.
  public struct Summary: Equatable, Sendable {
    /// Handed out.
    public var places = 0
    /// Would be places, but nothing says where they are: nodes missing from an extract, say.
    public var unplaced = 0
    /// Relations of an .osm.pbf file that would be places; they are left out.
    public var relations = 0
    /// The first of what was not as it should be, and how many there were of it.
    public var issues: [ReadIssue] = []
    public var issueCount = 0

    public static let maximumIssues = 100

    mutating func report(_ severity: ReadIssue.Severity, line: Int?, _ message: String) {
      issueCount += 1
      if issues.count < Self.maximumIssues { issues.append(ReadIssue(severity, line: line, message)) }
    }
  }

  /// Hands out the places of a file one by one; memory does not grow with the number of places that are nodes.
  ///
  /// GeoJSON may be one document or a sequence of features (RFC 8142, or one a line), and gzip. Of an .osm.pbf file see
  /// `OSMPlaceReader`.
  /// - Parameters:
  ///   - format: nil takes it from the name and the first bytes.
  ///   - progress: told of the bytes done, twice the file's in all for .osm.pbf; answers false to stop.
  /// - Throws: `ReadError` where the file cannot be read on, `CancellationError` where `progress` says to stop, and what
  ///   `handle` throws. Places handed out before then were good.
  public static func read(
    contentsOf url: URL, format: Format? = nil, progress: ReadProgress? = nil,
    _ handle: (Place) throws -> Void
  ) throws -> Summary {
    let source = try ByteSource(contentsOf: url, progress: progress)
    switch try format ?? self.format(of: source) {
    case .osmPBF:
      return try OSMPlaceReader.read(OSMBlobFile(contentsOf: url), progress: progress, handle)
    case .geojson: return try GeoJSONPlaceReader.read(source, handle)
    }
  }

  /// The same from memory.
  /// - Parameter name: the file's, of which the extension tells the format.
  public static func read(
    data: Data, name: String = "", format: Format? = nil, progress: ReadProgress? = nil,
    _ handle: (Place) throws -> Void
  ) throws -> Summary {
    let source = ByteSource(data: data, name: name, progress: progress)
    switch try format ?? self.format(of: source) {
    case .osmPBF:
      return try OSMPlaceReader.read(OSMBlobFile(data: data, name: name), progress: progress, handle)
    case .geojson: return try GeoJSONPlaceReader.read(source, handle)
    }
  }

  private static func format(of source: ByteSource) throws -> Format {
    if source.name.lowercased().hasSuffix(".pbf") { return .osmPBF }
    let start = try source.peek(1 << 10)
    switch fileExtension(source.name) {
    case "geojson", "json", "geojsonl", "geojsons", "geojsonseq", "ndjson", "ndgeojson": return .geojson
    default: break
    }
    // The first message of an .osm.pbf file: its length, and the name of its kind.
    if start.dropFirst(4).starts(with: [0x0a, 9] + Array("OSMHeader".utf8)) { return .osmPBF }
    let first = start.first { ![0x1e, 0x20, 0x0a, 0x0d, 0x09, 0xef, 0xbb, 0xbf].contains($0) }
    if first == UInt8(ascii: "{") { return .geojson }
    let known = Format.allCases.map(\.rawValue).joined(separator: ", ")
    throw ReadError("\(source.label): neither the name nor the content tells the format; allowed: \(known)")
  }
}
