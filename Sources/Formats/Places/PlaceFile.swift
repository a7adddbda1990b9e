import Foundation

/// A file of places: an extract of OpenStreetMap, or features of GeoJSON.
public enum PlaceFile {
  public enum Format: String, CaseIterable, Sendable {
    case osmPBF = "osm.pbf"
    case geojson
  }

  /// The counts and issues of a file that was read.
  public struct Summary: Equatable, Sendable {
    /// Places passed to the handler.
    public var places = 0
    /// Places left out because their position is unknown, as ways whose nodes are missing from an extract.
    public var unplaced = 0
    /// Relations of an .osm.pbf file that would be places; they are left out.
    public var relations = 0
    /// The first ``maximumIssues`` issues; `issueCount` counts all.
    public var issues: [ReadIssue] = []
    public var issueCount = 0

    public static let maximumIssues = 100

    mutating func report(_ severity: ReadIssue.Severity, line: Int?, _ message: String) {
      issueCount += 1
      if issues.count < Self.maximumIssues { issues.append(ReadIssue(severity, line: line, message)) }
    }
  }

  /// Passes the places of a file to `handle` one by one. Memory does not grow with the number of node places.
  ///
  /// GeoJSON may be one document or a sequence of features (RFC 8142, or one per line), and may be gzipped.
  /// For .osm.pbf see `OSMPlaceReader`.
  /// - Parameters:
  ///   - format: nil detects it by the name and the first bytes.
  ///   - progress: called with the bytes read so far, in all twice the file's size for .osm.pbf; returns
  ///     false to stop.
  /// - Throws: `ReadError` if the file cannot be read on, `CancellationError` if `progress` returns false,
  ///   and the errors of `handle`. Places passed on before the error are valid.
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

  /// Reads a file held in memory.
  /// - Parameter name: the file's name, whose extension tells the format.
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
    throw ReadError("\(source.label): format not recognized by name or content; allowed: \(known)")
  }
}
