import AlarmEngine
import Foundation
import Geometry
import PAD

extension ZoneFile {
  /// Reads a file of zones; gzip is decompressed.
  ///
  /// - Parameters:
  ///   - format: nil detects it by the file's extension, else by the first bytes.
  ///   - defaultRadius: used, for checks only, if a zone states no size; the zone's own stays nil.
  ///   - keepsForeign: whether to fill `foreign`, for writing the zones again.
  ///   - progress: called with the bytes read so far; returns false to stop.
  /// - Throws: `ReadError` if nothing can be read, `CancellationError` if `progress` returns false.
  public static func read(
    contentsOf url: URL, format: ZoneFormat? = nil, defaultRadius: Distance = .metres(50),
    keepsForeign: Bool = false, progress: ReadProgress? = nil
  ) throws -> ZoneFile {
    try read(
      ByteSource(contentsOf: url, progress: progress), format: format, defaultRadius: defaultRadius,
      keepsForeign: keepsForeign)
  }

  /// Reads a file held in memory.
  /// - Parameter name: the file's name, whose extension tells the format.
  public static func read(
    data: Data, name: String = "", format: ZoneFormat? = nil, defaultRadius: Distance = .metres(50),
    keepsForeign: Bool = false, progress: ReadProgress? = nil
  ) throws -> ZoneFile {
    try read(
      ByteSource(data: data, name: name, progress: progress), format: format, defaultRadius: defaultRadius,
      keepsForeign: keepsForeign)
  }

  private static func read(
    _ source: ByteSource, format: ZoneFormat?, defaultRadius: Distance, keepsForeign: Bool
  ) throws -> ZoneFile {
    try source.refuseFIT()
    let start = try source.peek(1 << 16)
    guard let format = format ?? ZoneFormat(fileName: source.name, start: start) else {
      let known = ZoneFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw ReadError("format not recognized by name or content; allowed: \(known)")
    }
    var builder = ZoneFileBuilder(defaultRadius: defaultRadius, keepsForeign: keepsForeign)
    switch format {
    case .pad: try readPAD(source, into: &builder)
    case .geojson: try read(source, with: GeoJSONZoneReader(builder), into: &builder)
    case .kml:
      try read(source, with: ZoneXMLFileReader(KMLZoneReader(builder), name: source.label), into: &builder)
    case .kmz: try KMLZones.readArchive(source, into: &builder)
    case .openair: try read(source, with: OpenAirReader(builder), into: &builder)
    case .owntracks: try read(source, with: OwnTracksWaypointReader(builder), into: &builder)
    case .gpx:
      try read(source, with: ZoneXMLFileReader(GPXZoneReader(builder), name: source.label), into: &builder)
    case .csv: try read(source, with: CSVZoneReader(builder, name: source.label), into: &builder)
    case .traccar: try read(source, with: TraccarGeofences(builder), into: &builder)
    case .homeassistant:
      try read(source, with: HomeAssistantZones(builder, name: source.label), into: &builder)
    }
    return builder.finished()
  }
}

extension ZoneFile {
  private static func read(
    _ source: ByteSource, with reader: some ZoneFormatReader, into builder: inout ZoneFileBuilder
  ) throws {
    while let chunk = try source.next() { try reader.feed(chunk) }
    try reader.finish()
    builder = reader.builder
  }
}

extension ZoneFormat {
  /// Detects the format by the extension, `.gz` ignored, else by the first bytes.
  init?(fileName: String, start: [UInt8]) {
    switch fileExtension(fileName) {
    case "pad": self = .pad
    case "geojson": self = .geojson
    case "kml": self = .kml
    case "kmz": self = .kmz
    case "otrw", "otrc": self = .owntracks
    case "openair", "air": self = .openair
    case "gpx": self = .gpx
    default: self.init(start: start)
    }
  }

  /// Encodes zones in this format, with an issue for everything that it cannot hold.
  /// - Parameter foreign: the members of other programs; an issue names those that the format cannot hold.
  /// - Throws: `ReadError` for a format that is only read.
  public func encode(_ zones: [Zone], keeping foreign: [ZoneID: ForeignMembers] = [:]) throws -> (
    data: Data, issues: [ReadIssue]
  ) {
    try encode(zones.map(\.draft), keeping: foreign)
  }

  /// Encodes unchecked zones, which readers may refuse.
  public func encode(_ zones: [ZoneDraft], keeping foreign: [ZoneID: ForeignMembers] = [:]) throws -> (
    data: Data, issues: [ReadIssue]
  ) {
    var encoded: (data: Data, issues: [ReadIssue])
    switch self {
    case .geojson: return Self.write(zones, with: GeoJSONZoneWriter(), keeping: foreign)
    case .kml: return Self.write(zones, with: KMLZoneWriter(), keeping: foreign)
    case .kmz:
      encoded = Self.write(zones, with: KMLZoneWriter(), keeping: foreign)
      return (try KMLZones.archive(encoded.data), encoded.issues)
    case .pad: encoded = PADWriter.encode(zones)
    case .owntracks: encoded = OwnTracksWaypoints.encode(zones)
    case .openair: throw ReadError("OpenAir can be read, but not written")
    case .gpx, .csv, .traccar, .homeassistant: throw ReadError("\(rawValue) can be read, but not written")
    }
    if let issue = ForeignMembers.leftOut(zones.compactMap { foreign[$0.id] }, by: rawValue) {
      encoded.issues.append(issue)
    }
    return encoded
  }

  private static func write(
    _ zones: [ZoneDraft], with writer: some ZoneFormatWriter, keeping foreign: [ZoneID: ForeignMembers]
  ) -> (data: Data, issues: [ReadIssue]) {
    for zone in zones { writer.append(zone, keeping: foreign[zone.id]) }
    writer.finish()
    return (Data(writer.takeBytes()), writer.issues)
  }
}
