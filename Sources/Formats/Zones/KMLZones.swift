import AlarmEngine

/// Zones from and to KML (OGC 07-147r2) and KMZ.
///
/// Placemarks with polygons become areas (all polygons of one placemark one zone), lines corridors, points circles;
/// the innermost folder is the category. Attributes are in `ExtendedData` (`ZoneProperties`).
enum KMLZones {
  static func read(_ source: ByteSource, into builder: inout ZoneFileBuilder) throws {
    let reader = KMLZoneReader(builder)
    try XMLReader.read(source, with: reader, longestText: KMLZoneReader.longestText)
    builder = reader.builder
  }

  static func readArchive(_ source: ByteSource, into builder: inout ZoneFileBuilder) throws {
    let (document, warning) = try KMZDocument.find(in: source)
    if let warning { builder.report(warning.severity, warning.message) }
    try read(document, into: &builder)
  }
}
