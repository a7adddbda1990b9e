/// Reads zones from one KML document (OGC 07-147r2).
///
/// Placemarks with polygons become areas (all polygons of one placemark one zone), lines corridors, points circles; the
/// innermost folder is the category. Attributes are in `ExtendedData` (`ZoneProperties`).
package final class KMLZoneFileReader: ZoneFormatReader {
  private let reader: KMLZoneReader
  private var xml: XMLReader

  /// - Parameter name: the file, for messages.
  package init(_ builder: ZoneFileBuilder, name: String) {
    reader = KMLZoneReader(builder)
    xml = XMLReader(reader: reader, name: name, longestText: KMLZoneReader.longestText)
  }

  package var builder: ZoneFileBuilder {
    get { reader.builder }
    set { reader.builder = newValue }
  }

  package func feed(_ chunk: [UInt8]) throws(ReadError) { try xml.feed(chunk) }

  package func finish() throws(ReadError) {
    try xml.finish()
    reader.noteLinks()
  }
}
