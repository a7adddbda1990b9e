import AlarmEngine
import Foundation

/// Reads and writes zones in KMZ archives (OGC 07-147r2).
///
/// ``KMLZoneReader`` reads a document. In an archive, the documents that the first one links to are read too.
enum KMLZones {
  static func readArchive(_ source: ByteSource, into builder: inout ZoneFileBuilder) throws {
    let reader = KMLZoneReader(builder)
    try KMZDocument.read(source, with: reader, longestText: reader.longestText)
    builder = reader.builder
  }

  static func archive(_ document: Data) throws -> Data {
    try ZipArchive.archive([("doc.kml", Array(document))])
  }
}
