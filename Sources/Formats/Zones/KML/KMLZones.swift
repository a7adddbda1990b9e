import AlarmEngine

/// Reads and writes zones as KML (OGC 07-147r2) and KMZ.
///
/// Placemarks with polygons become areas (all polygons of one placemark one zone), lines corridors, points circles;
/// the innermost folder is the category. In an archive, the documents that the first one links to are read
/// too. Attributes are in `ExtendedData` (`ZoneProperties`).
enum KMLZones {
  static func read(_ source: ByteSource, into builder: inout ZoneFileBuilder) throws {
    let reader = KMLZoneReader(builder)
    try XMLReader.read(source, with: reader, longestText: KMLZoneReader.longestText)
    reader.noteLinks()
    builder = reader.builder
  }

  static func readArchive(_ source: ByteSource, into builder: inout ZoneFileBuilder) throws {
    let reader = KMLZoneReader(builder)
    try KMZDocument.read(source, with: reader, longestText: KMLZoneReader.longestText)
    builder = reader.builder
  }
}
