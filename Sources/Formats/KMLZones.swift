import AlarmEngine
import Foundation
import Geometry

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Zones from and to KML (OGC 07-147r2) and KMZ.
///
/// Placemarks with polygons become areas (all polygons of one placemark one zone), lines corridors, points circles;
/// the innermost folder is the category. Attributes are in `ExtendedData` (`ZoneProperties`).
enum KMLZones {
  static func read(_ source: ZoneFileSource, into builder: inout ZoneFileBuilder) throws {
    let stream = ZoneFileXMLStream(source)
    let parser = XMLParser(stream: stream)
    let reader = KMLReader(builder)
    parser.delegate = reader
    parser.shouldResolveExternalEntities = false
    let isWhole = parser.parse()
    if let failure = stream.failure { throw failure }
    builder = reader.builder
    guard reader.sawRoot else { throw ReadError("no KML: the root element <kml> is missing") }
    // The parser takes an end in the middle for a good one.
    if !isWhole || reader.isInsideElement {
      let line = parser.lineNumber
      builder.report(.error, line: line > 0 ? line : nil, "the XML is broken here; what follows is not read")
    }
  }

  /// The first file of the archive that is KML, `doc.kml` before others.
  static func readArchive(_ source: ZoneFileSource, into builder: inout ZoneFileBuilder) throws {
    let archive = Data(try source.all(limit: 1 << 30))
    let documents = try ZipArchive.entries(archive).filter { $0.name.lowercased().hasSuffix(".kml") }
    guard let entry = documents.first(where: { $0.name.lowercased() == "doc.kml" }) ?? documents.first else {
      throw ReadError("no .kml file in the archive")
    }
    if documents.count > 1 {
      builder.report(
        .warning, "\(documents.count) KML files in the archive; only \(entry.name.prefix(80)) is read")
    }
    try read(try ZoneFileSource(entry, progress: nil), into: &builder)
  }
}
