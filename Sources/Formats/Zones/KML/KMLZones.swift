import AlarmEngine

/// Reads and writes zones as KML (OGC 07-147r2) and KMZ.
///
/// ``KMLZoneFileReader`` reads a document. In an archive, the documents that the first one links to are read too.
enum KMLZones {
  static func readArchive(_ source: ByteSource, into builder: inout ZoneFileBuilder) throws {
    let reader = KMLZoneReader(builder)
    try KMZDocument.read(source, with: reader, longestText: KMLZoneReader.longestText)
    builder = reader.builder
  }
}
